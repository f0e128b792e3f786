#!/usr/bin/python3
"""Trains the network that names tiles, and writes it for OpenCV's dnn.

    tile_network.py train  --out FOLDER [--steps 5000] [--painted FOLDER] [--without c3]
    tile_network.py export --out FOLDER

`train` reads the tile pictures below --shared (and those that the program
tile_network_art wrote into --painted), never a photographed board (of the
unlabelled photographs only spots of bare table), and keeps FOLDER/state.pt up to
date, from which it goes on when it is started again.
`export` fits the temperature on development patches (photographed single tiles
of c1-closeups in made-up tables, and tiles of the training art under another
seed) and writes FOLDER/tile_network.onnx and FOLDER/tile_network.json.

Needs python3-torch, python3-onnx, python3-opencv, python3-numpy. One thread; on
one core that is not disturbed 1,000 steps take about ten minutes.
"""

import argparse
import json
import pathlib
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

import tile_art
import tile_scene
from tile_classes import EDGE_LETTERS, FLAGS, GARDENS, Classes
from tile_model import TileNetwork, weights

BATCH = 96
SEED = 20140
PEAK_RATE = 3e-3


def scene_maker(arguments, classes, seed, art=None):
    art = art or tile_art.load(classes, arguments.shared, arguments.painted, arguments.without)
    backs = []
    if arguments.painted:
        for path in sorted(pathlib.Path(arguments.painted).glob("back-*.png")):
            backs.append(cv2.resize(cv2.imread(str(path)), (tile_art.SIDE, tile_art.SIDE),
                                    interpolation=cv2.INTER_AREA))
    return tile_scene.SceneMaker(classes, art, np.random.default_rng(seed), backs,
                                 pathlib.Path(arguments.shared) / "photos/unlabelled")


def loss_of(outputs, n, kind, edges, flags):
    """Cross entropy of the class, and of the structure where there is a tile."""
    loss = functional.cross_entropy(outputs[:, :n], kind)
    tile = kind != n - 1
    o = outputs[tile]
    edge_loss = functional.cross_entropy(o[:, n:n + 16].reshape(-1, 4), edges[tile].reshape(-1))
    flag_loss = functional.binary_cross_entropy_with_logits(o[:, n + 16:], flags[tile])
    return loss + 0.6 * edge_loss + 0.6 * flag_loss


def tensors(batch):
    return [torch.from_numpy(np.ascontiguousarray(b)) for b in batch]


def train(arguments):
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    classes = Classes(arguments.shared)
    torch.manual_seed(SEED)
    network = TileNetwork(classes.count)
    average = TileNetwork(classes.count)
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
    # A resumed run draws other patches than an undisturbed one.
    scenes = scene_maker(arguments, classes, SEED + step)
    print(f"{len(scenes.art)} pictures, {len(scenes.textures)} tables, {classes.count} classes, "
          f"{weights(network)} weights", flush=True)
    started, shown = time.time(), []
    network.train()
    while step < arguments.steps:
        done = step / arguments.steps
        warm = min(1.0, (step + 1) / 150)
        rate = PEAK_RATE * warm * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * done)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        x, kind, edges, flags = tensors(scenes.batch(BATCH))
        outputs = network(x)
        loss = loss_of(outputs, classes.count, kind, edges, flags)
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
        right = (outputs[:, :classes.count].argmax(1) == kind).float().mean()
        shown.append((loss.item(), right.item()))
        if step % 50 == 0:
            mean = np.mean(shown[-50:], axis=0)
            seconds = time.time() - started
            print(f"step {step} loss {mean[0]:.3f} right {mean[1]:.4f} {seconds:.0f} s", flush=True)
        if step % 250 == 0 or step == arguments.steps:
            torch.save({"network": network.state_dict(), "average": average.state_dict(),
                        "optimiser": optimiser.state_dict(), "step": step}, state)


def development(arguments, classes):
    """Two fixed sets of patches: photographed single tiles, and training art."""
    closeups = tile_art.load_closeups(classes, arguments.shared)
    scenes = scene_maker(arguments, classes, SEED + 999)
    beside = scene_maker(arguments, classes, SEED + 998, closeups)
    photographed = [beside.tile(a) for a in closeups for _ in range(24)]
    return {"c1-closeups": tile_scene.collate(photographed),
            "art, another seed": scenes.batch(2000)}


