"""What tiles lie on in training: table tops and cloths, made up or cut from photographs.

All randomness comes from the generator that is handed in, so a seed gives the
same textures again.
"""

import cv2
import numpy as np


def make_textures(rng, count=96, side=256):
    """Table tops and cloths: plain, grained, striped, tartan, blotched, speckled."""
    textures = []
    for i in range(count):
        colour = rng.uniform(10, 245) * np.ones(3) + rng.normal(0, 18 if i % 3 else 60, 3)
        t = np.tile(colour, (side, side, 1)).astype(np.float32)
        kind = i % 6
        if kind == 2:  # brown, as a city is
            colour = np.array([.35, .6, .9]) * rng.uniform(30, 250) * np.exp(rng.normal(0, .15, 3))
            t = np.tile(colour, (side, side, 1)).astype(np.float32)
        if kind in (1, 2):  # wood
            n = cv2.resize(rng.normal(0, 1, (side // 2, 6)).astype(np.float32), (side, side),
                           interpolation=cv2.INTER_CUBIC)
            t += (n * rng.uniform(4, 28))[..., None] * rng.uniform(.6, 1.2, 3).astype(np.float32)
            if rng.random() < .5:
                t[::int(rng.integers(40, 120))] *= .6
        elif kind == 3:  # stripes, tartan
            for axis in range(int(rng.integers(1, 3))):
                for _ in range(int(rng.integers(1, 4))):
                    pitch = int(rng.integers(8, 90))
                    on = (np.arange(side) % pitch) < pitch * rng.uniform(.1, .6)
                    band = np.where(on, rng.uniform(-60, 60), 0).astype(np.float32)
                    t += (band[:, None] if axis else band[None, :])[..., None] * rng.uniform(
                        .2, 1, 3).astype(np.float32)
        elif kind == 4:  # blotches, figured cloth
            m = int(rng.integers(3, 30))
            n = cv2.resize(rng.normal(0, 1, (m, m)).astype(np.float32), (side, side),
                           interpolation=cv2.INTER_CUBIC)
            if rng.random() < .5:
                n = np.sign(n - .6)
            t += (n * rng.uniform(5, 50))[..., None] * rng.uniform(.3, 1, 3).astype(np.float32)
        elif kind == 5:  # shapes: boxes, print, other games
            for _ in range(int(rng.integers(3, 40))):
                p = rng.integers(0, side, 2)
                q = p + rng.integers(4, 90, 2)
                c = rng.uniform(0, 255, 3).tolist()
                shape = rng.integers(0, 3)
                if shape == 0:
                    cv2.rectangle(t, p.tolist(), q.tolist(), c, -1 if rng.random() < .6 else 2)
                elif shape == 1:
                    cv2.circle(t, p.tolist(), int(rng.integers(2, 40)), c, -1)
                else:
                    cv2.putText(t, "".join(chr(c) for c in rng.integers(48, 91, 5)), p.tolist(), 0,
                                float(rng.uniform(.4, 2)), c, int(rng.integers(1, 4)))
        t += rng.normal(0, rng.uniform(1, 12), (side, side, 1)).astype(np.float32)
        if rng.random() < .5:
            t = cv2.GaussianBlur(t, (0, 0), float(rng.uniform(.5, 2)))
        textures.append(np.clip(t, 0, 255).astype(np.uint8))
    return textures


# Bare table in the unlabelled photographs (no tile lies there), as x0 y0 x1 y1
# in shares of the picture.
BARE = {"1": [(0, .82, 1, 1)], "2": [(0, .75, 1, 1)], "10": [(0, .8, .85, 1)],
        "12": [(.2, .9, .8, 1)], "13": [(0, .05, .3, .38), (.5, .72, .7, .98)],
        "22": [(.55, .05, 1, .28), (0, .72, .15, .95)], "27": [(.3, .93, 1, 1), (.75, .45, 1, .95)],
        "33": [(0, .78, .4, 1)], "38": [(0, .55, .25, 1), (.4, .02, 1, .1)],
        "44": [(0, .75, .12, 1), (.85, .75, 1, 1), (0, 0, .35, .15)], "46": [(0, .87, 1, 1)],
        "48": [(0, .75, .35, 1)], "53": [(0, .8, 1, 1), (0, 0, .2, .7)],
        "56": [(0, .45, .2, .95), (.8, .55, 1, .95)], "58": [(.62, .82, 1, .95), (.85, .1, 1, .35)],
        "60": [(.9, .4, 1, 1)], "18": [(0, 0, .35, .3)], "30": [(0, .02, .2, .95)],
        "02": [(0, 0, .2, .4), (0, .72, .3, 1)]}


def photographed_textures(rng, folder, each=8, side=256):
    textures = []
    for name, boxes in BARE.items():
        picture = cv2.imread(str(folder / f"test_{name}.jpg"))
        if picture is None:
            continue
        h, w = picture.shape[:2]
        for x0, y0, x1, y1 in boxes:
            part = picture[int(y0 * h):int(y1 * h), int(x0 * w):int(x1 * w)]
            for _ in range(each):
                n = int(min(part.shape[:2]) * rng.uniform(.5, 1))
                y, x = (int(rng.integers(0, part.shape[a] - n + 1)) for a in (0, 1))
                piece = cv2.resize(part[y:y + n, x:x + n], (side, side),
                                   interpolation=cv2.INTER_AREA if n > side else cv2.INTER_LINEAR)
                textures.append(np.ascontiguousarray(np.rot90(piece, int(rng.integers(4)))))
    return textures
