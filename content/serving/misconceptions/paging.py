"""Mistakes with a cache in blocks."""

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from ..reference.paging import PagedCache

PAGED, SHARED = "paged-cache", "prefix-sharing"
PLACE = r"\text{token } i \text{ is in block } T[\lfloor i / B \rfloor], \text{ slot } i \bmod B"
USERS = r"\text{free} \iff \text{users} = 0"


class _FreshBlock(PagedCache):
    """Each call of append begins a block."""

    def append(self, seq, k, v):
        held = self._lengths.get(seq, 0)
        self._skipped = getattr(self, "_skipped", {})
        self._skipped.setdefault(seq, []).append((held, len(k)))
        super().append(seq, k, v)

    def place(self, seq, table):
        n = self._lengths.get(seq, 0)
        slots = 0
        for first, count in self._skipped[seq]:
            if first <= n < first + count:
                slots = n - first
        if slots % self._size == 0:
            table.append(self.take())
        return slots % self._size

    def gather(self, seq):
        parts = []
        block = 0
        order = self._tables[seq]
        for _, count in self._skipped[seq]:
            blocks = order[block : block + -(-count // self._size)]
            block += len(blocks)
            parts.append(
                tuple(
                    each[blocks].reshape(-1, self._d)[:count] for each in (self._keys, self._values)
                )
            )
        keys, values = (np.concatenate(each) for each in zip(*parts, strict=True))
        return keys, values

    def share(self, seq, new):
        super().share(seq, new)
        self._skipped[new] = list(self._skipped[seq])

    def free(self, seq):
        super().free(seq)
        del self._skipped[seq]


class _Early(PagedCache):
    """The next block is taken as soon as the last one is full."""

    def append(self, seq, k, v):
        if seq not in self._tables:
            self._tables[seq] = [self.take()]
        super().append(seq, k, v)

    def place(self, seq, table):
        n = self._lengths.get(seq, 0)
        while len(table) <= n // self._size:
            table.append(self.take())
        if self._users[table[-1]] > 1:
            self.copy(table)
        return n % self._size

    def _fill_up(self, seq):
        if self._lengths[seq] % self._size == 0:
            self._tables[seq].append(self.take())


class _EarlyAfter(_Early):
    def append(self, seq, k, v):
        super().append(seq, k, v)
        self._fill_up(seq)


class _WholeBlocks(PagedCache):
    def gather(self, seq):
        order = self._tables[seq]
        keys, values = (each[order].reshape(-1, self._d) for each in (self._keys, self._values))
        return keys, values


class _ByNumber(PagedCache):
    def gather(self, seq):
        order = sorted(self._tables[seq])
        keys, values = (
            each[order].reshape(-1, self._d)[: self._lengths[seq]]
            for each in (self._keys, self._values)
        )
        return keys, values


class _OtherOrder(PagedCache):
    """Blocks that became free last are taken first."""

    def __init__(self, num_blocks, block_size, d):
        super().__init__(num_blocks, block_size, d)
        self._stack = list(range(num_blocks))[::-1]

    def take(self):
        block = self._stack.pop()
        self._users[block] = 1
        return block

    def free(self, seq):
        freed = [each for each in self._tables[seq] if self._users[each] == 1]
        super().free(seq)
        self._stack += freed


class _InLine(_OtherOrder):
    """Blocks that became free first are taken first, behind those never used."""

    def take(self):
        block = self._stack.pop(0)
        self._users[block] = 1
        return block

    def __init__(self, num_blocks, block_size, d):
        super().__init__(num_blocks, block_size, d)
        self._stack = list(range(num_blocks))


class _FromTheEnd(PagedCache):
    def take(self):
        block = len(self._users) - 1 - self._users[::-1].index(0)
        self._users[block] = 1
        return block


class _WrittenThrough(PagedCache):
    def place(self, seq, table):
        slot = self._lengths.get(seq, 0) % self._size
        if slot == 0:
            table.append(self.take())
        return slot


class _AllCopied(PagedCache):
    def share(self, seq, new):
        self._tables[new] = []
        self._lengths[new] = self._lengths[seq]
        for block in self._tables[seq]:
            own = self.take()
            self._keys[own], self._values[own] = self._keys[block], self._values[block]
            self._tables[new].append(own)


class _LastCopied(PagedCache):
    """The last block is copied when it is shared, not when it changes."""

    def share(self, seq, new):
        super().share(seq, new)
        if self._lengths[new] % self._size:
            self.copy(self._tables[new])


class _FullShared(PagedCache):
    """A shared table also copies full blocks when the sequence goes on."""

    def place(self, seq, table):
        slot = self._lengths.get(seq, 0) % self._size
        if table and self._users[table[-1]] > 1:
            self.copy(table)
        if slot == 0:
            table.append(self.take())
        return slot


class _SameTable(PagedCache):
    """The two sequences have one table."""

    def share(self, seq, new):
        super().share(seq, new)
        self._tables[new] = self._tables[seq]


class _FreedForAll(PagedCache):
    def free(self, seq):
        for block in self._tables.pop(seq):
            self._users[block] = 0
        del self._lengths[seq]


class _NeverFreed(PagedCache):
    def free(self, seq):
        del self._tables[seq], self._lengths[seq]


class _SharedForever(PagedCache):
    """Blocks that were shared once never become free."""

    def free(self, seq):
        for block in self._tables.pop(seq):
            if self._users[block] == 1:
                self._users[block] = 0
        del self._lengths[seq]


class _CopyStillCounted(PagedCache):
    """A block that was copied still counts the sequence that left it."""

    def copy(self, table):
        shared, own = table[-1], self.take()
        self._keys[own], self._values[own] = self._keys[shared], self._values[shared]
        table[-1] = own


class _EmptyCopy(PagedCache):
    def copy(self, table):
        shared, own = table[-1], self.take()
        self._keys[own], self._values[own] = 0.0, 0.0
        self._users[shared] -= 1
        table[-1] = own


def _of(name, title, formula, concept, *classes):
    return Misconception(
        id=name,
        title=title,
        formula=formula,
        concept=concept,
        ways=tuple({"PagedCache": each} for each in classes),
    )


paged_rows_kept = Misconception(
    id="paged-rows-kept",
    title="More is kept than the blocks: a sequence that is shared or ended takes room of its own.",
    formula=PLACE,
    concept=SHARED,
    sign=Sign.COST,
)

OF_PAGES = (
    _of(
        "paged-written-through",
        "A shared block is changed: the other sequence reads the new tokens, too. Copy it first.",
        USERS,
        SHARED,
        _WrittenThrough,
    ),
    _of(
        "paged-freed-for-all",
        "A block becomes free although another sequence still uses it.",
        USERS,
        SHARED,
        _FreedForAll,
    ),
    _of(
        "paged-never-freed",
        "Blocks that no sequence uses any more do not become free.",
        USERS,
        PAGED,
        _NeverFreed,
        _SharedForever,
        _CopyStillCounted,
    ),
    _of(
        "paged-all-copied",
        "Blocks are copied that could be shared: only one that changes needs a copy.",
        USERS,
        SHARED,
        _AllCopied,
        _LastCopied,
        _FullShared,
    ),
    _of(
        "paged-one-table",
        "Two sequences have the same table; each needs its own list of the same blocks.",
        USERS,
        SHARED,
        _SameTable,
    ),
    _of(
        "paged-empty-copy",
        "The copy of a shared block lacks the tokens that were in it.",
        PLACE,
        SHARED,
        _EmptyCopy,
    ),
    _of(
        "paged-fresh-block",
        "Each call begins a new block; the last one should be filled up first.",
        PLACE,
        PAGED,
        _FreshBlock,
    ),
    _of(
        "paged-block-early",
        "A block is taken when the last one is full; take it when a token needs it.",
        PLACE,
        PAGED,
        _EarlyAfter,
    ),
    _of(
        "paged-whole-blocks",
        "The empty slots of the last block are returned as tokens.",
        PLACE,
        PAGED,
        _WholeBlocks,
    ),
    _of(
        "paged-by-number",
        "Blocks are read in the order of their numbers, not in the order of the table.",
        PLACE,
        PAGED,
        _ByNumber,
    ),
    _of(
        "paged-other-block",
        "Another free block is taken than the one with the lowest number.",
        r"\min \{ \text{free blocks} \}",
        PAGED,
        _OtherOrder,
        _InLine,
        _FromTheEnd,
    ),
)
