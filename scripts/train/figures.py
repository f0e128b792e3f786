"""Figures as a board laid flat shows them, for training pictures.

A figure is a prism: the outline of a follower, 16 x 16 mm and about 10 mm thick
(tiles are 45 mm), standing or lying. On a board laid flat, what is z above the
table moves by z times the tilt's tangent, away from the camera; its shadow moves
the same way by the light's.
"""

import cv2
import numpy as np

# Outlines of a follower and of an upright block; unit height, y down.
FOLLOWER = np.array([(-.13, -.36), (-.1, -.47), (0, -.5), (.1, -.47), (.13, -.36), (.1, -.25),
                     (.4, -.12), (.42, 0), (.2, .05), (.38, .5), (.08, .5), (0, .28),
                     (-.08, .5), (-.38, .5), (-.2, .05), (-.42, 0), (-.4, -.12), (-.1, -.25)])
BLOCK = np.array([(-.25, -.5), (.25, -.5), (.25, .5), (-.25, .5)])

# Names in the order of the network's answers, and the paints of each, B G R.
PAINTS = {"red": [(30, 25, 190), (25, 20, 150), (50, 40, 215), (20, 45, 200), (55, 50, 170)],
          "blue": [(180, 80, 20), (120, 55, 20), (200, 110, 30), (95, 45, 18), (225, 150, 70)],
          "green": [(45, 130, 35), (35, 95, 20), (60, 150, 60), (30, 70, 15), (70, 180, 110)],
          "yellow": [(25, 190, 235), (30, 160, 210), (60, 210, 240), (10, 205, 250)],
          "black": [(22, 22, 24), (38, 36, 36), (50, 48, 46)],
          "pink": [(170, 110, 220), (190, 145, 235), (160, 85, 225)],
          "grey": [(150, 150, 150), (120, 122, 120), (175, 175, 175)], "orange": [(30, 120, 230)],
          "purple": [(150, 50, 110)], "white": [(220, 225, 230)], "brown": [(70, 100, 140)]}
COLOURS = list(PAINTS)
# How often each is shown (vision/figures/figure_network.cc divides it out again): those that are in
# every box, and the others.
SHARES = np.array([.7 / 5 + .3 / 11] * 5 + [.3 / 11] * 6)


def prism(rng, standing, slices):
    """So many slices of a figure from the table up or from far to near: a list of (points
    n x 3 in tiles, x right, y down, z up, foot at 0), in the order of painting, and
    which of them is the last face."""
    size = rng.uniform(.32, .44)
    thick = rng.uniform(.16, .25)
    outline = (FOLLOWER if rng.random() < .85 else BLOCK) * size
    outline = outline * [rng.uniform(.85, 1.15), 1] + rng.normal(0, .008, outline.shape)
    yaw = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(yaw), np.sin(yaw), 0])
    across = np.array([-np.sin(yaw), np.cos(yaw), 0])
    up = np.array([0, 0, 1.])
    steps = np.linspace(0, 1, slices)
    if standing:
        outline = outline - [0, outline[:, 1].max()]
        return [outline[:, :1] * along - outline[:, 1:] * up + (s - .5) * thick * across
                for s in steps]
    return [outline[:, :1] * along + outline[:, 1:] * across + s * thick * up for s in steps]


def pick_colour(rng):
    """Index in COLOURS."""
    return int(rng.choice(len(COLOURS), p=SHARES))


def pick_paint(rng, colour):
    """A paint of this colour, B G R: one box's figures all have the same."""
    paints = PAINTS[COLOURS[colour]]
    bgr = np.array(paints[int(rng.integers(len(paints)))], float)
    return np.clip(bgr * rng.uniform(.75, 1.25) + rng.normal(0, 10, 3), 4, 250)


def pick_view(rng):
    """The slopes of the camera's view and of the light (x and y that z = 1 moves by),
    and how dark shadows are."""
    angles = rng.uniform(0, 2 * np.pi, 2)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return (ways[0] * np.tan(np.radians(rng.uniform(0, 54))), ways[1] * rng.uniform(.1, 1.6),
            rng.uniform(.15, .75) if rng.random() < .75 else 0)


def paint(rng, canvas, foot, tile_px, standing, bgr, view, sun, dark):
    """Paints a figure of this paint and its shadow; returns which pixels the figure covers (255)."""
    slices = prism(rng, standing, max(8, tile_px // 8))
    # Painted from far to near.
    if standing and (slices[-1] - slices[0])[0, :2] @ view > 0:
        slices.reverse()

    def seen(points, slope):
        return np.int32(np.round(((points[:, :2] + points[:, 2:] * slope) * tile_px + foot) * 16))

    if dark > 0:
        shade = np.zeros(canvas.shape[:2], np.uint8)
        for s in slices:
            cv2.fillPoly(shade, [seen(s, sun)], 255, cv2.LINE_AA, 4)
        shade = cv2.blur(shade, (3, 3) if rng.random() < .5 else (7, 7)).astype(np.float32) / 255
        canvas[:] = (canvas * (1 - dark * shade)[..., None]).astype(np.uint8)
    side, last = rng.uniform(.45, 1.05), rng.uniform(.75, 1.3)
    under = np.zeros(canvas.shape[:2], np.uint8)
    for i, s in enumerate(slices):
        points = seen(s, view)
        shine = last if i == len(slices) - 1 else side
        cv2.fillPoly(canvas, [points], np.clip(bgr * shine, 2, 255).tolist(), cv2.LINE_AA, 4)
        cv2.fillPoly(under, [points], 255, cv2.LINE_8, 4)
    if rng.random() < .35:  # sheen
        points = points / 16
        p = points[int(rng.integers(len(points)))] * .5 + points.mean(axis=0) * .5
        cv2.circle(canvas, np.int32(p).tolist(), int(rng.integers(1, 4)),
                   np.clip(bgr * 1.3 + 60, 0, 255).tolist(), -1, cv2.LINE_AA)
    return under
