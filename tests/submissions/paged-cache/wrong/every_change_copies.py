# backend: numpy
# mistake: none
import numpy as np


class PagedCache:
    def __init__(self, num_blocks, block_size, d):
        self.count, self.size, self.d = num_blocks, block_size, d
        self.keys = np.empty((0, 0, 0))
        self.refs = np.zeros(num_blocks, int)
        self.seqs = {}

    def _lowest(self):
        block = int(np.argmin(self.refs > 0))
        self.refs[block] += 1
        return block

    def append(self, seq, k, v):
        if not self.keys.size:
            self.keys = np.zeros((self.count, self.size, self.d), k.dtype)
            self.values = np.zeros_like(self.keys)
        table, n = self.seqs.get(seq, ([], 0))
        done = 0
        while done < len(k):
            slot = n % self.size
            if slot == 0:
                table.append(self._lowest())
            else:
                old = table[-1]
                new = self._lowest()
                self.keys[new], self.values[new] = self.keys[old], self.values[old]
                self.refs[old] -= 1
                table[-1] = new
            fits = min(self.size - slot, len(k) - done)
            self.keys[table[-1], slot : slot + fits] = k[done : done + fits]
            self.values[table[-1], slot : slot + fits] = v[done : done + fits]
            done, n = done + fits, n + fits
        self.seqs[seq] = (table, n)

    def gather(self, seq):
        table, n = self.seqs[seq]
        at = np.arange(n)
        where = np.asarray(table)[at // self.size], at % self.size
        return self.keys[where], self.values[where]

    def table(self, seq):
        return np.asarray(self.seqs[seq][0])

    def share(self, seq, new):
        table, n = self.seqs[seq]
        self.seqs[new] = (table.copy(), n)
        self.refs[table] += 1

    def free(self, seq):
        self.refs[self.seqs.pop(seq)[0]] -= 1

    def free_blocks(self):
        return int((self.refs == 0).sum())
