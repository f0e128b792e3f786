"""Loads the tile pictures that the naming network is trained from.

Every picture becomes a square of SIDE pixels of exactly one tile in the
engine's canonical orientation, with the edition it is from. Nothing here is
written back: the publishers' pictures stay in ../shared.
"""

import csv
import pathlib
from dataclasses import dataclass

import cv2
import numpy as np

from tile_classes import OTHER, PHOTO_EDGES, turned

SIDE = 64

# Letters by the names of the drawn set's files; where a set draws its letters
# upright in another turn than the photographs' labels.
DRAWN = {"C": "E", "CC.2": "I", "CFC.2": "H", "CFc+": "F", "CFc.1": "G", "CRRR": "L", "CRr": "J",
         "Cc+": "M", "Cc.1": "N", "CcRr+": "O", "CcRr": "P", "Ccc+": "Q", "Ccc": "R",
         "CccR+": "S", "CccR": "T", "Cccc+": "C", "L": "B", "LR": "A", "RCr": "D", "RFr": "U",
         "RRR": "W", "RRRR": "X", "Rr": "V", "RrC": "K"}
C2_EDGES = dict(PHOTO_EDGES, M="ccff", N="ccff")
DRAWN_EDGES = dict(PHOTO_EDGES, U="frfr", G="fcfc")

# Letters by the names of the scans (edges, variant, copies).
C1_SCANS = {"CCCC_000_1": "C", "CCFC_000_3": "R", "CCFC_001_1": "Q", "CCRC_000_1": "T",
            "CCRC_001_2": "S", "CFCF_000_3": "H", "CFFC_000_2": "I", "CFFC_000_3": "N",
            "CFFC_001_2": "M", "CFFF_000_5": "E", "CFRR_000_3": "K", "CRFR_000_4": "D",
            "CRRC_000_3": "P", "CRRC_001_2": "O", "CRRF_000_3": "J", "CRRR_000_3": "L",
            "FCFC_000_1": "G", "FCFC_001_2": "F", "FFFF_000_4": "B", "FFRF_000_2": "A",
            "FFRR_000_9": "V", "FRRR_000_4": "W", "RFRF_000_8": "U", "RRRR_000_1": "X"}

# Edges as pictured, by the letters of the river's rule document.
RIVER_C2 = {"A": ("R.spring", "ffsf"), "B": ("R1.B", "csrs"), "C": ("R1.C", "cscs"),
            "D": ("R1.D", "sfsf"), "E": ("R1.E", "ccss"), "F": ("R1.F", "sfsf"),
            "G": ("R1.G", "sffs"), "H": ("R1.H", "fsrs"), "I": ("R1.I", "rssr"),
            "J": ("R1.J", "fssf"), "K": ("R1.K", "srsr"), "L": ("R.lake", "sfff")}
RIVER_C3 = dict(RIVER_C2, A=("R1c3.A", "rrsf"), L=("R1c3.L", "sfff"))
# Those of the schematic river that are one type and no other.
RIVER_FREE = {"river4": ("R1.H", "fsrs"), "river5": ("R1.K", "rsrs"), "river6": ("R1.I", "rrss"),
              "river7": ("R1.B", "csrs"), "river8": ("R1.C", "cscs"), "river9": ("R1.E", "ccss")}

# Of each sheet of scans, four tiles a row, those that are like none of the base game: expansions'.
EXPANSIONS = {
    "Skanuj": (6, [0, 1, 5, 7, 8, 9, 10, 15, 18, 20, 21, 22, 23]),
    "Skanuj2": (6, [0, 4, 5, 7, 8, 11, 13, 15, 16, 18, 20, 22, 23]),
    "Skanuj3": (6, [0, 2, 3, 5, 6, 7, 9, 10, 12, 13, 15, 18, 19, 20, 21, 23]),
    "Skanuj4": (6, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 19, 22, 23]),
    "Skanuj5": (6, [3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 16, 19, 20, 21, 22, 23]),
    "Skanuj6": (6, [0, 1, 2, 4, 5, 8, 12, 14, 16, 19, 20, 22, 23]),
    "Skanuj7": (5, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19])}


@dataclass
class Art:
    edition: str
    tile: str  # "B.K"; garden copies too: see `garden`
    garden: bool
    picture: np.ndarray  # SIDE x SIDE x 3, BGR, canonical orientation


def _read(path):
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(path)
    return picture


