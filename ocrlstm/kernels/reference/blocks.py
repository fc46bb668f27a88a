"""Blocks of pixels of one image in plain NumPy: repeated, summed, or exchanged for channels."""

from __future__ import annotations

import numpy as np

__all__ = ["blocks_to_channels", "channels_to_blocks", "repeat_blocks", "sum_blocks"]

Pair = tuple[int, int]


def repeat_blocks(x: np.ndarray, factor: Pair, scale: float) -> np.ndarray:
    """Return an image with a block of equal pixels for every pixel of `x` (H, W, C)."""
    return scale * x.repeat(factor[0], axis=0).repeat(factor[1], axis=1)


def sum_blocks(x: np.ndarray, factor: Pair, scale: float) -> np.ndarray:
    """Return an image with the sum of every whole block of `x` (H, W, C) as its pixel."""
    return scale * _whole_blocks(x, factor).sum(axis=(1, 3))


def channels_to_blocks(x: np.ndarray, factor: Pair) -> np.ndarray:
    """Return an image with every pixel's channels of `x` (H, W, C * fy * fx) laid out as a block.

    Shi et al., *Real-time single image and video super-resolution using an efficient sub-pixel
    convolutional neural network*, CVPR 2016; with the channels in the order that PyTorch has.
    """
    height, width = x.shape[:2]
    parts = x.reshape(height, width, -1, *factor).transpose(0, 3, 1, 4, 2)
    return parts.reshape(height * factor[0], width * factor[1], -1)


def blocks_to_channels(x: np.ndarray, factor: Pair) -> np.ndarray:
    """Return an image with every whole block of `x` (H, W, C) as the channels of one pixel."""
    parts = _whole_blocks(x, factor).transpose(0, 2, 4, 1, 3)
    return parts.reshape(*parts.shape[:2], -1)


def _whole_blocks(x: np.ndarray, factor: Pair) -> np.ndarray:
    """Return the blocks that `x` fills, in shape (rows, fy, columns, fx, C)."""
    rows, columns = x.shape[0] // factor[0], x.shape[1] // factor[1]
    whole = x[: rows * factor[0], : columns * factor[1]]
    return whole.reshape(rows, factor[0], columns, factor[1], x.shape[2])
