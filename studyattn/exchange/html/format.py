"""The learning note as a web page: the format."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from studyattn.exchange.format import ExportInput, Written
from studyattn.exchange.learning_note.format import MARKDOWN
from studyattn.text.media import PREFIX, named_media, picture_type


def _write(source: ExportInput) -> Written:
    from studyattn.exchange.html.sections import HtmlPage
    from studyattn.exchange.html.writer import page_text
    from studyattn.exchange.learning_note.content import learning_note
    from studyattn.exchange.learning_note.writer import summary_line
    from studyattn.packs.errata import installed_errata

    note = learning_note(source.snapshot, source.selection, installed_errata(source.home))
    page = HtmlPage(note, dict(_pictures(source)), tuple(source.figures))
    return Written(page_text(page), summary_line(note))


_LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a picture that is put into the page; of a larger one its words are there."""


def _pictures(source: ExportInput) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the home's pictures, each with one that holds the picture itself."""
    cards = (each.card for each in source.snapshot.items if each.card is not None)
    texts = [text for card in cards for text in (card.front, card.back)]
    for name in named_media(*texts, *(note.body for note in source.snapshot.notes)):
        path, kind = source.home.media / name, picture_type(name)
        if kind is not None and path.is_file() and path.stat().st_size <= _LARGEST:
            yield PREFIX + name, f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}"


HTML = replace(
    MARKDOWN,
    name="html",
    title="A page",
    kind="web page",
    about="for people who never open a terminal",
    file_name="learning-note.html",
    figures=True,
    write=_write,
    reader=None,
)
