"""The naming network: a small residual net with a head for the classes and one
for the structure (edges, flags)."""

import onnx
import torch
from onnx import numpy_helper
from torch import nn


def convolution(inputs, outputs, kernel, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.first = convolution(inputs, outputs, 3, stride)
        self.second = convolution(outputs, outputs, 3)
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else convolution(inputs, outputs, 1, stride)

    def forward(self, x):
        y = torch.relu(self.first(x))
        return torch.relu(self.second(y) + self.shortcut(x))


class TileNetwork(nn.Module):
    """Patches n x 3 x 64 x 64 to n x (classes + 16 + 4) raw values: the class
    scores, four scores (c r f s) for each edge n e s w, and a score per flag."""

    def __init__(self, classes):
        super().__init__()
        self.classes = classes
        self.body = nn.Sequential(
            convolution(3, 16, 5, 2), nn.ReLU(),
            Block(16, 24), Block(24, 48, 2), Block(48, 96, 2), Block(96, 128, 2),
            convolution(128, 48, 1), nn.ReLU(), nn.Flatten())
        self.mix = nn.Sequential(nn.Dropout(0.1), nn.Linear(48 * 16, 192), nn.ReLU())
        self.heads = nn.Linear(192, classes + 20)

    def forward(self, x):
        return self.heads(self.mix(self.body(x)))


@torch.no_grad()
def take_up(network, path, patches):
    """Gives a new network the weights that were exported to `path`, to train on from
    them. An export holds no normalisation apart: it is set so that on `patches` it
    changes nothing."""
    given = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy())
             for i in onnx.load(str(path)).graph.initializer}
    state = network.state_dict()
    for name in ("mix.1.weight", "mix.1.bias", "heads.weight", "heads.bias"):
        state[name].copy_(given[name])
    folded = iter([given[name] for name in sorted((n for n in given if n.startswith("onnx::Conv_")),
                                                  key=lambda n: int(n.rpartition("_")[2]))])

    def set_norm(norm, inputs):
        x = inputs[0]
        variance, mean = torch.var_mean(x, (0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.bias.copy_(mean + norm.offset)

    hooks = []
    for pair in network.modules():
        if isinstance(pair, nn.Sequential) and isinstance(pair[0], nn.Conv2d):
            if len(pair) > 1 and isinstance(pair[1], nn.BatchNorm2d):
                pair[0].weight.copy_(next(folded))
                pair[1].offset = next(folded)
                hooks.append(pair[1].register_forward_pre_hook(set_norm))
    network.eval()
    network(patches)
    network.train()
    for hook in hooks:
        hook.remove()


def weights(network):
    return sum(p.numel() for p in network.parameters())
