#!/usr/bin/python3
"""Trains the network that finds tiles, and writes it for OpenCV's dnn.

    finder_network.py train  --out FOLDER [--steps 2600] [--painted FOLDER]
    finder_network.py export --out FOLDER [--painted FOLDER]

`train` lays boards from the tile pictures below --shared (and those that the program
tile_network_art wrote into --painted) on made-up tables; of photographs it sees spots
of bare table alone. FOLDER/state.pt is kept up to date; training goes on from it.
`export` measures boards under another seed and writes FOLDER/finder_network.onnx.

Needs python3-torch, python3-onnx, python3-opencv, python3-numpy. One thread trains
and one makes pictures.
"""

import argparse
import pathlib

import cv2
import numpy as np
import torch
from torch.nn import functional

import finder_scene
import tile_art
import training
from finder_model import FinderNetwork
from tile_classes import Classes
from tile_model import weights

BATCH = 12
SEED = 50140
PEAK_RATE = 3e-3


def scene_maker(arguments, seed):
    classes = Classes(arguments.shared)
    art = tile_art.load(classes, arguments.shared, arguments.painted)
    backs = [cv2.resize(cv2.imread(str(path)), (tile_art.SIDE, tile_art.SIDE),
                        interpolation=cv2.INTER_AREA)
             for path in sorted(pathlib.Path(arguments.painted or "/").glob("back-*.png"))]
    return finder_scene.FinderScenes(classes, art, np.random.default_rng(seed), backs,
                                     pathlib.Path(arguments.shared) / "photos/unlabelled")


def loss_of(outputs, truth):
    """Whether a tile lies there, and where there is one, how: middles count in tiles."""
    inside, weight = truth[:, 0], truth[:, 8]
    loss = functional.binary_cross_entropy_with_logits(outputs[:, 0], inside, weight)
    on = weight * inside
    count = on.sum() + 1
    # The root of the shape's determinant: the tile's side.
    side = torch.exp((truth[:, 3] + truth[:, 5]) / 4) * finder_scene.SHAPE / finder_scene.REACH
    way = functional.smooth_l1_loss(outputs[:, 1:3], truth[:, 1:3], reduction="none", beta=.05).sum(1)
    shape = (outputs[:, 3:6] - truth[:, 3:6]).abs().sum(1)
    turn = ((outputs[:, 6:8] - truth[:, 6:8]) ** 2).sum(1)
    return loss + ((2 * way / side + .3 * shape + .3 * turn) * on).sum() / count


def agreement(outputs, truth):
    """Pixels in both over pixels in either; how far off middles and turns are, in tiles and degrees."""
    counts = truth[:, 8] > 0
    inside, said = (truth[:, 0] > 0) & counts, (outputs[:, 0] > 0) & counts
    if not inside.any():
        return 1.0, 0.0, 0.0
    side = torch.exp((truth[:, 3] + truth[:, 5]) / 4) * finder_scene.SHAPE / finder_scene.REACH
    off = ((outputs[:, 1:3] - truth[:, 1:3]).norm(dim=1) / side)[inside].mean().item()
    turn = torch.atan2(outputs[:, 7], outputs[:, 6]) - torch.atan2(truth[:, 7], truth[:, 6])
    turn = torch.atan2(torch.sin(turn), torch.cos(turn)).abs()[inside].mean().item()
    return ((said & inside).sum().item() / (said | inside).sum().item(), off, np.degrees(turn) / 4)


def train(arguments):
    def batches(seed):
        cv2.setNumThreads(1)
        scenes = scene_maker(arguments, seed)
        while True:
            yield scenes.batch(BATCH)

    torch.manual_seed(SEED)
    print(f"{weights(FinderNetwork())} weights", flush=True)
    training.train(pathlib.Path(arguments.out), FinderNetwork(), FinderNetwork(), arguments.steps,
                   SEED, PEAK_RATE, batches, loss_of, agreement, ("overlap", "off", "turn"))


@torch.no_grad()
def export(arguments):
    out = pathlib.Path(arguments.out)
    network = FinderNetwork()
    saved = torch.load(out / "state.pt")
    network.load_state_dict(saved["average"])
    network.eval()
    scenes = scene_maker(arguments, SEED + 999_999)
    told = [agreement(network(torch.from_numpy(x)), torch.from_numpy(truth))
            for x, truth in (scenes.batch(BATCH) for _ in range(20))]
    overlap, off, turn = np.mean(told, axis=0)
    print(f"step {saved['step']}, {20 * BATCH} tables of another seed: overlap {overlap:.3f}, middles "
          f"off by {off:.3f} tiles, turns by {turn:.1f} degrees")
    side = finder_scene.PICTURE
    torch.onnx.export(network, torch.zeros(1, 3, side, side), str(out / "finder_network.onnx"),
                      input_names=["picture"], output_names=["tiles"], opset_version=11,
                      dynamic_axes={"picture": {2: "h", 3: "w"}, "tiles": {2: "h4", 3: "w4"}})
    print(f"{weights(network)} weights, {(out / 'finder_network.onnx').stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve()
    parser.add_argument("what", choices=["train", "export"])
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--steps", type=int, default=2600)
    parser.add_argument("--shared", default=str(here.parents[3] / "shared"))
    parser.add_argument("--painted", help="pictures that tile_network_art wrote")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    {"train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
