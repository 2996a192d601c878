# backend: torch
from torch import Tensor


class Pool:
    """The blocks of a store, and how many sequences use each."""

    def __init__(self, count: int) -> None:
        raise NotImplementedError("what is remembered of a block?")

    def take(self) -> int:
        """Return the free block with the lowest number, now in use by one sequence."""
        raise NotImplementedError

    def use(self, block: int) -> None:
        """Let one more sequence use a block."""
        raise NotImplementedError

    def leave(self, block: int) -> None:
        """Let one sequence fewer use a block."""
        raise NotImplementedError

    def shared(self, block: int) -> bool:
        """Return whether several sequences use a block."""
        raise NotImplementedError

    def free(self) -> int:
        """Return how many blocks are free."""
        raise NotImplementedError


class PagedCache:
    """Keys and values of several sequences in blocks of one store."""

    def __init__(self, num_blocks: int, block_size: int, d: int) -> None:
        raise NotImplementedError("what is remembered of a sequence?")

    def append(self, seq: int, k: Tensor, v: Tensor) -> None:
        """Keep new tokens of a sequence, (t, d) each."""
        raise NotImplementedError

    def gather(self, seq: int) -> tuple[Tensor, Tensor]:
        """Return all keys and values of a sequence in order, (n, d) each."""
        raise NotImplementedError

    def table(self, seq: int) -> Tensor:
        """Return the numbers of its blocks in order."""
        raise NotImplementedError

    def share(self, seq: int, new: int) -> None:
        """Let a new sequence begin with all tokens of another one."""
        raise NotImplementedError

    def free(self, seq: int) -> None:
        """End a sequence."""
        raise NotImplementedError

    def free_blocks(self) -> int:
        """Return how many blocks are free."""
        raise NotImplementedError
