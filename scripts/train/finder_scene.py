"""Makes training pictures for the network that finds tiles: boards of all sizes on
a table, as a camera sees them from any side, with what lies about on tables.

All randomness comes from the generator that is handed in, so a seed gives the
same pictures again.
"""

import cv2
import numpy as np

import figures
import tile_scene
from tile_art import SIDE
from tile_classes import turned

# The picture, and for how many of its pixels there is one answer.
PICTURE = 256
STRIDE = 4
# The table laid flat, in tiles; boards lie in its middle part.
TABLE = 14
RIM = 2
# Middles are told in so many pixels, shapes by the square of so many.
REACH = 32.
SHAPE = 32.


class FinderScenes(tile_scene.SceneMaker):
    def cells(self):
        """Where a board's tiles lie, grown at random from the middle."""
        rng = self.rng
        kind = rng.random()
        most = (0 if kind < .07 else rng.integers(1, 5) if kind < .3 else
                rng.integers(5, 21) if kind < .55 else rng.integers(20, 90))
        side = TABLE - 2 * RIM
        cells, beside = {}, [(TABLE // 2, TABLE // 2)]
        dense = rng.random()
        while len(cells) < most and beside:
            def around(cell):
                return sum((cell[0] + dy, cell[1] + dx) in cells
                           for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)))
            picks = [beside[int(rng.integers(len(beside)))] for _ in range(3)]
            cell = max(picks, key=around) if rng.random() < dense else picks[0]
            beside.remove(cell)
            cells[cell] = None
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                other = (cell[0] + dy, cell[1] + dx)
                if (other not in cells and other not in beside
                        and all(RIM <= a < RIM + side for a in other)):
                    beside.append(other)
        return list(cells)

    def fitting(self, cell, laid, edition):
        """A tile and its turns whose edges go with those beside it."""
        rng = self.rng
        for _ in range(30):
            art = self.pick(edition if rng.random() < .95 else None)
            for turns in rng.permutation(4):
                edges = turned(self.classes.edges[art.tile], int(turns))
                sides = ((-1, 0, 0, 2), (1, 0, 2, 0), (0, -1, 3, 1), (0, 1, 1, 3))
                if all(laid.get((cell[0] + dy, cell[1] + dx), edges[mine] * 4)[theirs] == edges[mine]
                       for dy, dx, mine, theirs in sides):
                    return art, int(turns), edges
        return art, int(turns), edges

    def put(self, canvas, picture, middle, size, angle, outline, shade):
        """Lays a picture down, turned; its corners on the table, clockwise."""
        c, s = np.cos(angle) * size / 2, np.sin(angle) * size / 2
        corners = np.array([(-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c)]) + middle
        low = np.floor(corners.min(axis=0)).astype(int) - 4
        high = np.ceil(corners.max(axis=0)).astype(int) + 5
        if (low < 0).any() or (high > canvas.shape[0]).any():
            return None
        part = canvas[low[1]:high[1], low[0]:high[0]]
        n = picture.shape[0]
        m = cv2.getAffineTransform(np.float32([(-.5, -.5), (n - .5, -.5), (n - .5, n - .5)]),
                                   np.float32(corners[:3] - low - .5))
        wide = (part.shape[1], part.shape[0])
        over = cv2.warpAffine(np.ones((n, n), np.float32), m, wide)[..., None]
        if shade is not None:  # it is 2 mm thick
            dark = cv2.warpAffine(over[..., 0], np.float32([[1, 0, shade[0]], [0, 1, shade[1]]]), wide)
            part[:] = part * (1 - .45 * dark[..., None])
        seen = cv2.warpAffine(picture, m, wide, borderMode=cv2.BORDER_REPLICATE)
        part[:] = seen * over + part * (1 - over)
        if outline is not None:
            line = np.zeros(part.shape[:2], np.uint8)
            cv2.polylines(line, [np.int32((corners - low) * 16 - 8)], True, 255, 1, cv2.LINE_AA, 4)
            part[:] = part * (1 - (1 - outline) * line[..., None] / 255.)
        return corners

    def board(self, canvas):
        """Lays a board and what lies about; the corners of every tile."""
        rng = self.rng
        edition = self.pick().edition
        fits = rng.random() < .8
        pitch = SIDE * (rng.uniform(1.01, 1.08) if rng.random() < .25 else 1 + abs(rng.normal(0, .008)))
        drift, twist = ((.05, 2.5) if rng.random() < .15 else (.012, .8))
        outline = rng.uniform(.35, .95) if rng.random() < .6 else None
        shade = rng.uniform(-3, 3, 2) if rng.random() < .6 else None
        laid, corners = {}, []
        shift = rng.uniform(-.5, .5, 2)
        for cell in self.cells():
            if fits:
                art, turns, laid[cell] = self.fitting(cell, laid, edition)
            else:
                art, turns = self.pick(edition), int(rng.integers(4))
            middle = (np.array(cell[::-1]) + .5 - TABLE / 2 + shift) * pitch + TABLE * SIDE / 2
            middle = middle + rng.normal(0, drift, 2) * SIDE
            corners.append(self.put(canvas, np.rot90(art.picture, -turns), middle, SIDE,
                                    np.radians(rng.normal(0, twist)), outline, shade))
        for _ in range(int(rng.choice([0, 1, 2, 4], p=[.6, .2, .12, .08]))):  # set aside
            middle = rng.uniform(SIDE, (TABLE - 1) * SIDE, 2)
            if any(np.abs(c.mean(axis=0) - middle).max() < 1.8 * SIDE for c in corners if c is not None):
                continue
            corners.append(self.put(canvas, self.pick(edition).picture, middle, SIDE,
                                    rng.uniform(0, 2 * np.pi), outline, shade))
        return [c for c in corners if c is not None]

    def clutter(self, canvas, corners):
        """What is square or printed and no tile: cards, backs, boxes, score tracks, chequered cloth."""
        rng = self.rng
        n = canvas.shape[0]

        def free(middle, reach):
            return all(np.abs(c.mean(axis=0) - middle).max() > reach + .75 * SIDE for c in corners)

        for _ in range(int(rng.choice([0, 1, 3, 6], p=[.4, .25, .2, .15]))):
            size = SIDE * float(np.exp(rng.uniform(np.log(.3), np.log(3))))
            middle = rng.uniform(size, n - size, 2)
            if not free(middle, size * .71):
                continue
            kind = rng.random()
            angle = rng.uniform(0, 2 * np.pi)
            if kind < .25 and self.backs:
                back = self.backs[int(rng.integers(len(self.backs)))]
                self.put(canvas, back, middle, SIDE, angle, .6, None)
            elif kind < .5:
                texture = self.textures[int(rng.integers(len(self.textures)))]
                y, x = rng.integers(0, texture.shape[0] - SIDE, 2)
                self.put(canvas, texture[y:y + SIDE, x:x + SIDE], middle, size, angle, .6, None)
            elif kind < .65:  # fields of a score track or of a printed list
                step = SIDE * rng.uniform(.25, 1.1)
                plain = np.full((8, 8, 3), rng.uniform(40, 240, 3), np.uint8)
                other = np.clip(plain * rng.uniform(.7, 1.2), 0, 255).astype(np.uint8)
                for i in range(int(rng.integers(4, 12))):
                    at = middle + np.array([np.cos(angle), np.sin(angle)]) * step * i
                    if free(at, step * .71):
                        self.put(canvas, plain if i % 2 else other, at, step * .97, angle,
                                 rng.uniform(.3, .9), None)
            else:
                colour = rng.uniform(0, 255, 3).tolist()
                cv2.circle(canvas, np.int32(middle).tolist(), int(size / 2), colour, -1, cv2.LINE_AA)

    def checks(self, canvas):
        """A cloth whose checks are of about a tile's size."""
        rng = self.rng
        n = canvas.shape[0]
        step = SIDE * rng.uniform(.5, 1.6)
        u = np.arange(n)
        a, b = ((u + rng.uniform(0, step)) // step % 2 for _ in range(2))
        depth = rng.uniform(.1, .5, 3)
        amount = np.maximum(a[:, None], b[None]) * .5 + (a[:, None] * b[None]) * .5 \
            if rng.random() < .6 else (a[:, None] != b[None]) * 1.
        canvas[:] = np.clip(canvas * (1 - amount[..., None] * depth), 0, 255)

    def scene(self):
        """A picture PICTURE square, and what each of its pixels at STRIDE says: 8 values and a weight."""
        rng = self.rng
        n = TABLE * SIDE
        texture = self.textures[int(rng.integers(len(self.textures)))]
        if rng.random() < .5:
            canvas = cv2.resize(texture, (n, n), interpolation=cv2.INTER_CUBIC)
        else:
            more = n - texture.shape[0]
            canvas = cv2.copyMakeBorder(texture, 0, more, 0, more, cv2.BORDER_REFLECT)
        if rng.random() < .15:
            self.checks(canvas)
        corners = self.board(canvas)
        self.clutter(canvas, corners)
        view, sun, dark = figures.pick_view(rng)
        share = rng.choice([0, .1, .3, .6], p=[.3, .3, .25, .15])
        for c in corners:
            if rng.random() < share:
                foot = c.mean(axis=0) + rng.uniform(-.5, .5, 2) * SIDE
                low = np.clip(np.int32(foot) - 2 * SIDE, 0, n)
                high = np.clip(np.int32(foot) + 2 * SIDE, 0, n)
                part = canvas[low[1]:high[1], low[0]:high[0]]
                figures.paint(rng, part, foot - low, SIDE, rng.random() < .6,
                              figures.pick_paint(rng, figures.pick_colour(rng)), view, sun, dark)
        return self.photographed(canvas, corners)

    def camera(self, n):
        """From the table laid flat to the picture."""
        rng = self.rng
        tilt = np.radians(rng.uniform(0, 58) if rng.random() < .6 else rng.uniform(0, 25))
        azimuth, roll = rng.uniform(0, 2 * np.pi, 2)
        pitch = np.exp(rng.uniform(np.log(15), np.log(84)))  # pixels a tile, at what is looked at
        far = rng.uniform(1.2, 4)  # from there, in pictures

        def spin(angle):
            c, s = np.cos(angle), np.sin(angle)
            return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

        aim = n / 2 + rng.uniform(-1, 1, 2) * SIDE * TABLE * .25
        to_aim = np.array([[1, 0, -aim[0]], [0, 1, -aim[1]], [0, 0, 1]])
        scale = pitch / SIDE
        lean = np.array([[1, 0, 0], [0, np.cos(tilt), 0],
                         [0, np.sin(tilt) / (far * PICTURE) * scale, 1 / 1]])
        lean[:2] *= scale
        middle = np.array([[1, 0, PICTURE / 2], [0, 1, PICTURE / 2], [0, 0, 1]])
        return middle @ spin(roll) @ lean @ spin(azimuth) @ to_aim, scale

    def photographed(self, canvas, corners):
        rng = self.rng
        n = canvas.shape[0]
        m, scale = self.camera(n)
        if scale < .8:
            canvas = cv2.GaussianBlur(canvas, (0, 0), .42 / scale)
        around = canvas[::8, ::8].reshape(-1, 3).mean(axis=0)
        seen = cv2.warpPerspective(canvas, m, (PICTURE, PICTURE), flags=cv2.INTER_LINEAR,
                                   borderMode=cv2.BORDER_CONSTANT, borderValue=around.tolist())
        hidden = np.zeros((PICTURE, PICTURE), bool)
        if rng.random() < .12:
            before = seen.copy()
            for _ in range(3):
                self.arm(seen)
            hidden = (seen != before).any(axis=2)
        if rng.random() < .25:  # the picture was smaller or larger
            k = int(PICTURE * rng.uniform(.55, 1.6))
            seen = cv2.resize(seen, (k, k), interpolation=cv2.INTER_AREA if k < PICTURE else cv2.INTER_CUBIC)
            seen = cv2.resize(self.lit(seen, PICTURE / SIDE / scale), (PICTURE, PICTURE),
                              interpolation=cv2.INTER_AREA if k > PICTURE else cv2.INTER_LINEAR)
        else:
            seen = self.lit(seen, PICTURE / SIDE / scale)
        truth = self.truth_of(m, corners)
        truth[8][hidden[STRIDE // 2::STRIDE, STRIDE // 2::STRIDE]] = 0
        mean, deviation = seen.mean(), seen.std()
        x = (seen.astype(np.float32) - mean) / (deviation + 4)
        return x.transpose(2, 0, 1), truth, seen

    def arm(self, picture):
        rng = self.rng
        colour = np.clip(np.array([120, 150, 205]) * rng.uniform(.35, 1.15) + rng.normal(0, 10, 3), 0, 255)
        p, way = rng.uniform(0, PICTURE, 2), rng.normal(0, 1, 2)
        way /= np.linalg.norm(way) + 1e-6
        cv2.line(picture, np.int32(p).tolist(), np.int32(p + way * PICTURE).tolist(), colour.tolist(),
                 int(rng.uniform(8, 40)), cv2.LINE_AA)

    def truth_of(self, m, corners):
        side = PICTURE // STRIDE
        truth = np.zeros((9, side, side), np.float32)
        truth[8] = 1
        if not corners:
            return truth
        flat = np.concatenate([np.array(corners).reshape(-1, 2), np.ones((4 * len(corners), 1))], axis=1)
        back = flat @ m.T
        if (back[:, 2] <= .05).any():
            keep = (back[:, 2].reshape(-1, 4) > .05).all(axis=1)
        else:
            keep = np.ones(len(corners), bool)
        seen = (back[:, :2] / back[:, 2:]).reshape(-1, 4, 2)
        ids = np.full((side, side), -1, np.int32)
        for i in np.nonzero(keep)[0]:
            if (np.abs(seen[i]) < 4 * PICTURE).all():
                # The middle of answer k is at STRIDE * (k + .5) - .5.
                cv2.fillConvexPoly(ids, np.int32(np.round(((seen[i] + .5) / STRIDE - .5) * 16)), int(i),
                                   cv2.LINE_8, 4)
        inside = ids >= 0
        truth[0] = inside
        y, x = np.nonzero(inside)
        c = seen[ids[inside]]
        middle = np.einsum("nij->nj", c) / 4
        # Where the diagonals meet is the middle on the table; for tiles so small this is as good.
        at = np.stack([x, y], axis=1) * STRIDE + (STRIDE - 1) / 2
        truth[1:3, y, x] = ((middle - at) / REACH).T
        u = (c[:, 1] + c[:, 2] - c[:, 0] - c[:, 3]) / 2
        v = (c[:, 2] + c[:, 3] - c[:, 0] - c[:, 1]) / 2
        shape = (u[:, :, None] * u[:, None] + v[:, :, None] * v[:, None]) / (2 * SHAPE ** 2)
        values, vectors = np.linalg.eigh(shape)
        values = np.maximum(values, 1e-4)
        log = np.einsum("nij,nj,nkj->nik", vectors, np.log(values), vectors)
        truth[3, y, x], truth[4, y, x], truth[5, y, x] = log[:, 0, 0], log[:, 0, 1], log[:, 1, 1]
        white = np.einsum("nij,nj,nkj,nk->ni", vectors, values ** -.5, vectors, u)
        four = 4 * np.arctan2(white[:, 1], white[:, 0])
        truth[6, y, x], truth[7, y, x] = np.cos(four), np.sin(four)
        # Far smaller or larger than the other scales of a picture would show them: no matter.
        size = np.sqrt(np.sqrt(np.maximum(np.linalg.det(shape), 1e-9))) * SHAPE
        truth[8, y, x] = np.where((size > 12) & (size < 90), 1, 0)
        return truth

    def batch(self, size):
        rows = [self.scene() for _ in range(size)]
        return np.stack([r[0] for r in rows]), np.stack([r[1] for r in rows])
