"""Patches of one row of a convolution: copies of the pixels that meet the kernel, and back.

Images are (H, W, C): the patch of one output pixel and one kernel row is one run of memory, unless
the kernel is dilated. Patches are made for one row of output at a time, so they stay in the cache.
"""

from __future__ import annotations

from ocrlstm.kernels.compiled import compiled

__all__ = ["add_patches", "fill_patches"]


@compiled
def fill_patches(  # type: ignore[no-untyped-def]
    x, row, width, kernel, stride, padding, dilation, columns, patches
):
    """Write the patches of output row `row` into `patches` (columns, kh * kw * C)."""
    height = x.shape[0]
    channels = x.shape[2]
    run = kernel[1] * channels
    zero = x.dtype.type(0)
    for ky in range(kernel[0]):
        y = row * stride[0] + ky * dilation[0] - padding[0]
        low = ky * run
        if y < 0 or y >= height:
            patches[:columns, low : low + run] = zero
            continue
        line = x[y].reshape(-1)
        for column in range(columns):
            left = column * stride[1] - padding[1]
            if dilation[1] == 1 and left >= 0 and left + kernel[1] <= width:
                begin = left * channels
                for j in range(run):
                    patches[column, low + j] = line[begin + j]
            else:
                for kx in range(kernel[1]):
                    place = left + kx * dilation[1]
                    inside = place >= 0 and place < width
                    for c in range(channels):
                        patches[column, low + kx * channels + c] = (
                            line[place * channels + c] if inside else zero
                        )


@compiled
def add_patches(  # type: ignore[no-untyped-def]
    patches, row, width, kernel, stride, padding, dilation, columns, dx
):
    """Add patch gradients back to the pixels they were copied from."""
    height = dx.shape[0]
    channels = dx.shape[2]
    run = kernel[1] * channels
    for ky in range(kernel[0]):
        y = row * stride[0] + ky * dilation[0] - padding[0]
        if y < 0 or y >= height:
            continue
        low = ky * run
        line = dx[y].reshape(-1)
        for column in range(columns):
            left = column * stride[1] - padding[1]
            if dilation[1] == 1 and left >= 0 and left + kernel[1] <= width:
                begin = left * channels
                for j in range(run):
                    line[begin + j] += patches[column, low + j]
            else:
                for kx in range(kernel[1]):
                    place = left + kx * dilation[1]
                    if place >= 0 and place < width:
                        for c in range(channels):
                            line[place * channels + c] += patches[column, low + kx * channels + c]
