"""The network that finds figures: fully convolutional, a board of any size in,
and for every other pixel whether a figure covers it, in which pose and colour."""

import torch
from torch import nn

from tile_model import Block, convolution


INPUTS = 6  # the picture as bright as it is in all channels, and each channel by itself


class FigureNetwork(nn.Module):
    """n x INPUTS x h x w to n x (2 + colours) x h/2 x w/2 raw values: that there is a figure,
    that it lies given that it is one, and a score for each colour. h and w are
    multiples of 8."""

    def __init__(self, colours):
        super().__init__()
        self.fine = nn.Sequential(convolution(INPUTS, 16, 5, 2), nn.ReLU())
        self.middle = Block(16, 32, 2)
        self.coarse = nn.Sequential(Block(32, 64, 2), Block(64, 64), Block(64, 64))
        self.to_middle = nn.Sequential(nn.ConvTranspose2d(64, 32, 2, 2), nn.ReLU())
        self.at_middle = Block(32, 32)
        self.to_fine = nn.Sequential(nn.ConvTranspose2d(32, 16, 2, 2), nn.ReLU())
        self.at_fine = nn.Sequential(convolution(16, 16, 3), nn.ReLU())
        self.heads = nn.Conv2d(16, 2 + colours, 1)

    def forward(self, x):
        fine = self.fine(x)
        middle = self.middle(fine)
        up = self.at_middle(self.to_middle(self.coarse(middle)) + middle)
        return self.heads(self.at_fine(self.to_fine(up) + fine))
