# backend: torch
# style: room made first
import torch


class CachedModel:
    """Given, leave it as it is: it keeps keys and values of all that it was fed."""

    def __init__(self, embedding, positions, w_k, w_v, w_out):
        self.embedding, self.positions = embedding, positions
        self.w_k, self.w_v, self.w_out = w_k, w_v, w_out
        self.keys = self.values = embedding[:0]
        self.lengths = []

    def __call__(self, tokens, start):
        """The logits after each of the new tokens (t,), the first at position start: (t, v)."""
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
        """How many tokens each call was given: (calls,)."""
        return torch.tensor(self.lengths, device=self.embedding.device)


def pick(logits, uniform):
    if uniform is None:
        return int(logits.argmax())
    passed = int((logits.softmax(dim=-1).cumsum(dim=-1) <= uniform).sum())
    return min(passed, len(logits) - 1)


def generate(model, prompt, count, uniforms=None, end=None):
    n = len(prompt)
    out = torch.empty(n + count, dtype=torch.int64, device=prompt.device)
    out[:n] = prompt
    begin = 0
    for place in range(n, n + count):
        z = model(out[begin:place], begin)[-1]
        if uniforms is None:
            out[place] = z.argmax()
        else:
            sums = z.softmax(0).cumsum(0)
            out[place] = torch.searchsorted(sums, uniforms[place - n].to(sums.dtype), right=True).clamp(max=len(z) - 1)
        begin = place
        if end is not None and out[place] == end:
            return out[n : place + 1].clone()
    return out[n:].clone()
