#!/usr/bin/python3
"""Trains the network that finds figures, and writes it for OpenCV's dnn.

    figure_network.py train  --out FOLDER [--steps 4600] [--painted FOLDER] [--makers 1]
    figure_network.py export --out FOLDER

`train` makes boards from the tile pictures below --shared (and those that the
program tile_network_art wrote into --painted) and sets figures on them; no
photograph of a figure is seen (of the unlabelled photographs only spots of bare
table). FOLDER/state.pt is kept up to date; training goes on from it.
`export` measures made-up boards under another seed and writes
FOLDER/figure_network.onnx.

Needs python3-torch, python3-onnx, python3-opencv, python3-numpy. One thread trains, on a GPU
where there is one, and each maker makes pictures.
"""

import argparse
import pathlib

import cv2
import numpy as np
import torch
from torch.nn import functional

import figure_scene
import tile_art
import training
from figure_model import INPUTS, FigureNetwork
from tile_classes import Classes
from tile_model import weights

BATCH = 48
SEED = 30140
PEAK_RATE = 3e-3


def scene_maker(arguments, seed):
    classes = Classes(arguments.shared)
    art = tile_art.load(classes, arguments.shared, arguments.painted)
    return figure_scene.FigureScenes(classes, art, np.random.default_rng(seed), (),
                                     pathlib.Path(arguments.shared) / "photos/unlabelled")


def parts(truth):
    """Whether there is a figure, whether it lies, and its colour (0 where there is none)."""
    figure = truth > figure_scene.NONE
    code = (truth - 1).clamp(min=0)
    return figure, (code % 2 == 1) & figure, code // 2


def loss_of(outputs, truth):
    """Cross entropy of each pixel; of pose and colour only where a figure is."""
    figure, lying, colour = parts(truth)
    weight = torch.where(figure, 3.0, 1.0)  # few pixels are figures
    loss = functional.binary_cross_entropy_with_logits(outputs[:, 0], figure.float(), weight)
    pose = functional.binary_cross_entropy_with_logits(outputs[:, 1], lying.float(),
                                                       reduction="none")
    paint = functional.cross_entropy(outputs[:, 2:], colour, reduction="none")
    return loss + 0.1 * ((pose + paint) * figure).sum() / (figure.sum() + 1)


def agreement(outputs, truth):
    """Pixels in both over pixels in either; of figures' pixels the share whose pose is right,
    and the share whose colour is."""
    figure, lying, colour = parts(truth)
    said = outputs[:, 0] > 0
    if not figure.any():
        return float(not said.any()), 1.0, 1.0
    return ((said & figure).sum().item() / (said | figure).sum().item(),
            ((outputs[:, 1] > 0) == lying)[figure].float().mean().item(),
            (outputs[:, 2:].argmax(1) == colour)[figure].float().mean().item())


def train(arguments):
    def batches(seed):
        cv2.setNumThreads(1)
        scenes = scene_maker(arguments, seed)
        while True:
            yield scenes.batch(BATCH)

    torch.manual_seed(SEED)
    colours = len(figure_scene.COLOURS)
    print(f"{weights(FigureNetwork(colours))} weights", flush=True)
    training.train(pathlib.Path(arguments.out), FigureNetwork(colours), FigureNetwork(colours),
                   arguments.steps, SEED, PEAK_RATE, batches, loss_of, agreement,
                   ("overlap", "pose", "colour"), arguments.makers, memory=0.998)


@torch.no_grad()
def export(arguments):
    out = pathlib.Path(arguments.out)
    network = FigureNetwork(len(figure_scene.COLOURS))
    saved = torch.load(out / "state.pt", map_location="cpu")
    network.load_state_dict(saved["average"])
    network.eval()
    scenes = scene_maker(arguments, SEED + 999_999)
    figures = [agreement(network(torch.from_numpy(x)), torch.from_numpy(truth))
               for x, truth in (scenes.batch(BATCH) for _ in range(20))]
    overlap, pose, colour = np.mean(figures, axis=0)
    print(f"step {saved['step']}, {20 * BATCH} boards of another seed: overlap {overlap:.3f}, "
          f"of figures' pixels pose {pose:.3f}, colour {colour:.3f}")
    side = figure_scene.PICTURE
    torch.onnx.export(network, torch.zeros(1, INPUTS, side, side), str(out / "figure_network.onnx"),
                      input_names=["board"], output_names=["figures"], opset_version=11,
                      dynamic_axes={"board": {2: "h", 3: "w"}, "figures": {2: "h2", 3: "w2"}})
    print(f"{weights(network)} weights, {(out / 'figure_network.onnx').stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve()
    parser.add_argument("what", choices=["train", "export"])
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--steps", type=int, default=4600)
    parser.add_argument("--makers", type=int, default=1, help="processes that make pictures")
    parser.add_argument("--shared", default=str(here.parents[3] / "shared"))
    parser.add_argument("--painted", help="pictures that tile_network_art wrote")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    {"train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
