"""The same networks in PyTorch, built from the same specs: what ours are compared with."""

import re
from collections.abc import Callable

import torch
from torch import nn

from measuring.subjects import CLASSES, INFERENCE, LEARNING_RATE, TRAINING, Batch

LAYOUTS = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}


class ChannelDropout(nn.Module):
    """Drops whole features of the lines of sequences (T, N, F)."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        ones = torch.ones((1, *x.shape[1:]), dtype=x.dtype)
        return x * nn.functional.dropout(ones, self.probability)


class Recurrent(nn.Module):
    """The outputs of a bidirectional LSTM, without its states."""

    def __init__(self, features: int, states: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(features, states, bidirectional=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lstm(x)[0]


class TorchNetwork(nn.Module):
    """A network of a VGSL spec with the tokens C, Mp, Do, S1(1x0)1,3, Lbx and O1c.

    Images (N, 1, H, W) in, log posteriors (T, N, C) out. Images and kernels are held in the
    layout, one of `LAYOUTS`.
    """

    def __init__(self, spec: str, layout: str = "contiguous", classes: int = CLASSES) -> None:
        super().__init__()
        size, *tokens = spec.strip("[]").split()
        _, self.height, _, channels = map(int, size.split(","))
        images: list[nn.Module] = []
        height = self.height
        while tokens and not tokens[0].startswith(("S", "L", "O")):
            layer, height, channels = _image_layer(tokens.pop(0), height, channels)
            images += layer
        if tokens[0].startswith("S"):
            tokens.pop(0)
        features = height * channels
        sequences: list[nn.Module] = []
        for token in tokens:
            layer, features = _sequence_layer(token, features, classes)
            sequences.append(layer)
        self.images, self.sequences = nn.Sequential(*images), nn.Sequential(*sequences)
        self.layout = layout
        self.to(memory_format=LAYOUTS[layout])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.images(x)
        # Features in the order in which they lie in memory, so that the copy is quickest.
        x = x.permute(3, 0, 2, 1) if self.layout == "channels_last" else x.permute(3, 0, 1, 2)
        return self.sequences(x.flatten(2)).log_softmax(2)

    def weight_count(self) -> int:
        """Return the number of weights; the second bias that PyTorch gives a gate is left out."""
        return sum(w.numel() for name, w in self.named_parameters() if "bias_hh" not in name)


def _image_layer(token: str, height: int, channels: int) -> tuple[list[nn.Module], int, int]:
    """Return the modules of a token, and height and channels behind it."""
    if token.startswith("Do"):
        probability, dimensions = _dropout(token)
        dropout = nn.Dropout2d if dimensions == 2 else nn.Dropout
        return [dropout(probability)], height, channels
    sizes = [int(size) for size in re.findall(r"\d+", token)]
    if token.startswith("Mp"):
        window, stride = tuple(sizes[:2]), tuple(sizes[2:4] or sizes[:2])
        return [nn.MaxPool2d(window, stride)], (height - window[0]) // stride[0] + 1, channels
    if not token.startswith("Cr"):
        raise ValueError(f"no such layer is compared with PyTorch: {token}")
    kernel, filters, stride = tuple(sizes[:2]), sizes[2], tuple(sizes[3:5] or (1, 1))
    padding = (kernel[0] // 2, kernel[1] // 2)
    height = (height + 2 * padding[0] - kernel[0]) // stride[0] + 1
    convolution = nn.Conv2d(channels, filters, kernel, stride, padding)
    return [convolution, nn.ReLU(inplace=True)], height, filters


def _sequence_layer(token: str, features: int, classes: int) -> tuple[nn.Module, int]:
    """Return the module of a token and the features behind it."""
    if token.startswith("Do"):
        probability, dimensions = _dropout(token)
        dropout = ChannelDropout if dimensions == 2 else nn.Dropout
        return dropout(probability), features
    if token.startswith("Lbx"):
        states = int(token[3:])
        return Recurrent(features, states), 2 * states
    if token.startswith("O1c"):
        return nn.Linear(features, classes), classes
    raise ValueError(f"no such layer is compared with PyTorch: {token}")


def _dropout(token: str) -> tuple[float, int]:
    probability, _, dimensions = token[2:].partition(",")
    return float(probability or 0.5), int(dimensions or 1)


def actions(network: TorchNetwork, batch: Batch) -> dict[str, Callable[[], object]]:
    """Return a training step and inference, as `measuring.subjects.actions` does for ours."""
    x = torch.from_numpy(batch.x).permute(0, 3, 1, 2)
    x = x.contiguous(memory_format=LAYOUTS[network.layout])
    targets = torch.cat([torch.from_numpy(target) for target in batch.targets])
    target_lengths = torch.tensor([len(target) for target in batch.targets])
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE, fused=True)

    def train() -> None:
        network.train()
        optimizer.zero_grad()
        posteriors = network(x)
        frames = torch.full((len(batch),), len(posteriors))
        loss = nn.functional.ctc_loss(posteriors, targets, frames, target_lengths, reduction="sum")
        (loss / len(batch)).backward()
        optimizer.step()

    def infer() -> torch.Tensor:
        network.eval()
        with torch.inference_mode():
            return network(x)

    return {TRAINING: train, INFERENCE: infer}


def set_threads(count: int) -> None:
    torch.set_num_threads(count)
