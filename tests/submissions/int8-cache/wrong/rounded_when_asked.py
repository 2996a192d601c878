# backend: torch
# mistake: int8-floats-kept
# breaks: floats-kept
import math

import torch


def quantize(rows):
    scales = rows.abs().amax(dim=-1, keepdim=True) / 127
    whole = (rows / torch.where(scales == 0, 1.0, scales).to(rows.dtype)).round()
    return whole.to(torch.int8), scales


def over(q, parts):
    keys, key_scales, values, value_scales = parts
    scores = q @ keys.to(q.dtype).mT * key_scales.mT / math.sqrt(q.shape[-1])
    return scores.softmax(dim=-1) @ (values.to(q.dtype) * value_scales)


class Int8Cache:
    def __init__(self):
        self.k = self.v = None
    def append(self, k, v):
        self.k = k.clone() if self.k is None else torch.cat([self.k, k], 2)
        self.v = v.clone() if self.v is None else torch.cat([self.v, v], 2)
    def stored(self):
        return (*quantize(self.k), *quantize(self.v))
    def attend(self, q):
        return over(q, self.stored())
