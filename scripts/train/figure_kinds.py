#!/usr/bin/python3
"""Trains the network that tells kinds of figures, and writes it for OpenCV's dnn.

    figure_kinds.py train  --looks FILE... --check FILE... --out FOLDER [--steps 2000]
    figure_kinds.py export --check FILE... --out FOLDER

A file of looks is what the program figure_kind_looks writes. `train` keeps
FOLDER/state.pt up to date, and goes on from it; `export` measures on the looks of --check, finds the temperature at
which its probabilities are honest there, and writes FOLDER/figure_kind_network.onnx.

Needs python3-torch, python3-onnx, python3-numpy.
"""

import argparse
import math
import pathlib
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

SIDE = 80
CLASSES = ["follower", "abbot", "prophet", "ark", "gingerbread-man", "none"]
OWN_PAINT = {3, 4}
MIDDLE, CONTRAST = 0.4, 0.25  # as in vision/figures/figure_kind_network.cc
BATCH = 64
SEED = 40414
PEAK_RATE = 3e-3


def load(paths):
    record = np.dtype([("kind", "u1"), ("lean", "<f4"), ("picture", "u1", (SIDE, SIDE, 3))])
    looks = np.concatenate([np.fromfile(path, dtype=record) for path in paths])
    return looks["kind"].astype(np.int64), looks["lean"].copy(), looks["picture"].copy()


