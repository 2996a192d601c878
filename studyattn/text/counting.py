"""Numbers of things in words, with the right ending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def count(number: int, one: str, many: str = "") -> str:
    """`1 card`, `2 cards`; with `many` for what does not just take an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def bytes_text(size: int) -> str:
    """`812 bytes`, `12 kB`, `3.4 MB`."""
    if size < 1000:
        return count(size, "byte")
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def listed(counts: Iterable[tuple[int, str, str]]) -> str:
    """`3 cards, 1 note`: every number with its word for one and for many, without the zeros."""
    return ", ".join(count(number, one, many) for number, one, many in counts if number)


def come_before(titles: Sequence[str]) -> str:
    """`Dot product, Softmax and 2 more come before it.`: the sentence; nothing without titles."""
    named = [*titles] if len(titles) <= 4 else [*titles[:3]]
    if len(named) < len(titles):
        named.append(f"{len(titles) - len(named)} more")
    if not named:
        return ""
    verb = "comes" if len(named) == 1 else "come"
    return f"{' and '.join(filter(None, (', '.join(named[:-1]), named[-1])))} {verb} before it."
