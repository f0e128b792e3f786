"""Makes training pictures for the network that finds figures: a board laid flat
as the camera shows it, with figures and with what is none, and which pixels the
figures cover.

All randomness comes from the generator that is handed in, so a seed gives the
same pictures again.
"""

import cv2
import numpy as np

import figures
import tile_scene
from figures import COLOURS
from tile_art import SIDE

# Pixels of the board laid flat per tile are the art's: SIDE, as the reader uses.
PICTURE = 2 * SIDE
# The answer is given for every other pixel.
STRIDE = 2

# What a pixel shows: 0 nothing, else 1 + 2 * colour + (1 if it lies).
NONE = 0


class FigureScenes(tile_scene.SceneMaker):
    def set_figure(self, canvas, mask, foot, view, sun, dark, colour, bgr):
        rng = self.rng
        standing = rng.random() < .6
        under = figures.paint(rng, canvas, foot, SIDE, standing, bgr, view, sun, dark)
        mask[under > 0] = 2 + 2 * colour - standing

    def cloth(self, bgr):
        """A felt in this paint, a little lighter or darker."""
        rng = self.rng
        n = 3 * SIDE
        felt = np.tile(bgr * rng.uniform(.7, 1.3) + rng.normal(0, 6, 3), (n, n, 1))
        felt += rng.normal(0, rng.uniform(1, 8), (n, n, 1))
        folds = cv2.resize(rng.normal(0, 1, (4, 4)), (n, n), interpolation=cv2.INTER_CUBIC)
        felt *= 1 + rng.uniform(0, .12) * folds[..., None]
        return np.clip(felt, 0, 255).astype(np.uint8)

    def over_the_edge(self, open_cells):
        """A foot at an edge of a cell where no tile lies."""
        rng = self.rng
        row, column = open_cells[int(rng.integers(len(open_cells)))]
        foot = np.array([column, row]) + rng.uniform(.2, .8, 2)
        axis = int(rng.integers(2))
        foot[axis] = (column, row)[axis] + int(rng.integers(2)) + rng.normal(0, .12)
        return np.clip(foot, .4, 2.6) * SIDE

    def set_clutter(self, canvas, mask):
        """A coin, a die, a sleeve: things that are no figures."""
        rng = self.rng
        kind = rng.random()
        colour = rng.uniform(0, 255, 3)
        p = rng.uniform(0, canvas.shape[0], 2)
        before = canvas.copy()
        if kind < .4:
            cv2.circle(canvas, np.int32(p).tolist(), int(SIDE * rng.uniform(.15, .4)),
                       colour.tolist(), -1, cv2.LINE_AA)
        elif kind < .7:
            box = cv2.boxPoints((p.tolist(), (SIDE * rng.uniform(.3, 1.5, 2)).tolist(),
                                 float(rng.uniform(0, 90))))
            cv2.fillPoly(canvas, [np.int32(box)], colour.tolist(), cv2.LINE_AA)
        else:
            self.hand(canvas)
        mask[(canvas != before).any(axis=2)] = NONE

    def scene(self):
        """A picture PICTURE square, and what each of its pixels at STRIDE shows."""
        rng = self.rng
        art = self.pick() if rng.random() < .92 else None
        # Those who play, each with one paint.
        players = [figures.pick_colour(rng) for _ in range(int(rng.integers(1, 4)))]
        paints = [figures.pick_paint(rng, colour) for colour in players]
        own_cloth = rng.random() < .15
        canvas, open_cells = self.board(art, int(rng.integers(4)), rng.random() < .5,
                                        self.cloth(paints[0]) if own_cloth else None)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        view, sun, dark = figures.pick_view(rng)
        if rng.random() < .12:
            self.set_clutter(canvas, mask)
        count = int(rng.choice([0, 1, 2, 3, 5], p=[.2, .25, .25, .2, .1]))
        feet = [rng.uniform(.4, 2.6, 2) * SIDE for _ in range(count)]
        if len(feet) > 1 and rng.random() < .25:  # touching
            feet[1] = feet[0] + rng.normal(0, .2, 2) * SIDE
        if feet and open_cells and rng.random() < .3:
            feet[0] = self.over_the_edge(open_cells)
        for foot in sorted(feet, key=lambda f: -(f @ view)):
            of = int(rng.integers(len(players)))
            self.set_figure(canvas, mask, foot, view, sun, dark, players[of], paints[of])
        if rng.random() < .06:
            self.set_clutter(canvas, mask)
        return self.photographed(canvas, mask, open_cells)

    def lit(self, patch, across=1):
        rng = self.rng
        if rng.random() < .3:  # a lamp whose colour the camera did not take out
            warm = rng.normal(0, .3)
            gain = np.exp([-warm, rng.normal(0, .05), .7 * warm])
            patch = np.clip(patch * gain, 0, 255).astype(np.uint8)
        return super().lit(patch, across)

    def photographed(self, canvas, mask, open_cells):
        """Through a camera of some resolution, and laid flat again."""
        rng = self.rng
        n = canvas.shape[0]
        pitch = np.exp(rng.uniform(np.log(24), np.log(80)))
        small = max(40, int(round(n * pitch / SIDE)))
        seen = cv2.resize(canvas, (small, small),
                          interpolation=cv2.INTER_AREA if small < n else cv2.INTER_CUBIC)
        seen = self.lit(seen, n / SIDE)
        seen = cv2.resize(seen, (n, n), interpolation=cv2.INTER_LINEAR)
        # A lattice that is a little off, and any cut of the board.
        half = PICTURE / 2 * rng.uniform(.93, 1.07)
        turn = rng.normal(0, .05) + rng.integers(4) * np.pi / 2
        c, s = np.cos(turn) * half, np.sin(turn) * half
        middle = n / 2 + rng.uniform(-.45, .45, 2) * SIDE
        corners = np.float32([(-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c)]) \
            + np.float32(middle)
        target = np.float32([(0, 0), (PICTURE, 0), (PICTURE, PICTURE), (0, PICTURE)])
        m = cv2.getPerspectiveTransform(corners, target)
        picture = cv2.warpPerspective(seen, m, (PICTURE, PICTURE), borderMode=cv2.BORDER_REFLECT)
        truth = cv2.warpPerspective(mask, m, (PICTURE, PICTURE), flags=cv2.INTER_NEAREST,
                                    borderMode=cv2.BORDER_REFLECT)
        # The reader, too, takes them from where it knows that tiles lie.
        on_tile = np.ones((n, n), bool)
        for row, column in open_cells if len(open_cells) < 9 else ():
            on_tile[row * SIDE:(row + 1) * SIDE, column * SIDE:(column + 1) * SIDE] = False
        tiles, picture = seen[on_tile].astype(np.float32), picture.astype(np.float32)
        bright = (picture - tiles.mean()) / (tiles.std() + 4)
        by_channel = (picture - tiles.mean(axis=0)) / (tiles.std(axis=0) + 4)
        x = np.concatenate([bright, by_channel], axis=2)
        return x.transpose(2, 0, 1), truth[STRIDE // 2::STRIDE, STRIDE // 2::STRIDE]

    def batch(self, size):
        rows = [self.scene() for _ in range(size)]
        return np.stack([r[0] for r in rows]), np.stack([r[1] for r in rows]).astype(np.int64)
