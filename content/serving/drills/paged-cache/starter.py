# backend: torch
from torch import Tensor


class PagedCache:
    """Keys and values of several sequences in blocks of one store."""

    def __init__(self, num_blocks: int, block_size: int, d: int) -> None:
        raise NotImplementedError("what is remembered of a sequence, what of a block?")

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
