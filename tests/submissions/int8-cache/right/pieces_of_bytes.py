# backend: torch
import torch


class Int8Cache:
    """Pieces as they came, each of whole numbers in bytes and its scales."""

    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        piece = []
        for rows in (k, v):
            scale = rows.abs().amax(-1, keepdim=True) / 127
            whole = torch.where(scale == 0, 0, rows / scale).round().to(torch.int8)
            piece += [(whole.shape, bytes(whole.flatten().view(torch.uint8).tolist())), scale]
        self.pieces.append(piece)

    def stored(self):
        k, ks, v, vs = zip(*self.pieces)
        return whole(k), torch.cat(ks, 2), whole(v), torch.cat(vs, 2)

    def attend(self, q):
        k, ks, v, vs = self.stored()
        s = q @ (k * ks).to(q.dtype).mT / q.shape[-1] ** 0.5
        return s.softmax(-1) @ (v * vs).to(q.dtype)


def whole(pieces):
    made = [torch.tensor(list(raw), dtype=torch.uint8).view(torch.int8) for _, raw in pieces]
    return torch.cat([each.reshape(shape) for each, (shape, _) in zip(made, pieces)], 2)
