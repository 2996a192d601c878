# backend: torch
import torch
from torch import Tensor


class Pool:
    """The blocks of a store, and how many sequences use each."""

    def __init__(self, count: int) -> None:
        self.users = [0] * count

    def take(self) -> int:
        """Return the free block with the lowest number, now in use by one sequence."""
        block = self.users.index(0)
        self.users[block] = 1
        return block

    def use(self, block: int) -> None:
        """Let one more sequence use a block."""
        self.users[block] += 1

    def leave(self, block: int) -> None:
        """Let one sequence fewer use a block."""
        self.users[block] -= 1

    def shared(self, block: int) -> bool:
        """Return whether several sequences use a block."""
        return self.users[block] > 1

    def free(self) -> int:
        """Return how many blocks are free."""
        return self.users.count(0)


class PagedCache:
    """Keys and values of several sequences in blocks of one store."""

    def __init__(self, num_blocks: int, block_size: int, d: int) -> None:
        self.shape = (2, num_blocks, block_size, d)
        self.store: Tensor | None = None  # keys and values
        self.pool = Pool(num_blocks)
        self.tables: dict[int, list[int]] = {}
        self.lengths: dict[int, int] = {}

    def append(self, seq: int, k: Tensor, v: Tensor) -> None:
        """Keep new tokens of a sequence, (t, d) each."""
        if self.store is None:
            self.store = torch.zeros(self.shape, dtype=k.dtype, device=k.device)
        table = self.tables.setdefault(seq, [])
        for row in torch.stack([k, v], dim=1):  # (2, d)
            slot = self.lengths.get(seq, 0) % self.shape[2]
            if slot == 0:
                table.append(self.pool.take())
            elif self.pool.shared(table[-1]):
                own = self.pool.take()
                self.store[:, own] = self.store[:, table[-1]]
                self.pool.leave(table[-1])
                table[-1] = own
            self.store[:, table[-1], slot] = row
            self.lengths[seq] = self.lengths.get(seq, 0) + 1

    def gather(self, seq: int) -> tuple[Tensor, Tensor]:
        """Return all keys and values of a sequence in order, (n, d) each."""
        keys, values = self.store[:, self.tables[seq]].flatten(1, 2)[:, : self.lengths[seq]]
        return keys, values

    def table(self, seq: int) -> Tensor:
        """Return the numbers of its blocks in order."""
        return torch.tensor(self.tables[seq])

    def share(self, seq: int, new: int) -> None:
        """Let a new sequence begin with all tokens of another one."""
        self.tables[new] = list(self.tables[seq])
        self.lengths[new] = self.lengths[seq]
        for block in self.tables[new]:
            self.pool.use(block)

    def free(self, seq: int) -> None:
        """End a sequence."""
        del self.lengths[seq]
        for block in self.tables.pop(seq):
            self.pool.leave(block)

    def free_blocks(self) -> int:
        """Return how many blocks are free."""
        return self.pool.free()
