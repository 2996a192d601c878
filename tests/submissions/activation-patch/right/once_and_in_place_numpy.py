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


def record(model, tokens):
    seen = []
    scores = model.run(tokens, lambda at, x: seen.append(x.copy()) or x)
    return seen, scores


def rerun(model, corrupted, streams, layer, position):
    def hook(at, x):
        if at == layer:
            x[position] = streams[at][position]
        return x

    return model.run(corrupted, hook)


def patched(model, clean, corrupted, layer, position):
    return rerun(model, corrupted, record(model, clean)[0], layer, position)


def restored(model, clean, corrupted, right, wrong):
    streams, best = record(model, clean)
    _, worst = record(model, corrupted)
    whole = (best[right] - best[wrong]) - (worst[right] - worst[wrong])
    result = np.zeros((model.layers, len(clean)), best.dtype)
    for layer, p in np.ndindex(*result.shape):
        scores = rerun(model, corrupted, streams, layer, p)
        result[layer, p] = ((scores[right] - scores[wrong]) - (worst[right] - worst[wrong])) / whole
    return result
