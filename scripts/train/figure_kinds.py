#!/usr/bin/python3
"""Trains the network that tells kinds and poses of figures, and writes it for OpenCV's dnn.

    figure_kinds.py train  --looks FILE... --check FILE... --out FOLDER [--steps 2000]
    figure_kinds.py train  --start vision/models --looks FILE... --check FILE... --out FOLDER
    figure_kinds.py export --check FILE... --out FOLDER

A file of looks is what the program figure_kind_looks or the script figure_looks.py writes. `train`
keeps FOLDER/state.pt up to date, and goes on from it; with --start it takes the kinds as they were
exported and trains the poses alone. `export` measures on the looks of --check, finds the
temperatures at which its probabilities are honest there, and writes
FOLDER/figure_kind_network.onnx.

Needs python3-torch, python3-onnx, python3-numpy.
"""

import argparse
import math
import pathlib
import time

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

SIDE = 80
CLASSES = ["follower", "abbot", "prophet", "ark", "gingerbread-man", "none"]
OWN_PAINT = {3, 4}
NO_POSE = 2
MIDDLE, CONTRAST = 0.4, 0.25  # as in vision/figures/figure_kind_network.cc
RECORD = np.dtype([("kind", "u1"), ("pose", "u1"), ("lean", "<f4"),
                   ("picture", "u1", (SIDE, SIDE, 3))])
BATCH = 64
SEED = 40414
PEAK_RATE = 3e-3


def load(paths):
    looks = np.concatenate([np.fromfile(path, dtype=RECORD) for path in paths])
    return (looks["kind"].astype(np.int64), looks["pose"].astype(np.int64), looks["lean"].copy(),
            looks["picture"].copy())


def layer(inputs, outputs, side, stride):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class Branch(nn.Module):
    def __init__(self, outputs):
        super().__init__()
        self.body = nn.Sequential(
            layer(4, 16, 5, 2), layer(16, 32, 3, 2), layer(32, 32, 3, 1),
            layer(32, 64, 3, 2), layer(64, 64, 3, 1), layer(64, 64, 3, 2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 25, outputs))

    def forward(self, looks):
        return self.head(self.body(looks))


class KindNetwork(nn.Module):
    """n x 4 x 80 x 80 (blue, green, red, lean) to n x (classes + 1); the last: it stands."""

    def __init__(self):
        super().__init__()
        self.kind, self.pose = Branch(len(CLASSES)), Branch(1)

    def forward(self, looks):
        return torch.cat([self.kind(looks), self.pose(looks)], 1)


def start_from(branch, folder):
    """The kinds' exported weights, in which the normalisations are folded."""
    exported = onnx.load(str(folder / "figure_kind_network.onnx")).graph
    values = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy())
              for i in exported.initializer}
    nodes = [n for n in exported.node if n.op_type in ("Conv", "Gemm")]
    nodes = nodes[:[n.op_type for n in nodes].index("Gemm") + 1]  # the kinds are the first
    with torch.no_grad():
        for (convolution, normalisation, _), node in zip(branch.body, nodes[:-1], strict=True):
            convolution.weight.copy_(values[node.input[1]])
            normalisation.weight.fill_(math.sqrt(1 + normalisation.eps))
            normalisation.bias.copy_(values[node.input[2]])
        branch.head[2].weight.copy_(values[nodes[-1].input[1]])
        branch.head[2].bias.copy_(values[nodes[-1].input[2]])
    branch.requires_grad_(False)


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


def tell(scores, kinds, poses):
    read = scores[:, :-1].argmax(1)
    for k, name in enumerate(CLASSES):
        of_kind = kinds == k
        counts = [int(((read == j) & of_kind).sum()) for j in range(len(CLASSES))]
        print(f"  {name:16s} {counts[k]:5d} of {int(of_kind.sum()):5d}  {counts}")
    for pose, name in enumerate(["lying", "standing"]):
        of_pose = poses == pose
        right = int((((scores[:, -1] > 0) == bool(pose)) & of_pose).sum())
        print(f"  {name:16s} {right:5d} of {int(of_pose.sum()):5d}")


