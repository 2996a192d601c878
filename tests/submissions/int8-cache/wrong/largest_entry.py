# backend: torch
# mistake: int8-sign-lost
import torch


class Int8Cache:
    """Arrays with room to spare: they double when they are full."""

    def __init__(self):
        self.n = 0
        self.room = None

    def append(self, k, v):
        b, h, t, d = k.shape
        if self.room is None:
            self.room = [
                torch.zeros(b, h, 4, last, dtype=dtype)
                for last, dtype in ((d, torch.int8), (1, k.dtype)) * 2
            ]
        while self.room[0].shape[2] < self.n + t:
            self.room = [torch.cat([each, torch.zeros_like(each)], 2) for each in self.room]
        for at, rows in ((0, k), (2, v)):
            scale = rows.max(-1, keepdim=True).values / 127
            self.room[at][:, :, self.n : self.n + t] = torch.nan_to_num(rows / scale).round().to(torch.int8)
            self.room[at + 1][:, :, self.n : self.n + t] = scale
        self.n += t

    def stored(self):
        return tuple(each[:, :, : self.n].clone() for each in self.room)

    def attend(self, q):
        k, ks, v, vs = (each[:, :, : self.n].to(q.dtype) for each in self.room)
        s = torch.einsum("bhmd,bhnd->bhmn", q * q.shape[-1] ** -0.5, k) * ks.squeeze(-1).unsqueeze(-2)
        return torch.einsum("bhmn,bhnd->bhmd", torch.softmax(s, -1) * vs.transpose(-1, -2), v)
