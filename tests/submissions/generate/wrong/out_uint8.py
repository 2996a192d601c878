# backend: torch
# mistake: none
# Tokens in one byte.
import torch


class CachedModel:
    def __init__(self, embedding, positions, w_k, w_v, w_out):
        self.embedding, self.positions = embedding, positions
        self.w_k, self.w_v, self.w_out = w_k, w_v, w_out
        self.keys = self.values = embedding[:0]
        self.lengths = []

    def __call__(self, tokens, start):
        t = len(tokens)
        x = self.embedding[tokens] + self.positions[start : start + t]
        self.keys = torch.cat([self.keys, x @ self.w_k])
        self.values = torch.cat([self.values, x @ self.w_v])
        self.lengths.append(t)
        scores = x @ self.keys.T * x.shape[-1] ** -0.5
        seen = torch.ones_like(scores, dtype=torch.bool).tril(len(self.keys) - t)
        weights = scores.masked_fill(~seen, float("-inf")).softmax(dim=-1)
        return (x + weights @ self.values) @ self.w_out

    def fed(self):
        return torch.tensor(self.lengths, device=self.embedding.device)
def pick(row, u):
    if u is None:
        return int(row.argmax())
    c = row.double().softmax(-1).cumsum(-1)
    return min(int((c <= float(u)).sum()), len(row) - 1)

def generate(model, prompt, count, uniforms=None, end=None):
    out, feed, at = [], prompt, 0
    for i in range(count):
        row = model(feed, at)[-1]
        at += len(feed)
        out.append(pick(row, None if uniforms is None else uniforms[i]))
        if out[-1] == end: break
        feed = prompt.new_tensor([out[-1]])
    return torch.tensor(out).to(torch.uint8).long()
