"""Warnings for documents that repeat what the packs know to be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from studyattn.exchange.plan import Caution

if TYPE_CHECKING:
    from studyattn.exchange.documents import Cautions
    from studyattn.home import Home
    from studyattn.packs.model import Erratum


def installed_cautions(home: Home) -> Cautions:
    """Warnings of what the packs installed in a home know to be wrong."""
    from studyattn.packs.errata import installed_errata

    return known_errors(installed_errata(home))


def known_errors(errata: Iterable[Erratum]) -> Cautions:
    """What `plan_import` takes to warn of the errata that a document repeats."""
    from studyattn.packs.errata import recognise

    entries = tuple(errata)

    def cautions(text: str) -> Iterator[Caution]:
        for found in recognise(text, entries):
            yield Caution(found.line, found.erratum.title, found.erratum.right)

    return cautions
