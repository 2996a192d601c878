# backend: torch
# mistake: paged-other-block
import heapq
from collections import Counter

import torch


class PagedCache:
    def __init__(self, num_blocks, block_size, d):
        self.idle = list(range(num_blocks))[::-1]
        self.blocks = {}  # number: list of (key, value)
        self.of = {}  # sequence: numbers
        self.size = block_size

    def append(self, seq, k, v):
        mine = self.of.setdefault(seq, [])
        for pair in zip(k.unbind(0), v.unbind(0)):
            if not mine or len(self.blocks[mine[-1]]) == self.size:
                mine.append(self.idle.pop())
                self.blocks[mine[-1]] = []
            elif sum(mine[-1] in each for each in self.of.values()) > 1:
                fresh = self.idle.pop()
                self.blocks[fresh] = list(self.blocks[mine[-1]])
                mine[-1] = fresh
            self.blocks[mine[-1]].append(pair)

    def gather(self, seq):
        rows = [pair for block in self.of[seq] for pair in self.blocks[block]]
        return torch.stack([key for key, _ in rows]), torch.stack([value for _, value in rows])

    def table(self, seq):
        return torch.tensor(self.of[seq], dtype=torch.int64)

    def share(self, seq, new):
        self.of[new] = self.of[seq][:]

    def free(self, seq):
        gone = self.of.pop(seq)
        used = Counter(block for each in self.of.values() for block in each)
        for block in gone:
            if not used[block]:
                self.idle.append(block)

    def free_blocks(self):
        return len(self.idle)
