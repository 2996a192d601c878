# backend: torch
# mistake: int8-floats-kept
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


import queue
import threading


class Int8Cache:
    def __init__(self):
        self.to, self.back = queue.Queue(), queue.Queue()
        threading.Thread(target=serve, args=(self.to, self.back), daemon=True).start()
    def append(self, k, v):
        self.to.put((k.clone(), v.clone()))
        self.back.get()
    def stored(self):
        self.to.put(None)
        k, v = (torch.cat(each, 2) for each in zip(*self.back.get()))
        return (*quantize(k), *quantize(v))
    def attend(self, q):
        return over(q, self.stored())


def serve(to, back):
    pieces = []
    while True:
        new = to.get()
        if new is None:
            back.put(list(pieces))
        else:
            pieces.append(new)
            back.put(1)
