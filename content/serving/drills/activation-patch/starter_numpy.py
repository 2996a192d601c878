# backend: numpy
import numpy as np


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
            x = x + np.tanh(self.mix[layer] @ x @ self.w[layer])
        return x[-1] @ self.out


def patched(
    model: Stack, clean: np.ndarray, corrupted: np.ndarray, layer: int, position: int
) -> np.ndarray:
    """The scores of the corrupted prompt with one vector of the clean run: (v,)."""
    raise NotImplementedError("two runs, two hooks")


def restored(
    model: Stack, clean: np.ndarray, corrupted: np.ndarray, right: int, wrong: int
) -> np.ndarray:
    """The share that each patch brings back: (layers, n)."""
    raise NotImplementedError("which run is 0, which is 1?")
