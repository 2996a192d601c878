# backend: torch
import torch
from torch import Tensor


class Stack:
    """Given, leave it as it is: layers that add to a stream, with a look before each."""

    def __init__(self, embedding, mix, w, out):
        self.embedding, self.mix, self.w, self.out = embedding, mix, w, out
        self.layers = len(w)

    def run(self, tokens, hook):
        """The scores after the last token: (v,). Before a layer, x becomes hook(layer, x)."""
        x = self.embedding[tokens]
        for layer in range(self.layers):
            x = hook(layer, x)
            x = x + torch.tanh(self.mix[layer] @ x @ self.w[layer])
        return x[-1] @ self.out


def patched(model: Stack, clean: Tensor, corrupted: Tensor, layer: int, position: int) -> Tensor:
    """The scores of the corrupted prompt with one vector of the clean run: (v,)."""
    streams = []

    def keep(_layer, x):
        streams.append(x)
        return x

    def change(at, x):
        if at != layer:
            return x
        x = x.clone()
        x[position] = streams[layer][position]
        return x

    model.run(clean, keep)
    return model.run(corrupted, change)


def restored(model: Stack, clean: Tensor, corrupted: Tensor, right: int, wrong: int) -> Tensor:
    """The share that each patch brings back: (layers, n)."""

    def same(_layer, x):
        return x

    low, high = model.run(corrupted, same), model.run(clean, same)
    rows = [
        patched(model, clean, corrupted, layer, position)
        for layer in range(model.layers)
        for position in range(len(clean))
    ]
    scores = torch.stack([low, high, *rows])
    gaps = scores[:, right] - scores[:, wrong]
    shares = (gaps[2:] - gaps[0]) / (gaps[1] - gaps[0])
    return shares.reshape(model.layers, -1)
