"""The network that finds tiles: fully convolutional, a whole picture in, and for
every fourth pixel whether a tile lies there, where its middle is and how it lies."""

import torch
from torch import nn

from tile_model import Block, convolution

# What it says of a place: inside a tile; the way to its middle (x, y, in REACH); the
# logarithm of its shape (xx, xy, yy); its turn four times over (cosine, sine).
OUTPUTS = 8


class FinderNetwork(nn.Module):
    """n x 3 x h x w to n x 8 x h/4 x w/4 raw values. h and w are multiples of 16."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(convolution(3, 16, 5, 2), nn.ReLU())
        self.fine = Block(16, 24, 2)
        self.middle = Block(24, 48, 2)
        self.coarse = nn.Sequential(Block(48, 96, 2), Block(96, 96))
        self.to_middle = nn.Sequential(nn.ConvTranspose2d(96, 48, 2, 2), nn.ReLU())
        self.at_middle = Block(48, 48)
        self.to_fine = nn.Sequential(nn.ConvTranspose2d(48, 24, 2, 2), nn.ReLU())
        self.at_fine = nn.Sequential(convolution(24, 24, 3), nn.ReLU())
        self.heads = nn.Conv2d(24, OUTPUTS, 1)

    def forward(self, x):
        fine = self.fine(self.stem(x))
        middle = self.middle(fine)
        up = self.at_middle(self.to_middle(self.coarse(middle)) + middle)
        return self.heads(self.at_fine(self.to_fine(up) + fine))
