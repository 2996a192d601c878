"""A cache in blocks: tables of block numbers, shared blocks, and copies on the first change."""

import numpy as np


class PagedCache:
    """Keys and values of several sequences in blocks of one store."""

    def __init__(self, num_blocks, block_size, d):
        self._size, self._d = block_size, d
        self._users = [0] * num_blocks
        self._keys = self._values = None
        self._tables, self._lengths = {}, {}

    def take(self):
        """Return the free block with the lowest number, now in use."""
        block = self._users.index(0)
        self._users[block] = 1
        return block

    def append(self, seq, k, v):
        """Keep the keys and values `(t, d)` of new tokens of a sequence."""
        if self._keys is None:
            shape = (len(self._users), self._size, self._d)
            self._keys, self._values = np.zeros(shape, k.dtype), np.zeros(shape, v.dtype)
        table = self._tables.setdefault(seq, [])
        for key, value in zip(k, v, strict=True):
            slot = self.place(seq, table)
            self._keys[table[-1], slot], self._values[table[-1], slot] = key, value
            self._lengths[seq] = self._lengths.get(seq, 0) + 1

    def place(self, seq, table):
        """Return the slot of the next token, in a last block that is this sequence's own."""
        slot = self._lengths.get(seq, 0) % self._size
        if slot == 0:
            table.append(self.take())
        elif self._users[table[-1]] > 1:
            self.copy(table)
        return slot

    def copy(self, table):
        """Give a table a last block of its own, with the same contents."""
        shared, own = table[-1], self.take()
        self._keys[own], self._values[own] = self._keys[shared], self._values[shared]
        self._users[shared] -= 1
        table[-1] = own

    def gather(self, seq):
        """Return the keys and values of a sequence in order: `(n, d)` each."""
        length, order = self._lengths[seq], self._tables[seq]
        keys, values = (
            each[order].reshape(-1, self._d)[:length] for each in (self._keys, self._values)
        )
        return keys, values

    def table(self, seq):
        """Return the numbers of a sequence's blocks, in order."""
        return np.array(self._tables[seq], np.int64)

    def share(self, seq, new):
        """Let a new sequence begin with all tokens of another one."""
        self._tables[new] = list(self._tables[seq])
        self._lengths[new] = self._lengths[seq]
        for block in self._tables[seq]:
            self._users[block] += 1

    def free(self, seq):
        """End a sequence: its blocks are free unless another one uses them."""
        for block in self._tables.pop(seq):
            self._users[block] -= 1
        del self._lengths[seq]

    def free_blocks(self):
        """Return how many blocks are free."""
        return self._users.count(0)
