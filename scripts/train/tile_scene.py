"""Makes training patches: a tile among random neighbours on a table, as a
camera might see it, or something that is no tile.

All randomness comes from the generator that is handed in, so a seed gives the
same patches again.
"""

import cv2
import numpy as np

from figures import BLOCK, FOLLOWER
from table_textures import make_textures, photographed_textures
from tile_art import SIDE
from tile_classes import OTHER, turned

PATCH = 64
# The patch shows the tile and this share of its side around it.
MARGIN = 0.125
FIGURE_COLOURS = [(40, 30, 190), (30, 190, 230), (50, 140, 30), (170, 70, 20), (25, 25, 28),
                  (170, 110, 220), (150, 150, 150), (30, 120, 230), (70, 100, 140),
                  (150, 50, 110), (220, 225, 230)]


def normalise(patch):
    """The network's input: 3 x 64 x 64, without its mean and contrast."""
    x = patch.astype(np.float32)
    mean, deviation = x.mean(), x.std()
    return ((x - mean) / (deviation + 4.0)).transpose(2, 0, 1)


class SceneMaker:
    def __init__(self, classes, art, rng, backs=(), unlabelled=None):
        self.classes, self.art, self.rng = classes, art, rng
        self.textures = make_textures(rng, 192)
        if unlabelled is not None:
            self.textures += photographed_textures(rng, unlabelled)
        self.backs = list(backs)
        self.editions = sorted({a.edition for a in art})
        weights = {e: EDITION_WEIGHTS.get(e, 0.1) for e in self.editions}
        counts = COPIES
        # Editions by weight; within one a type by the root of its count.
        self.by_edition = {}
        for e in self.editions:
            items = [a for a in art if a.edition == e]
            share = {}
            for a in items:
                share[a.tile] = share.get(a.tile, 0) + 1
            w = np.array([counts.get(a.tile, 1) ** .5 / share[a.tile] * (1.3 if a.garden else 1)
                          for a in items])
            self.by_edition[e] = (items, np.cumsum(w / w.sum()))
        w = np.array([weights[e] for e in self.editions])
        self.edition_steps = np.cumsum(w / w.sum())

    def pick(self, edition=None):
        if edition is None:
            i = int(np.searchsorted(self.edition_steps, self.rng.random()))
            edition = self.editions[min(i, len(self.editions) - 1)]
        items, steps = self.by_edition[edition]
        return items[min(int(np.searchsorted(steps, self.rng.random())), len(items) - 1)]

    # The canvas: 3 x 3 cells of SIDE pixels, the tile in the middle.
    # `fitting`: neighbours go with one another as on a real board. Where a tile
    # is to be named they do not: its neighbours shall not name it.
    def canvas(self, art, turns, fitting=False):
        return self.board(art, turns, fitting)[0]

    # The canvas, and the cells, row and column, that no tile lies in.
    # `cloth`: what the tiles lie on, instead of one of the textures.
    def board(self, art, turns, fitting=False, cloth=None):
        rng = self.rng
        laid, bare = {}, []
        texture = self.textures[int(rng.integers(len(self.textures)))]
        n = 3 * SIDE
        y, x = rng.integers(0, texture.shape[0] - n, 2)
        canvas = texture[y:y + n, x:x + n].copy() if cloth is None else cloth
        crowd = rng.choice([0.0, 0.45, 0.85, 1.0], p=[.08, .27, .35, .3])
        gap = rng.choice([0, 0, 1, 2, 3, 5]) if rng.random() < .6 else 0
        rough = 3 if rng.random() < .3 else 1
        outline = rng.uniform(.3, .95) if rng.random() < .6 else None
        for row in range(3):
            for column in range(3):
                middle = row == 1 and column == 1
                if middle:
                    if art is None:
                        bare.append((row, column))
                        continue
                    picture, dy, dx = np.rot90(art.picture, -turns), 0, 0
                    laid[row, column] = turned(self.classes.edges[art.tile], turns)
                elif rng.random() < crowd:
                    same = art is not None and rng.random() < .85
                    for _ in range(24 if fitting else 1):
                        other = self.pick(art.edition if same else None)
                        k = int(rng.integers(4))
                        edges = turned(self.classes.edges[other.tile], k)
                        beside = [(0, -1, 0, 2), (0, 1, 2, 0), (1, -1, 3, 1), (1, 1, 1, 3)]
                        if all(edges[mine] == laid.get((row + d * (1 - axis), column + d * axis),
                                                       edges[mine] * 4)[theirs]
                               for axis, d, mine, theirs in beside):
                            break
                    laid[row, column] = edges
                    picture = np.rot90(other.picture, -k)
                    dy, dx = rng.integers(-rough, rough + 1, 2)
                    dy += (row - 1) * gap
                    dx += (column - 1) * gap
                else:
                    bare.append((row, column))
                    continue
                self.lay(canvas, picture, row * SIDE + dy, column * SIDE + dx, outline)
        return canvas, bare

    def lay(self, canvas, picture, y, x, outline):
        n = canvas.shape[0]
        y0, x0, y1, x1 = max(y, 0), max(x, 0), min(y + SIDE, n), min(x + SIDE, n)
        canvas[y0:y1, x0:x1] = picture[y0 - y:y1 - y, x0 - x:x1 - x]
        if outline is not None:
            for s in (np.s_[y0:y1, x0:x0 + 1], np.s_[y0:y1, x1 - 1:x1], np.s_[y0:y0 + 1, x0:x1],
                      np.s_[y1 - 1:y1, x0:x1]):
                canvas[s] = (canvas[s] * outline).astype(np.uint8)

    def figure(self, canvas, near):
        """A figure with its shadow, its foot within `near` cells of the middle."""
        rng = self.rng
        foot = SIDE * (1.5 + rng.uniform(-near, near, 2))
        height = SIDE * rng.uniform(.24, .55)
        shape = (FOLLOWER if rng.random() < .75 else BLOCK) * [1, 1]
        shape = shape + rng.normal(0, .03, shape.shape)
        shape[:, 0] *= rng.uniform(.6, 1.2)
        shape = (shape - [0, .5]) * height
        shape[:, 0] += shape[:, 1] * rng.normal(0, .3)
        angle = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(angle), np.sin(angle)
        points = shape @ np.array([[c, s], [-s, c]]) + foot
        if rng.random() < .7:
            slant = rng.normal(0, .35, (2, 2)) + np.eye(2) * rng.uniform(.5, 1.2)
            shade = np.zeros(canvas.shape[:2], np.uint8)
            cv2.fillPoly(shade, [np.int32((points - foot) @ slant + foot)], 255)
            shade = cv2.blur(shade, (5, 5))
            dark = 1 - rng.uniform(.2, .7) * shade.astype(np.float32) / 255
            y0, x0 = np.maximum(np.floor(foot - 2 * height).astype(int), 0)[::-1]
            y1, x1 = np.ceil(foot + 2 * height).astype(int)[::-1]
            part = canvas[y0:y1, x0:x1]
            part[:] = (part * dark[y0:y1, x0:x1, None]).astype(np.uint8)
        colour = np.array(FIGURE_COLOURS[int(rng.integers(len(FIGURE_COLOURS)))], float)
        colour = np.clip(colour * rng.uniform(.6, 1.3) + rng.normal(0, 10, 3), 0, 255)
        shift = np.int32(points * 16)
        side = rng.normal(0, .08 * height, 2)
        cv2.fillPoly(canvas, [np.int32((points + side) * 16)], (colour * .6).tolist(), cv2.LINE_AA, 4)
        cv2.fillPoly(canvas, [shift], colour.tolist(), cv2.LINE_AA, 4)
        if rng.random() < .4:
            p = points[int(rng.integers(len(points)))] * .4 + foot * .6
            cv2.circle(canvas, np.int32(p).tolist(), 2, np.clip(colour * 1.6 + 30, 0, 255).tolist(), -1)

    def hand(self, canvas):
        rng = self.rng
        colour = np.clip(np.array([120, 150, 205]) * rng.uniform(.35, 1.15) + rng.normal(0, 10, 3), 0, 255)
        start = SIDE * rng.uniform(.6, 2.4, 2)
        way = rng.normal(0, 1, 2)
        way /= np.linalg.norm(way) + 1e-6
        for _ in range(int(rng.integers(2, 6))):
            p = start + rng.normal(0, SIDE * .25, 2)
            q = p + way * SIDE * rng.uniform(.6, 2.5)
            cv2.line(canvas, np.int32(p).tolist(), np.int32(q).tolist(),
                     np.clip(colour * rng.uniform(.8, 1.1), 0, 255).tolist(),
                     int(SIDE * rng.uniform(.2, .5)), cv2.LINE_AA)

    def look(self, canvas, shift=.075, scale=.13, turn=7., centre=(0., 0.), zoom=1., skew=.05):
        """The patch that jittered corners give, in its own resolution."""
        rng = self.rng
        size = int(round((1 + 2 * MARGIN) * np.exp(rng.uniform(np.log(22), np.log(66)))))
        angle = np.radians(rng.normal(0, turn / 2) if turn <= 10 else rng.uniform(-turn, turn))
        c, s = np.cos(angle), np.sin(angle)
        half = (.5 + MARGIN) * zoom * (1 + rng.uniform(-scale, scale))
        aspect = rng.normal(0, .025)
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half * [1 + aspect, 1 - aspect]
        corners = corners @ np.array([[c, s], [-s, c]]) + rng.normal(0, skew / 2, (4, 2))
        corners += rng.uniform(-shift, shift, 2) + np.array(centre)
        source = ((corners + 1.5) * SIDE).astype(np.float32)
        target = np.float32([(0, 0), (size, 0), (size, size), (0, size)])
        shrink = SIDE * 2 * half / size
        if shrink > 1.25:
            canvas = cv2.GaussianBlur(canvas, (0, 0), .45 * shrink)
        m = cv2.getPerspectiveTransform(source, target)
        return cv2.warpPerspective(canvas, m, (size, size), flags=cv2.INTER_LINEAR,
                                   borderMode=cv2.BORDER_REFLECT)

    def light(self, patch):
        """The patch in some light, seen by some camera, in the network's size."""
        how = cv2.INTER_AREA if patch.shape[0] > PATCH else cv2.INTER_LINEAR
        return cv2.resize(self.lit(patch), (PATCH, PATCH), interpolation=how)

    def lit(self, patch, across=1):
        """`across`: tiles that the picture is wide."""
        rng = self.rng
        n = patch.shape[0]
        x = patch.astype(np.float32) / 255
        if rng.random() < .8:
            x = x ** np.float32(np.exp(rng.normal(0, .35)))
        grey = x.mean(axis=2, keepdims=True)
        x = grey + (x - grey) * np.float32(np.clip(rng.normal(.95, .3), .15, 1.8))
        x = x * np.exp(rng.normal(0, .16, 3)).astype(np.float32)
        if rng.random() < .3:  # half-plane shadow
            a = rng.uniform(0, 2 * np.pi)
            u = np.arange(n, dtype=np.float32) / n - .5
            d = u[None, :] * np.cos(a) + u[:, None] * np.sin(a) - rng.uniform(-.5, .5)
            edge = 1 / (1 + np.exp(-d * rng.uniform(4, 60)))
            x *= (1 - rng.uniform(.2, .75) * edge)[..., None].astype(np.float32)
        if rng.random() < .25:  # glare
            u = np.arange(n, dtype=np.float32) / n
            p = rng.uniform(-.2, 1.2, 2)
            w = rng.uniform(.08, .5, 2) ** 2
            spot = np.exp(-(u[None, :] - p[0]) ** 2 / w[0] - (u[:, None] - p[1]) ** 2 / w[1])
            x += (rng.uniform(.2, 1.) * spot)[..., None].astype(np.float32)
        if rng.random() < .35:  # haze
            h = rng.uniform(0, .6)
            x = x * np.float32(1 - h) + (h * rng.uniform(.5, 1.0, 3)).astype(np.float32)
        x = x * np.float32(rng.uniform(.45, 1.25)) + np.float32(rng.normal(0, .05))
        if rng.random() < .45:
            x = cv2.GaussianBlur(x, (0, 0), float(rng.uniform(.3, 1.6) * n / 80 / across))
        if rng.random() < .1:  # moved
            k = np.zeros((5, 5), np.float32)
            k[2] = .2
            x = cv2.filter2D(x, -1, k if rng.random() < .5 else np.ascontiguousarray(k.T))
        if rng.random() < .7:
            noise = rng.standard_normal((n, n, 3), dtype=np.float32)
            x += noise * np.float32(rng.uniform(0, .04))
        x = np.clip(x * 255, 0, 255).astype(np.uint8)
        if rng.random() < .35:
            quality = int(rng.integers(25, 95))
            x = cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1)
        return x

    def tile(self, art=None):
        """A patch that shows a tile: patch, class, edges, flags."""
        rng = self.rng
        art = art or self.pick()
        turns = int(rng.integers(4))
        canvas = self.canvas(art, turns)
        r = rng.random()
        if r < .5:
            for _ in range(1 if r < .38 else 2):
                self.figure(canvas, .45 if rng.random() < .8 else .9)
        patch = self.light(self.look(canvas))
        return (patch,) + self.truth(art, turns)

    def truth(self, art, turns):
        if art.tile == OTHER:  # only that it is one
            return self.classes.other, [0, 0, 0, 0], self.classes.flags[OTHER]
        edges = [EDGES.index(self.classes.edges[art.tile][(i - turns) % 4]) for i in range(4)]
        flags = list(self.classes.flags[art.tile])
        flags[2] = float(art.garden)
        return self.classes.of(art.tile, turns), edges, flags

    def nothing(self):
        """A patch that shows no tile in its place."""
        rng = self.rng
        r = rng.random()
        turns = int(rng.integers(4))
        fitting = rng.random() < .75
        if r < .32:  # a hole beside tiles, or the table
            canvas = self.canvas(None, 0)
            if rng.random() < .3:
                self.figure(canvas, .6)
            patch = self.look(canvas, shift=.2, turn=20)
        elif r < .66:  # between tiles
            canvas = self.canvas(self.pick(), turns, fitting)
            centre = rng.uniform(-.5, .5, 2)
            centre[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(.32, .68)
            patch = self.look(canvas, shift=0, centre=centre)
        elif r < .73:  # far too near or far
            canvas = self.canvas(self.pick(), turns, fitting)
            zoom = rng.uniform(1.7, 2.2) if rng.random() < .5 else rng.uniform(.3, .55)
            patch = self.look(canvas, shift=.2, zoom=zoom, turn=20)
        elif r < .78:  # turned
            canvas = self.canvas(self.pick(), turns)
            patch = self.look(np.ascontiguousarray(self.spun(canvas)), shift=.1)
        elif r < .85 and self.backs:  # face down
            back = self.backs[int(rng.integers(len(self.backs)))]
            canvas = self.canvas(None, 0)
            self.lay(canvas, np.rot90(back, turns), SIDE, SIDE, .6)
            patch = self.look(canvas)
        elif r < .93:  # something printed, cut like a tile
            canvas = self.canvas(None, 0)
            texture = self.textures[int(rng.integers(len(self.textures)))]
            y, x = rng.integers(0, texture.shape[0] - SIDE, 2)
            self.lay(canvas, texture[y:y + SIDE, x:x + SIDE], SIDE, SIDE, .6)
            patch = self.look(canvas)
        else:  # a hand over most of it
            canvas = self.canvas(self.pick(), turns)
            covered = canvas.copy()
            for _ in range(4):
                self.hand(covered)
                inner = np.s_[SIDE:2 * SIDE, SIDE:2 * SIDE]
                if (covered[inner] != canvas[inner]).any(axis=2).mean() > .8:
                    break
            else:
                covered[inner] = self.textures[int(rng.integers(len(self.textures)))][:SIDE, :SIDE]
            patch = self.look(covered)
        return self.light(patch), self.classes.none, [0, 0, 0, 0], [0, 0, 0, 0]

    def spun(self, canvas):
        angle = float(self.rng.choice([-1, 1]) * self.rng.uniform(22, 45))
        n = canvas.shape[0]
        m = cv2.getRotationMatrix2D((n / 2, n / 2), angle, 1)
        return cv2.warpAffine(canvas, m, (n, n), borderMode=cv2.BORDER_REFLECT)

    def batch(self, size, share_of_nothing=.2):
        rows = [self.nothing() if self.rng.random() < share_of_nothing else self.tile()
                for _ in range(size)]
        return collate(rows)


def collate(rows):
    return (np.stack([normalise(r[0]) for r in rows]), np.array([r[1] for r in rows]),
            np.array([r[2] for r in rows]), np.array([r[3] for r in rows], np.float32))


EDGES = "crfs"
EDITION_WEIGHTS = {"c1-sheets": .28, "c1-scans": .10, "c2": .12, "c3-scans": .19, "c3-small": .06,
                   "free": .09, "drawn": .04, "painted": .06, "c2-river": .025, "c3-river": .02,
                   "free-river": .005, "painted-river": .01, "c1-river": .04, "c1-other": .07,
                   "c1-other-photographed": .02}
COPIES = {"B.A": 2, "B.B": 4, "B.D": 4, "B.E": 5, "B.F": 2, "B.H": 3, "B.I": 2, "B.J": 3, "B.K": 3,
          "B.L": 3, "B.M": 2, "B.N": 3, "B.O": 2, "B.P": 3, "B.R": 3, "B.S": 2, "B.U": 8, "B.V": 9,
          "B.W": 4}