def tensors(paths):
    return tuple(torch.from_numpy(values) for values in load(paths))


def pose_loss(scores, poses):
    posed = poses < NO_POSE
    return functional.binary_cross_entropy_with_logits(scores[posed], poses[posed].float())


def train(arguments):
    torch.manual_seed(SEED)
    chance = torch.Generator().manual_seed(SEED)
    kinds, poses, leans, pictures = tensors(arguments.looks)
    check = tensors(arguments.check)
    counts = torch.bincount(kinds, minlength=len(CLASSES)).float()
    print("looks", counts.int().tolist(), "lying, standing", torch.bincount(poses)[:2].tolist())
    network = KindNetwork()
    if (arguments.out / "state.pt").exists():
        network.load_state_dict(torch.load(arguments.out / "state.pt"))
    if arguments.start:
        start_from(network.kind, arguments.start)
        # As many of each pose.
        odds = (1 / torch.bincount(poses, minlength=NO_POSE + 1).float())[poses] * (poses < NO_POSE)
    else:
        # Rare kinds are shown more often, but not as often as followers.
        odds = (1 / counts.clamp(min=1).sqrt())[kinds]
    steps = arguments.steps
    learnt = [p for p in network.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learnt, arguments.rate, weight_decay=0.02)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, arguments.rate, total_steps=steps + 1)
    begin, running = time.time(), 0.0
    for step in range(steps):
        network.train()
        if arguments.start:
            network.kind.eval()
        some = torch.multinomial(odds, BATCH, generator=chance)
        scores = network(disturbed(pictures[some], leans[some], kinds[some], chance))
        loss = pose_loss(scores[:, -1], poses[some])
        if not arguments.start:
            loss = loss + functional.cross_entropy(scores[:, :-1], kinds[some],
                                                   label_smoothing=0.02)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
        running = loss.item() if step == 0 else 0.98 * running + 0.02 * loss.item()
        if step % 250 == 249 or step == steps - 1:
            scores = answers(network, check[0], *check[2:])
            right = (scores[:, :-1].argmax(1) == check[0]).float().mean()
            posed = check[1] < NO_POSE
            stand = ((scores[:, -1] > 0).long() == check[1])[posed].float().mean()
            print(f"step {step + 1} of {steps} loss {running:.3f} check kinds {right:.4f} "
                  f"poses {stand:.4f} {time.time() - begin:.0f} s", flush=True)
            torch.save(network.state_dict(), arguments.out / "state.pt")
    tell(answers(network, check[0], *check[2:]), check[0], check[1])


def cool(layer, name, loss_at):
    """Divides a layer's answers by the temperature at which the loss is least."""
    heats = [0.5 * 1.05**i for i in range(60)]
    losses = [loss_at(heat) for heat in heats]
    best = int(np.argmin(losses))
    print(f"{name}: temperature {heats[best]:.2f}, loss {losses[best]:.4f}, at 1 {loss_at(1):.4f}")
    with torch.no_grad():
        layer.weight /= heats[best]
        layer.bias /= heats[best]


def export(arguments):
    network = KindNetwork()
    network.load_state_dict(torch.load(arguments.out / "state.pt"))
    kinds, poses, leans, pictures = tensors(arguments.check)
    scores = answers(network, kinds, leans, pictures)
    tell(scores, kinds, poses)
    if not arguments.start:
        cool(network.kind.head[2], "kinds",
             lambda heat: functional.cross_entropy(scores[:, :-1] / heat, kinds).item())
    cool(network.pose.head[2], "poses", lambda heat: pose_loss(scores[:, -1] / heat, poses).item())
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
    parser.add_argument("--start", type=pathlib.Path, metavar="FOLDER",
                        help="folder of exported weights, whose kinds stay")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=PEAK_RATE)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    {"train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
