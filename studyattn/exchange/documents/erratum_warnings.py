"""Known errors in imported documents: warnings, and corrections of single statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studyattn.exchange.documents.plan import Caution
from studyattn.packs.corrections import Correction, correct_answer, correct_statement
from studyattn.packs.errata import about, installed_errata, recognise

if TYPE_CHECKING:
    from studyattn.exchange.documents.draft import Claim, ExtractedText
    from studyattn.home import Home
    from studyattn.packs.model import Erratum


@dataclass(frozen=True, slots=True)
class Cautions:
    """The errata that imported documents are compared with; without errata, nothing is said."""

    errata: tuple[Erratum, ...] = ()

    def on(self, draft: ExtractedText) -> Cautions:
        """Return those errata whose subject a document is about."""
        return Cautions(about(draft.text, self.errata))

    def warnings(self, draft: ExtractedText) -> Iterator[Caution]:
        """Yield a warning for each erratum that a document repeats."""
        for found in recognise(draft.text, self.errata, draft.headings):
            yield Caution(found.line, found.erratum.title, found.erratum.right)

    def against(self, claim: Claim, source: str) -> tuple[Correction, ...]:
        """Return what contradicts one statement of the document with the title `source`."""
        return correct_statement(claim.concept, claim.body, source, self.errata)

    def against_answer(self, answer: str, source: str) -> tuple[Correction, ...]:
        """Return what contradicts one answer of the document with the title `source`."""
        return correct_answer(answer, source, self.errata)


def installed_cautions(home: Home) -> Cautions:
    """Return what the packs installed in a home know to be wrong."""
    return Cautions(installed_errata(home))
