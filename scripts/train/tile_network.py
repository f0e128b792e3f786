#!/usr/bin/python3
"""Trains the network that names tiles, and writes it for OpenCV's dnn.

    tile_network.py train  --out FOLDER [--steps 5000] [--painted FOLDER] [--without c3]
    tile_network.py train  --out FOLDER --start vision/models --steps 800 --painted FOLDER
    tile_network.py export --out FOLDER

`train` reads the tile pictures below --shared (and those that the program
tile_network_art wrote into --painted), and of the unlabelled photographs spots of
bare table and the tiles that photographed_tiles.csv lists. It keeps FOLDER/state.pt
up to date, from which it goes on when it is started again. With `--start` it begins
with exported weights and learns the last block and layers alone: for a class more.
`export` fits the temperature on development patches (photographed single tiles
of c1-closeups in made-up tables, and tiles of the training art under another
seed) and writes FOLDER/tile_network.onnx and FOLDER/tile_network.json.

Needs python3-torch, python3-onnx, python3-opencv, python3-numpy. On two cores that
are not disturbed 1,000 steps take about eight minutes.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch.nn import functional

import tile_art
import tile_scene
import training
from tile_classes import EDGE_LETTERS, FLAGS, GARDENS, Classes
from tile_model import TileNetwork, weights

BATCH = 96
SEED = 20140
PEAK_RATE = 3e-3
LATE_RATE = 1e-3  # of a network that goes on from exported weights


def scene_maker(arguments, classes, seed, art=None):
    art = art or tile_art.load(classes, arguments.shared, arguments.painted, arguments.without)
    backs = []
    if arguments.painted:
        for path in sorted(pathlib.Path(arguments.painted).glob("back-*.png")):
            backs.append(cv2.resize(cv2.imread(str(path)), (tile_art.SIDE, tile_art.SIDE),
                                    interpolation=cv2.INTER_AREA))
    return tile_scene.SceneMaker(classes, art, np.random.default_rng(seed), backs,
                                 pathlib.Path(arguments.shared) / "photos/unlabelled")


def loss_of(classes):
    """Cross entropy of the class, and of the structure where it is known."""
    n = classes.count

    def loss(outputs, truth):
        kind, edges, flags = truth[:, 0].long(), truth[:, 1:5].long(), truth[:, 5:]
        named = functional.cross_entropy(outputs[:, :n], kind)
        known = (kind != classes.none) & (kind != classes.other)
        o = outputs[known]
        edge = functional.cross_entropy(o[:, n:n + 16].reshape(-1, 4), edges[known].reshape(-1))
        flag = functional.binary_cross_entropy_with_logits(o[:, n + 16:], flags[known])
        return named + 0.6 * edge + 0.6 * flag
    return loss


def train(arguments):
    classes = Classes(arguments.shared)
    torch.manual_seed(SEED)
    folded = arguments.start is not None
    network = TileNetwork(classes.count, folded)
    average = TileNetwork(classes.count, folded)
    if folded:
        start_from(network, classes, pathlib.Path(arguments.start))
    print(f"{classes.count} classes, {weights(network)} weights", flush=True)

    def batches(seed):
        cv2.setNumThreads(1)
        scenes = scene_maker(arguments, classes, seed)
        while True:
            x, kind, edges, flags = scenes.batch(BATCH)
            yield x, np.concatenate([kind[:, None], edges, flags], 1).astype(np.float32)

    def agreement(outputs, truth):
        return ((outputs[:, :classes.count].argmax(1) == truth[:, 0]).float().mean().item(),)

    training.train(pathlib.Path(arguments.out), network, average, arguments.steps, SEED,
                   LATE_RATE if folded else PEAK_RATE, batches, loss_of(classes), agreement, ["right"])


def start_from(network, classes, folder):
    """The exported weights of a network that may have known fewer classes. Its first blocks stay."""
    exported = onnx.load(str(folder / "tile_network.onnx")).graph
    values = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy())
              for i in exported.initializer}
    nodes = [n for n in exported.node if n.op_type == "Conv"]
    layers = [m for m in network.body.modules() if isinstance(m, torch.nn.Conv2d)]
    with torch.no_grad():
        for layer, node in zip(layers, nodes, strict=True):
            layer.weight.copy_(values[node.input[1]])
            layer.bias.copy_(values[node.input[2]])
        network.mix[1].weight.copy_(values["mix.1.weight"])
        network.mix[1].bias.copy_(values["mix.1.bias"])
        known = [tuple(name) for name in
                 json.loads((folder / "tile_network.json").read_text())["classes"]]
        old = {name: i for i, name in enumerate(known)}
        n = len(known)
        rows = [old.get(name, n) for name in classes.names] + [n] + list(range(n + 1, n + 21))
        network.heads.weight.copy_(values["heads.weight"][rows])
        network.heads.bias.copy_(values["heads.bias"][rows])
        # What is new begins as unlikely as the rarest.
        for i, name in enumerate(classes.names):
            if name not in old:
                network.heads.bias[i] -= 3
    network.body[:5].requires_grad_(False)


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
    saved = torch.load(out / "state.pt")
    folded = not any(name.endswith("running_mean") for name in saved["average"])
    network = TileNetwork(classes.count, folded)
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
        tile = torch.from_numpy((kind != classes.none) & (kind != classes.other))
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
    parser.add_argument("--start", metavar="FOLDER", help="folder of exported weights")
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
