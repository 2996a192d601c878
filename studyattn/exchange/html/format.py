"""The learning note as a page for a browser: the format."""

from __future__ import annotations

from dataclasses import replace

from studyattn.exchange.format import ExportInput, Written
from studyattn.exchange.learning_note.format import MARKDOWN


def _write(source: ExportInput) -> Written:
    from studyattn.exchange.html.content import learning_page
    from studyattn.exchange.html.writer import page_text
    from studyattn.exchange.learning_note.writer import summary_line
    from studyattn.packs.errata import installed_errata

    page = learning_page(source.snapshot, source.selection, installed_errata(source.home))
    return Written(page_text(page), summary_line(page.note))


HTML = replace(
    MARKDOWN,
    name="html",
    title="A page",
    kind="page for a browser",
    about="for a browser, for people who never open a terminal",
    carries=(*MARKDOWN.carries, "reviews"),
    file_name="learning-note.html",
    write=_write,
    reader=None,
)