def _inside(picture, share):
    """Without a border of this share of the sides."""
    h, w = picture.shape[:2]
    y, x = round(h * share), round(w * share)
    return picture[y:h - y, x:w - x]


def _line(profile, first, last):
    return first + int(np.argmax(profile[first:last]))


def cut_sheet(sheet):
    """The 4 x 3 tiles of a cut-out sheet, row by row, inside their frame lines.

    The printed tile goes on outside of the line; the line is where it is cut.
    """
    dark = (sheet.max(axis=2) < 110).astype(np.float32)
    # Tiles fill the sheet but for white paper around them.
    paper = (sheet.min(axis=2) < 225)
    ys = np.flatnonzero(paper.mean(axis=1) > 0.3)
    xs = np.flatnonzero(paper.mean(axis=0) > 0.3)
    top, bottom, left, right = ys[0], ys[-1] + 1, xs[0], xs[-1] + 1
    side_y, side_x = (bottom - top) / 4, (right - left) / 3
    # Lines top, bottom, left, right of each tile; a sheet lies straight, so a
    # line that was missed is where its row or column has it.
    lines = np.zeros((4, 3, 4), int)
    for row in range(4):
        for column in range(3):
            y, x = int(top + side_y * row), int(left + side_x * column)
            cell = dark[y:y + int(side_y), x:x + int(side_x)]
            n, m = cell.shape
            # Only a line is dark along most of a side.
            across = cell[:, int(m * .2):int(m * .8)].mean(axis=1)
            down = cell[int(n * .2):int(n * .8), :].mean(axis=0)
            lines[row, column] = (y + _line(across, 0, int(n * .16)),
                                  y + _line(across, int(n * .84), n),
                                  x + _line(down, 0, int(m * .16)),
                                  x + _line(down, int(m * .84), m))
    middle = np.median(lines, axis=1, keepdims=True), np.median(lines, axis=0, keepdims=True)
    usual = np.concatenate([np.broadcast_to(middle[0][..., :2], (4, 3, 2)),
                            np.broadcast_to(middle[1][..., 2:], (4, 3, 2))], axis=2).astype(int)
    lines = np.where(abs(lines - usual) > 0.02 * side_y, usual, lines)
    # A dark border of the scan is no line: tiles are square.
    side = lines[..., 1] - lines[..., 0]
    wide = abs(lines[..., 3] - lines[..., 2] - side) > 0.03 * side
    lines[..., 3] = np.where(wide, lines[..., 2] + side, lines[..., 3])
    inset = max(2, round(side_y * 0.008))
    return [sheet[a + inset:b - inset + 1, c + inset:d - inset + 1]
            for a, b, c, d in lines.reshape(12, 4)]


