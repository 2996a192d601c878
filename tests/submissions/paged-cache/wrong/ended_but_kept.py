# backend: torch
# mistake: paged-rows-kept
import torch


class PagedCache:
    """Each sequence has its own rows; tables are only kept beside them."""
    def __init__(self, num_blocks, block_size, d):
        self.users, self.size = [0] * num_blocks, block_size
        self.tables, self.rows = {}, {}
    def _take(self):
        block = self.users.index(0)
        self.users[block] = 1
        return block
    def append(self, seq, k, v):
        table = self.tables.setdefault(seq, [])
        n = len(self.rows[seq][0]) if seq in self.rows else 0
        for i in range(n, n + len(k)):
            if i % self.size == 0:
                table.append(self._take())
            elif self.users[table[-1]] > 1:
                self.users[table[-1]] -= 1
                table[-1] = self._take()
        old = self.rows.get(seq)
        self.rows[seq] = (k.clone(), v.clone()) if old is None else (torch.cat([old[0], k]), torch.cat([old[1], v]))
    def gather(self, seq):
        return self.rows[seq]
    def table(self, seq):
        return torch.tensor(self.tables[seq], dtype=torch.int64)
    def share(self, seq, new):
        self.tables[new] = list(self.tables[seq])
        self.rows[new] = self.rows[seq]
        for block in self.tables[new]:
            self.users[block] += 1
    def free(self, seq):
        self.ended = getattr(self, 'ended', []) + [self.rows.pop(seq)]
        for block in self.tables.pop(seq):
            self.users[block] -= 1
    def free_blocks(self):
        return self.users.count(0)
