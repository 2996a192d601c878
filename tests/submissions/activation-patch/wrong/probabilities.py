# backend: torch
# mistake: restored-probabilities
# breaks: two-tokens
import torch


class Stack:
    def __init__(self, embedding, mix, w, out):
        self.embedding, self.mix, self.w, self.out = embedding, mix, w, out
        self.layers = len(w)

    def run(self, tokens, hook):
        x = self.embedding[tokens]
        for layer in range(self.layers):
            x = hook(layer, x)
            x = x + torch.tanh(self.mix[layer] @ x @ self.w[layer])
        return x[-1] @ self.out


class Recorder:
    def __init__(self):
        self.streams = []

    def __call__(self, at, x):
        self.streams.append(x)
        return x


def patched(model, clean, corrupted, layer, position):
    recorder = Recorder()
    model.run(clean, recorder)
    streams = recorder.streams
    place = torch.arange(len(clean), device=clean.device) == position

    def hook(at, x):
        if at == layer:
            return torch.where(place[:, None], streams[layer], x)
        return x

    return model.run(corrupted, hook)


def restored(model, clean, corrupted, right, wrong):
    def answer(z):
        return z.softmax(-1)[right]

    low, high = (answer(model.run(tokens, Recorder())) for tokens in (corrupted, clean))
    rows = []
    for layer in range(model.layers):
        g = torch.stack(
            [answer(patched(model, clean, corrupted, layer, p)) for p in range(len(clean))]
        )
        rows.append((g - low) / (high - low))
    return torch.stack(rows)