class Loader:
    def __init__(self, classes, shared):
        self.classes = classes
        self.folder = pathlib.Path(shared) / "photos/art"
        self.art = []

    def add(self, edition, tile, seen, picture, garden=False):
        """`seen`: the edges as they lie in the picture."""
        turns = self.classes.turns_from_edges(tile, seen)
        square = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        self.art.append(Art(edition, tile, garden, np.ascontiguousarray(np.rot90(square, turns))))

    def letter(self, edition, letter, turns, picture, garden=False, edges=PHOTO_EDGES):
        self.add(edition, "B." + letter, turned(edges[letter], turns), picture, garden)

    def c1_sheets(self):
        rows = list(csv.DictReader((self.folder / "c1-sheets/labels.csv").open()))
        for name in sorted({r["sheet"] for r in rows}):
            tiles = cut_sheet(_read(self.folder / "c1-sheets" / name))
            for r in (r for r in rows if r["sheet"] == name):
                self.letter("c1-sheets", r["tile_letter"], int(r["rotation_cw_from_canonical"]) // 90,
                            tiles[3 * int(r["row"]) + int(r["column"])])

    def c1_scans(self):
        for name, letter in C1_SCANS.items():
            self.add("c1-scans", "B." + letter, name[:4].lower(),
                     _inside(_read(self.folder / f"c1-scans/images/{name}.png"), 0.01))

    def lettered(self, edition, pattern, inset, edges=PHOTO_EDGES):
        for path in sorted(self.folder.glob(pattern)):
            letter = path.stem.rpartition("_")[2]
            self.letter(edition, letter, 0, _inside(_read(path), inset), edges=edges)

    def c3_scans(self):
        for r in csv.DictReader((self.folder / "c3-scans/scanned_tiles.csv").open()):
            path = self.folder / "c3-scans" / (pathlib.Path(r["file"]).stem + ".jpg")
            self.add("c3-scans", "B." + r["tile_letter"], r["edges_clockwise_from_image_top"],
                     _inside(_read(path), 0.012), r["has_garden"] == "true")

    def c3_small(self):
        self.lettered("c3-small", "c3-small/base_Base_Game_C3_Tile_?.png", 0.03, C2_EDGES)
        for path in sorted(self.folder.glob("c3-small/*_Garden.png")):
            self.letter("c2", path.stem.split("_")[-2], 0, _inside(_read(path), 0.03), True,
                        C2_EDGES)

    def drawn(self):
        for path in sorted(self.folder.glob("jcz-agpl/*.png")):
            letter = DRAWN[path.stem.partition("BA_")[2]]
            self.letter("drawn", letter, 0, _inside(_read(path), 0.005), edges=DRAWN_EDGES)

    def rivers(self):
        for edition, table in (("c2", RIVER_C2), ("c3", RIVER_C3)):
            for letter, (tile, seen) in table.items():
                picture = _inside(_read(self.folder / f"{edition}-river/{letter}.png"), 0.04)
                self.add(edition + "-river", tile, seen, picture, letter == "J")
        for name, (tile, seen) in RIVER_FREE.items():
            path = self.folder / f"free-schematic/tiles/{name}.png"
            self.add("free-river", tile, seen, _inside(_read(path), 0.005))

    def expansions(self):
        for name, (rows, numbers) in EXPANSIONS.items():
            sheet = _read(self.folder / f"c1-expansion-scans/{name}.jpg")
            height, width = sheet.shape[0] / rows, sheet.shape[1] / 4
            for i in numbers:
                y, x = (i // 4) * height, (i % 4) * width
                tile = sheet[round(y):round(y + height), round(x):round(x + width)]
                self.add("c1-other", OTHER, "----", _inside(tile, 0.03))

    def photographed(self):
        """Tiles that no clean picture shows, cut from photographs that nothing is reported on."""
        target = np.float32([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)])
        table = pathlib.Path(__file__).with_name("photographed_tiles.csv")
        for r in csv.DictReader(table.open()):
            picture = _read(self.folder.parent / f"unlabelled/{r['picture']}.jpg")
            corners = np.float32(r["corners_px"].split()).reshape(4, 2)
            m = cv2.getPerspectiveTransform(corners, target)
            edition = "c1-other-photographed" if r["tile"] == OTHER else "c1-river"
            self.add(edition, r["tile"], r["seen"],
                     _inside(cv2.warpPerspective(picture, m, (SIDE, SIDE), flags=cv2.INTER_AREA), 0.03))

    def painted(self, folder):
        for path in sorted(pathlib.Path(folder).glob("*-?.png")):
            code = path.stem.rpartition("-")[0]
            garden = code.endswith("g") and code != "R.spring"
            tile = code[:-1] if garden else code
            # The painted F is the painted D.
            if tile in self.classes.edges and tile != "R1.F":
                self.add("painted-river" if tile.startswith("R") else "painted", tile,
                         self.classes.edges[tile], _read(path), garden)


def load(classes, shared, painted=None, without=()):
    """All art; `without`: starts of editions that are left out ("c3")."""
    loader = Loader(classes, shared)
    loader.c1_sheets()
    loader.c1_scans()
    loader.lettered("c2", "c2/?.jpg", 0.01, C2_EDGES)
    loader.c3_scans()
    loader.c3_small()
    loader.lettered("free", "free-schematic/tiles/tex288_?.png", 0.005)
    loader.drawn()
    loader.rivers()
    loader.expansions()
    loader.photographed()
    if painted:
        loader.painted(painted)
    return [a for a in loader.art if not a.edition.startswith(tuple(without) or ("-",))]


def load_closeups(classes, shared):
    """Photographed C1 tiles, for development only; the tile fills the picture."""
    loader = Loader(classes, shared)
    for r in csv.DictReader((loader.folder / "c1-closeups/single_tiles.csv").open()):
        picture = _read(loader.folder / "c1-closeups" / pathlib.Path(r["file"]).name)
        loader.add("c1-closeups", "B." + r["tile_letter"], r["edges_clockwise_from_image_top"],
                   _inside(picture, 0.025))
    return loader.art