@torch.no_grad()
def outputs_of(network, x):
    return torch.cat([network(torch.from_numpy(x[i:i + 200])) for i in range(0, len(x), 200)])


def calibration_error(confidence, right, bins=15):
    error = 0.0
    for low in np.arange(bins) / bins:
        inside = (confidence > low) & (confidence <= low + 1 / bins)
        if inside.any():
            error += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())
    return error


def fit_temperature(what, scores, kinds):
    temperatures = np.exp(np.linspace(np.log(0.4), np.log(2.5), 80))
    losses = [functional.cross_entropy(scores / t, kinds).item() for t in temperatures]
    best = float(temperatures[int(np.argmin(losses))])
    for t in (1.0, best):
        confidence, named = torch.softmax(scores / t, 1).max(1)
        error = calibration_error(confidence.numpy(), (named == kinds).numpy())
        print(f"{what}, temperature {t:.3f}: calibration error {error:.4f}")
    return best


@torch.no_grad()
def export(arguments):
    out = pathlib.Path(arguments.out)
    classes = Classes(arguments.shared)
    network = TileNetwork(classes.count)
    saved = torch.load(out / "state.pt")
    network.load_state_dict(saved["average"])
    network.eval()
    n = classes.count
    turn_maps = [torch.tensor([classes.of(t, r + k) for t, r in classes.names] + [classes.none])
                 for k in range(4)]
    scores, turn_scores, kinds = [], [], []
    for name, (x, kind, edges, flags) in development(arguments, classes).items():
        o = outputs_of(network, x)
        # A patch turned k times shows class (t, r) as (t, r + k).
        logs = [torch.log_softmax(outputs_of(network, np.ascontiguousarray(
            np.rot90(x, -k, (2, 3))))[:, :n], 1)[:, turn_maps[k]] for k in range(4)]
        averaged = torch.stack(logs).mean(0)
        tile = torch.from_numpy(kind != classes.none)
        named = o[:, :n].argmax(1).numpy()
        seen = o[tile][:, n:n + 16].reshape(-1, 4, 4).argmax(2).numpy()
        said = (o[tile][:, n + 16:] > 0).numpy()
        print(f"{name}: {np.mean(named == kind):.4f} of {len(kind)} right, "
              f"{np.mean(averaged.argmax(1).numpy() == kind):.4f} with four turns; "
              f"edges {np.mean(seen == edges[tile.numpy()]):.4f}; "
              + ", ".join(f"{f} {np.mean(said[:, i] == (flags[tile.numpy()][:, i] > .5)):.4f}"
                          for i, f in enumerate(FLAGS)))
        scores.append(o[:, :n])
        turn_scores.append(averaged)
        kinds.append(torch.from_numpy(kind))
    kinds = torch.cat(kinds)
    temperature = fit_temperature("one look", torch.cat(scores), kinds)
    turns_temperature = fit_temperature("four turns", torch.cat(turn_scores), kinds)
    torch.onnx.export(network, torch.zeros(1, 3, 64, 64), str(out / "tile_network.onnx"),
                      input_names=["patches"], output_names=["scores"], opset_version=11,
                      dynamic_axes={"patches": {0: "n"}, "scores": {0: "n"}})
    card = {"format": "tilewarden.tile-network/1", "patch_px": tile_scene.PATCH,
            "margin": tile_scene.MARGIN, "temperature": round(temperature, 4),
            "turns_temperature": round(turns_temperature, 4),
            "steps": saved["step"], "edges": EDGE_LETTERS, "flags": FLAGS, "gardens": GARDENS,
            "periods": classes.period, "classes": [list(name) for name in classes.names]}
    (out / "tile_network.json").write_text(json.dumps(card) + "\n")
    print(f"{weights(network)} weights, {(out / 'tile_network.onnx').stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve()
    parser.add_argument("what", choices=["train", "export"])
    parser.add_argument("--out", required=True, help="folder of the run")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--shared", default=str(here.parents[3] / "shared"))
    parser.add_argument("--painted", help="pictures that tile_network_art wrote")
    parser.add_argument("--without", action="append", default=[], metavar="EDITION",
                        help="leave out the art of editions that start so (repeatable)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    {"train": train, "export": export}[arguments.what](arguments)


if __name__ == "__main__":
    main()
