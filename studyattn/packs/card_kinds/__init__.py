"""The kinds of cards. All that a kind decides is in its class; every other room asks the class.

A new kind is a module here with a subclass of `CardKind` and a line in `KINDS`. The database, the
exported files and a pack's headings know a kind by its name.
"""

from __future__ import annotations

from typing import Final

from studyattn.packs.card_kinds.basic import BasicKind
from studyattn.packs.card_kinds.bug import BugKind
from studyattn.packs.card_kinds.cloze import ClozeKind
from studyattn.packs.card_kinds.computed import ComputedKind
from studyattn.packs.card_kinds.explain import ExplainKind
from studyattn.packs.card_kinds.kind import (
    AskedCard,
    CardKind,
    CardTexts,
    ReviewContext,
    WrittenCard,
)
from studyattn.packs.card_kinds.numeric import NumericKind
from studyattn.packs.card_kinds.typed import TypedKind

__all__ = [
    "BASIC",
    "BUG",
    "CLOZE",
    "COMPUTED",
    "EXPLAIN",
    "KINDS",
    "NUMERIC",
    "TYPED",
    "AskedCard",
    "CardKind",
    "CardTexts",
    "ReviewContext",
    "WrittenCard",
    "kind_named",
]

BASIC: Final = BasicKind()
CLOZE: Final = ClozeKind()
TYPED: Final = TypedKind()
NUMERIC: Final = NumericKind()
COMPUTED: Final = ComputedKind()
BUG: Final = BugKind()
EXPLAIN: Final = ExplainKind()

KINDS: Final[dict[str, CardKind]] = {
    kind.name: kind for kind in (BASIC, CLOZE, TYPED, NUMERIC, COMPUTED, BUG, EXPLAIN)
}
"""Every kind by its name, in the order in which messages list them."""


def kind_named(name: str | None) -> CardKind:
    """Return the kind with this name.

    A name that this version does not know, as a newer one may have written it, gives the basic
    kind: question and answer can be shown all the same.
    """
    return KINDS.get(name or BASIC.name, BASIC)
