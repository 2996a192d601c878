# backend: numpy
import numpy as np


class Stack:
    def __init__(self, embedding, mix, w, out):
        self.embedding, self.mix, self.w, self.out = embedding, mix, w, out
        self.layers = len(w)

    def run(self, tokens, hook):
        x = self.embedding[tokens]
        for layer in range(self.layers):
            x = hook(layer, x)
            x = x + np.tanh(self.mix[layer] @ x @ self.w[layer])
        return x[-1] @ self.out


def patched(model, clean, corrupted, layer, position):
    streams = {}

    def keep(at, x):
        streams[at] = x.copy()
        return x

    def change(at, x):
        if at != layer:
            return x
        x = x.copy()
        x[position] = streams[layer][position]
        return x

    model.run(clean, keep)
    return model.run(corrupted, change)


def restored(model, clean, corrupted, right, wrong):
    def answer(z):
        return z[right] - z[wrong]

    low = answer(model.run(corrupted, lambda at, x: x))
    high = answer(model.run(clean, lambda at, x: x))
    table = np.empty((model.layers, len(clean)), model.out.dtype)
    for layer in range(model.layers):
        for p in range(len(clean)):
            g = answer(patched(model, clean, corrupted, layer, p))
            table[layer, p] = (g - low) / (high - low)
    return table
