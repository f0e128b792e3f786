"""The naming network: a small residual net with a head for the classes and one
for the structure (edges, flags)."""

import torch
from torch import nn


def convolution(inputs, outputs, kernel, stride=1, folded=False):
    """With its normalisation, or folded into one, as exported."""
    if folded:
        return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2))
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride=1, folded=False):
        super().__init__()
        self.first = convolution(inputs, outputs, 3, stride, folded)
        self.second = convolution(outputs, outputs, 3, 1, folded)
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else convolution(inputs, outputs, 1, stride, folded)

    def forward(self, x):
        y = torch.relu(self.first(x))
        return torch.relu(self.second(y) + self.shortcut(x))


class TileNetwork(nn.Module):
    """Patches n x 3 x 64 x 64 to n x (classes + 16 + 4) raw values: the class
    scores, four scores (c r f s) for each edge n e s w, and a score per flag."""

    def __init__(self, classes, folded=False):
        super().__init__()
        self.classes = classes
        self.body = nn.Sequential(
            convolution(3, 16, 5, 2, folded), nn.ReLU(),
            Block(16, 24, 1, folded), Block(24, 48, 2, folded), Block(48, 96, 2, folded),
            Block(96, 128, 2, folded),
            convolution(128, 48, 1, 1, folded), nn.ReLU(), nn.Flatten())
        self.mix = nn.Sequential(nn.Dropout(0.1), nn.Linear(48 * 16, 192), nn.ReLU())
        self.heads = nn.Linear(192, classes + 20)

    def forward(self, x):
        return self.heads(self.mix(self.body(x)))


def weights(network):
    return sum(p.numel() for p in network.parameters())
