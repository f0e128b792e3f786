#!/usr/bin/python3
"""Paints looks at figures, to train from which of them lie (figure_kinds.py).

    figure_looks.py OUT --count 20000 [--seed 1] [--painted FOLDER]

Writes to the file OUT what figure_kind_looks writes of the virtual table: for each look a class, a
pose, a lean and a picture. Followers and blocks in all paints stand and lie on made-up boards
(figure_scene.py) in any light, from straight above to 54 degrees aside.

Needs python3-opencv, python3-numpy.
"""

import argparse
import pathlib

import cv2
import numpy as np

import figure_scene
import figures
import tile_art
from figure_kinds import RECORD, SIDE as LOOK
from tile_art import SIDE
from tile_classes import Classes

PX_PER_TILE = 96  # of a look, as in vision/figures/figure_kind_network.h
MIDDLE_HEIGHT = 8 / 45
FOLLOWER = 0
FINE = 2  # figures are painted with so many times the art's pixels


class Looks(figure_scene.FigureScenes):
    def scene_of_looks(self):
        rng = self.rng
        paint = figures.pick_paint(rng, figures.pick_colour(rng))
        canvas, open_cells = self.board(self.pick() if rng.random() < .92 else None,
                                        int(rng.integers(4)), rng.random() < .5,
                                        self.cloth(paint) if rng.random() < .15 else None)
        tile_px = SIDE * FINE
        canvas = cv2.resize(canvas, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_CUBIC)
        view, sun, dark = figures.pick_view(rng)
        placed = []
        for _ in range(int(rng.integers(1, 5))):
            foot = rng.uniform(.7, 2.3, 2)
            if all(np.linalg.norm(foot - other) > .25 for other, _ in placed):
                placed.append((foot, bool(rng.random() < .5)))
        for foot, standing in sorted(placed, key=lambda f: -(f[0] @ view)):
            bgr = paint if rng.random() < .5 else figures.pick_paint(rng, figures.pick_colour(rng))
            figures.paint(rng, canvas, foot * tile_px, tile_px, standing, bgr, view, sun, dark)
        seen = self.through_camera(canvas)
        return [self.look(seen, foot, standing, view, tile_px) for foot, standing in placed]

    def through_camera(self, canvas):
        rng = self.rng
        n = canvas.shape[0]
        small = int(3 * np.exp(rng.uniform(np.log(36), np.log(SIDE * FINE))))
        seen = cv2.resize(canvas, (small, small), interpolation=cv2.INTER_AREA)
        seen = self.lit(seen, 3)
        return cv2.resize(seen, (n, n), interpolation=cv2.INTER_LINEAR)

    def look(self, seen, foot, standing, view, tile_px):
        """As LookAt takes it, from where the finder may believe the foot to be: of one that
        stands somewhere below it, of one that lies somewhere around it."""
        rng = self.rng
        lean = np.linalg.norm(view)
        up = view / (lean + 1e-9)
        known = lean * rng.uniform(.85, 1.18)
        middle = foot + up * known * MIDDLE_HEIGHT + rng.normal(0, .04, 2)
        if rng.random() < .5:
            middle = middle + up * lean * rng.uniform(-.18, .2)
        turn = rng.normal(0, .07)
        up = np.array([up[0] * np.cos(turn) - up[1] * np.sin(turn),
                       up[0] * np.sin(turn) + up[1] * np.cos(turn)])
        right = np.array([-up[1], up[0]])
        scale = tile_px / PX_PER_TILE
        half = (LOOK - 1) / 2
        corner = middle * tile_px - (right - up) * half * scale
        m = np.float32([[right[0] * scale, -up[0] * scale, corner[0]],
                        [right[1] * scale, -up[1] * scale, corner[1]]])
        picture = cv2.warpAffine(seen, m, (LOOK, LOOK),
                                 flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                                 borderMode=cv2.BORDER_REPLICATE)
        white = np.percentile(seen.reshape(-1, 3), 99, axis=0) * rng.uniform(1, 1.4)
        picture = np.clip(picture * (255 / np.maximum(white, 20)), 0, 255)
        return FOLLOWER, int(standing), known, picture.astype(np.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shared", default=str(here.parents[3] / "shared"))
    parser.add_argument("--painted", help="pictures that tile_network_art wrote")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    classes = Classes(arguments.shared)
    art = tile_art.load(classes, arguments.shared, arguments.painted)
    looks = Looks(classes, art, np.random.default_rng(arguments.seed), (),
                  pathlib.Path(arguments.shared) / "photos/unlabelled")
    written = 0
    with arguments.out.open("wb") as out:
        while written < arguments.count:
            some = np.array(looks.scene_of_looks(), dtype=RECORD)
            some.tofile(out)
            written += len(some)
            if written // 2000 != (written - len(some)) // 2000:
                print(f"{written} of {arguments.count}", flush=True)


if __name__ == "__main__":
    main()
