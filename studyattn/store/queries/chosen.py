"""The part of the items and of the log that statistics are asked about, as SQL.

Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from studyattn.store.log_values import stored_day

_WHOLE_KINDS = frozenset({"card", "drill"})


class Chosen(NamedTuple):
    """Learner days from `first` on, and items that meet every condition; without any, all."""

    first: date | None = None
    concept: str | None = None
    """A slug; items of concepts that were joined into it count too."""
    source: str | None = None
    """A source's guid."""
    tag: str | None = None
    """A tag, in any case; tags below it count too."""
    kind: str | None = None
    """`card`, `drill`, or a card's own kind."""
    pack: str | None = None
    """A pack's name."""

    @property
    def all_items(self) -> bool:
        """True if no item is left out."""
        return not (self.concept or self.source or self.tag or self.kind or self.pack)

    def given(self) -> dict[str, object]:
        """Return the parameters of `items_chosen`, and of the day as `:first`."""
        tag = (self.tag or "").lower().replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
        known = {
            "concept": self.concept,
            "source": self.source,
            "kind": self.kind,
            "pack": self.pack,
        }
        tags = {"tag": f"% {tag} %", "below": f"% {tag}::%"} if self.tag else {}
        days = {} if self.first is None else {"first": stored_day(self.first)}
        return {**{name: value for name, value in known.items() if value}, **tags, **days}


def items_chosen(chosen: Chosen) -> str:
    """Return the SQL condition that a row of `item` is one of the chosen; given are its values."""
    conditions = []
    if chosen.concept:
        conditions.append(
            "item.concept_id IN (SELECT part.id FROM concept AS part"
            " JOIN concept AS whole ON whole.id = coalesce(part.joined_into_id, part.id)"
            " WHERE whole.slug = :concept)"
        )
    if chosen.source:
        conditions.append("item.source_id IN (SELECT id FROM source WHERE guid = :source)")
    if chosen.pack:
        conditions.append("item.pack = :pack")
    if chosen.tag:
        tags = "lower(item.tags) LIKE"
        conditions.append(f"({tags} :tag ESCAPE '\\' OR {tags} :below ESCAPE '\\')")
    if chosen.kind in _WHOLE_KINDS:
        conditions.append("item.kind = :kind")
    elif chosen.kind:
        conditions.append("item.id IN (SELECT item_id FROM card WHERE card.kind = :kind)")
    return " AND ".join(conditions) or "TRUE"
