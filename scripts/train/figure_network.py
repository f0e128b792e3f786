#!/usr/bin/python3
"""Trains the network that finds figures, and writes it for OpenCV's dnn.

    figure_network.py train  --out FOLDER [--steps 3000] [--painted FOLDER]
    figure_network.py export --out FOLDER

`train` makes boards from the tile pictures below --shared (and those that the
program tile_network_art wrote into --painted) and sets figures on them; no
photograph of a figure is seen (of the unlabelled photographs only spots of bare
table). FOLDER/state.pt is kept up to date; training goes on from it.
`export` measures made-up boards under another seed and writes
FOLDER/figure_network.onnx.

Needs python3-torch, python3-onnx, python3-opencv, python3-numpy. One thread trains
and one makes pictures.
"""

import argparse
import multiprocessing
import pathlib
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

import figure_scene
import tile_art
from figure_model import FigureNetwork
from tile_classes import Classes
from tile_model import weights

BATCH = 24
SEED = 30140
PEAK_RATE = 3e-3


def scene_maker(arguments, seed):
    classes = Classes(arguments.shared)
    art = tile_art.load(classes, arguments.shared, arguments.painted)
    return figure_scene.FigureScenes(classes, art, np.random.default_rng(seed), (),
                                     pathlib.Path(arguments.shared) / "photos/unlabelled")


def make_batches(arguments, seed, queue):
    cv2.setNumThreads(1)
    scenes = scene_maker(arguments, seed)
    while True:
        queue.put(scenes.batch(BATCH))


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
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    colours = len(figure_scene.COLOURS)
    network, average = FigureNetwork(colours), FigureNetwork(colours)
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=PEAK_RATE, weight_decay=0.02)
    step = 0
    state = out / "state.pt"
    if state.exists():
        saved = torch.load(state)
        network.load_state_dict(saved["network"])
        average.load_state_dict(saved["average"])
        optimiser.load_state_dict(saved["optimiser"])
        step = saved["step"]
    queue = multiprocessing.Queue(8)
    # A resumed run draws other pictures than an undisturbed one.
    maker = multiprocessing.Process(target=make_batches, args=(arguments, SEED + step, queue),
                                    daemon=True)
    maker.start()
    print(f"{weights(network)} weights", flush=True)
    started, shown = time.time(), []
    network.train()
    while step < arguments.steps:
        warm = min(1.0, (step + 1) / 150)
        fall = 0.5 * (1 + np.cos(np.pi * step / arguments.steps))
        for group in optimiser.param_groups:
            group["lr"] = PEAK_RATE * warm * (0.01 + 0.99 * fall)
        x, truth = (torch.from_numpy(b) for b in queue.get())
        outputs = network(x)
        loss = loss_of(outputs, truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        follow = 1 - min(0.995, (1 + step) / (10 + step))
        with torch.no_grad():
            for a, b in zip(average.state_dict().values(), network.state_dict().values()):
                if a.dtype.is_floating_point:
                    a.lerp_(b, follow)
                else:
                    a.copy_(b)
        shown.append((loss.item(), *agreement(outputs, truth)))
        if step % 50 == 0:
            mean = np.mean(shown[-50:], axis=0)
            print(f"step {step} loss {mean[0]:.4f} overlap {mean[1]:.3f} pose {mean[2]:.3f} "
                  f"colour {mean[3]:.3f} {time.time() - started:.0f} s", flush=True)
        if step % 100 == 0 or step == arguments.steps:
            torch.save({"network": network.state_dict(), "average": average.state_dict(),
                        "optimiser": optimiser.state_dict(), "step": step}, out / "state.new")
            (out / "state.new").replace(state)


@torch.no_grad()
def export(arguments):
    out = pathlib.Path(arguments.out)
    network = FigureNetwork(len(figure_scene.COLOURS))
    saved = torch.load(out / "state.pt")
    network.load_state_dict(saved["average"])
    network.eval()
    scenes = scene_maker(arguments, SEED + 999_999)
    figures = [agreement(network(torch.from_numpy(x)), torch.from_numpy(truth))
               for x, truth in (scenes.batch(BATCH) for _ in range(20))]
    overlap, pose, colour = np.mean(figures, axis=0)
    print(f"step {saved['step']}, {20 * BATCH} boards of another seed: overlap {overlap:.3f}, "
          f"of figures' pixels pose {pose:.3f}, colour {colour:.3f}")
    side = figure_scene.PICTURE
    torch.onnx.export(network, torch.zeros(1, 3, side, side), str(out / "figure_network.onnx"),
                      input_names=["board"], output_names=["figures"], opset_version=11,
                      dynamic_axes={"board": {2: "h", 3: "w"}, "figures": {2: "h2", 3: "w2"}})
    print(f"{weights(network)} weights, {(out / 'figure_network.onnx').stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve()
    parser.add_argument("what", choices=["train", "export"])
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--shared", default=str(here.parents[3] / "shared"))
    parser.add_argument("--painted", help="pictures that tile_network_art wrote")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    {"train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