def layer(inputs, outputs, side, stride):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class KindNetwork(nn.Module):
    """n x 4 x 80 x 80 (blue, green, red, lean) to n x classes."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            layer(4, 16, 5, 2), layer(16, 32, 3, 2), layer(32, 32, 3, 1),
            layer(32, 64, 3, 2), layer(64, 64, 3, 1), layer(64, 64, 3, 2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 25, len(CLASSES)))

    def forward(self, looks):
        return self.head(self.body(looks))


def blob(pictures, leans):
    colours = pictures.float().permute(0, 3, 1, 2) / 255
    colours = (colours - MIDDLE) / CONTRAST
    plane = leans[:, None, None, None].expand(-1, 1, SIDE, SIDE)
    return torch.cat([colours, plane], 1)


def disturbed(pictures, leans, kinds, chance):
    """The same looks as they might be in another light, a little turned and moved."""
    n = len(kinds)
    uniform = lambda low, high, *shape: low + (high - low) * torch.rand(*shape, generator=chance)
    turn = uniform(-0.14, 0.14, n)
    size = uniform(0.98, 1.02, n)
    mirror = torch.where(torch.rand(n, generator=chance) < 0.5, -1.0, 1.0)
    shift = uniform(-0.09, 0.09, n, 2)
    c, s = torch.cos(turn) * size, torch.sin(turn) * size
    place = torch.stack([torch.stack([c * mirror, -s, shift[:, 0]], 1),
                         torch.stack([s * mirror, c, shift[:, 1]], 1)], 1)
    colours = pictures.float().permute(0, 3, 1, 2) / 255
    grid = functional.affine_grid(place, colours.shape, align_corners=False)
    colours = functional.grid_sample(colours, grid, padding_mode="border", align_corners=False)
    # Players' paints are any; those of the others are what they are.
    for i in range(n):
        if int(kinds[i]) not in OWN_PAINT and torch.rand(1, generator=chance) < 0.35:
            colours[i] = colours[i, torch.randperm(3, generator=chance)]
    colours = colours * uniform(0.85, 1.15, n, 3, 1, 1) * uniform(0.75, 1.25, n, 1, 1, 1)
    colours = colours.clamp(0, 1.2) ** uniform(0.8, 1.25, n, 1, 1, 1)
    soft = functional.avg_pool2d(colours, 3, 1, 1)
    mix = uniform(0, 1, n, 1, 1, 1) * (torch.rand(n, 1, 1, 1, generator=chance) < 0.4)
    colours = colours * (1 - mix) + soft * mix
    colours = colours + torch.randn(colours.shape, generator=chance) * uniform(0, 0.03, n, 1, 1, 1)
    colours = (colours.clamp(0, 1) - MIDDLE) / CONTRAST
    leans = leans * uniform(0.9, 1.1, n)
    return torch.cat([colours, leans[:, None, None, None].expand(-1, 1, SIDE, SIDE)], 1)


def answers(network, kinds, leans, pictures):
    network.eval()
    with torch.no_grad():
        return torch.cat([network(blob(pictures[i:i + 256], leans[i:i + 256]))
                          for i in range(0, len(kinds), 256)])


def tell(scores, kinds):
    read = scores.argmax(1)
    for k, name in enumerate(CLASSES):
        of_kind = kinds == k
        counts = [int(((read == j) & of_kind).sum()) for j in range(len(CLASSES))]
        print(f"  {name:16s} {counts[k]:5d} of {int(of_kind.sum()):5d}  {counts}")


def tensors(paths):
    kinds, leans, pictures = load(paths)
    return torch.from_numpy(kinds), torch.from_numpy(leans), torch.from_numpy(pictures)


def train(arguments):
    torch.manual_seed(SEED)
    chance = torch.Generator().manual_seed(SEED)
    kinds, leans, pictures = tensors(arguments.looks)
    check = tensors(arguments.check)
    counts = torch.bincount(kinds, minlength=len(CLASSES)).float()
    print("looks", counts.int().tolist(), "check", torch.bincount(check[0]).tolist())
    # Rare kinds are shown more often, but not as often as followers.
    odds = (1 / counts.clamp(min=1).sqrt())[kinds]
    network = KindNetwork()
    if (arguments.out / "state.pt").exists():
        network.load_state_dict(torch.load(arguments.out / "state.pt"))
    steps = arguments.steps
    optimizer = torch.optim.AdamW(network.parameters(), arguments.rate, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, arguments.rate, total_steps=steps + 1)
    begin, running = time.time(), 0.0
    for step in range(steps):
        network.train()
        some = torch.multinomial(odds, BATCH, generator=chance)
        looks = disturbed(pictures[some], leans[some], kinds[some], chance)
        loss = functional.cross_entropy(network(looks), kinds[some], label_smoothing=0.02)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
        running = loss.item() if step == 0 else 0.98 * running + 0.02 * loss.item()
        if step % 250 == 249 or step == steps - 1:
            scores = answers(network, *check)
            right = (scores.argmax(1) == check[0]).float().mean()
            print(f"step {step + 1} of {steps} loss {running:.3f} check {right:.4f} "
                  f"{time.time() - begin:.0f} s", flush=True)
            torch.save(network.state_dict(), arguments.out / "state.pt")
    tell(answers(network, *check), check[0])


def export(arguments):
    network = KindNetwork()
    network.load_state_dict(torch.load(arguments.out / "state.pt"))
    check = tensors(arguments.check)
    scores = answers(network, *check)
    tell(scores, check[0])
    heats = [0.5 * 1.05**i for i in range(60)]
    losses = [functional.cross_entropy(scores / heat, check[0]).item() for heat in heats]
    best = int(np.argmin(losses))
    print(f"temperature {heats[best]:.2f}, loss {losses[best]:.4f}, at 1 "
          f"{functional.cross_entropy(scores, check[0]).item():.4f}")
    last = network.head[2]
    with torch.no_grad():
        last.weight /= heats[best]
        last.bias /= heats[best]
    path = arguments.out / "figure_kind_network.onnx"
    torch.onnx.export(network, torch.zeros(1, 4, SIDE, SIDE), path, opset_version=11,
                      input_names=["looks"], output_names=["kinds"])
    print(path, math.ceil(path.stat().st_size / 1024), "KiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["train", "export"])
    parser.add_argument("--looks", nargs="+", default=[])
    parser.add_argument("--check", nargs="+", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=PEAK_RATE)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    {"train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
