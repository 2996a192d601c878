"""The whole page. Pure: a page's content in, the text of the file out."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Final

from studyattn.exchange.format import ExportInput, Written
from studyattn.exchange.html.renderer import words
from studyattn.exchange.html.sections import HtmlPage, HtmlSection, day_of, sections
from studyattn.exchange.learning_note.content import learning_note
from studyattn.exchange.learning_note.writer import TITLE, day_text, summary_line
from studyattn.packs.errata import installed_errata
from studyattn.text.characters import for_xml
from studyattn.text.media import PREFIX, named_media, picture_type

_LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a picture that is put into the page; of a larger one its words are there."""

_FOOT = (
    "<footer><p>Written by studyattn. This page loads nothing and runs nothing; "
    "it can be kept, printed and sent as it is.</p></footer>"
)


def write(source: ExportInput) -> Written:
    """Write the page of a home. Raises NotFoundError."""
    note = learning_note(source.snapshot, source.selection, installed_errata(source.home))
    page = HtmlPage(note, dict(_pictures(source)), tuple(source.figures))
    return Written(page_text(page), summary_line(note))


def _pictures(source: ExportInput) -> Iterator[tuple[str, str]]:
    """Yield the addresses of the home's pictures, each with one that holds the picture itself."""
    cards = (each.card for each in source.snapshot.items if each.card is not None)
    texts = [text for card in cards for text in (card.front, card.back)]
    for name in named_media(*texts, *(note.body for note in source.snapshot.notes)):
        path, kind = source.home.media / name, picture_type(name)
        if kind is not None and path.is_file() and path.stat().st_size <= _LARGEST:
            data = base64.b64encode(path.read_bytes()).decode()
            yield PREFIX + name, f"data:{kind};base64,{data}"


def page_text(page: HtmlPage) -> str:
    """The text of the file. The same page gives the same text."""
    shown = sections(page)
    parts = [_head(), *_top(page), _contents(shown), "<main>"]
    parts += [section.text for section in shown]
    parts += ["</main>", _FOOT, "</body>", "</html>"]
    return for_xml("\n".join(parts)) + "\n"


@cache
def _head() -> str:
    """The head. Its policy lets no style but this one count, nothing load and nothing run."""
    css = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    style = f"\n{css.strip()}\n"
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = resources.files(__package__).joinpath("head.html").read_text(encoding="utf-8")
    return page.format(policy=policy, title=TITLE, style=style).rstrip()


def _top(page: HtmlPage) -> Iterator[str]:
    note, chosen = page.note, page.note.selection
    when = f" as of {day_of(note.changed)}" if note.changed else ""
    yield f"<header>\n<h1>{TITLE}</h1>"
    yield (
        f"<p>What I know, what I still need to learn, and my notes{',' if when else ''}{when}.</p>"
    )
    part = [f"the concept {words(chosen.concept)}"] if chosen.concept else []
    part += [f"the source {words(chosen.source)}"] if chosen.source else []
    part += [f"changes since {day_text(chosen.since)}"] if chosen.since else []
    if part:
        yield f'<p class="part">This is a part of it: {", ".join(part)}.</p>'
    yield '<ul class="figures">'
    yield _figure(len(note.known), "known", "known")
    yield _figure(len(note.known_unknown), "known unknown", "known-unknown")
    yield _figure(len(note.questions), "question answered", "questions", "questions answered")
    yield _figure(note.passed, "drill passed", "drills", "drills passed")
    yield "</ul>"
    yield "</header>"


def _figure(number: int, one: str, anchor: str, many: str = "") -> str:
    label = one if number == 1 or not many else many
    return f'<li class="{anchor}"><b>{number}</b> {label}</li>'


def _contents(shown: Sequence[HtmlSection]) -> str:
    entries = "".join(
        f'<li><a href="#{each.anchor}">{each.title}</a>'
        f"{f' <span>{each.count}</span>' if each.count else ''}</li>"
        for each in shown
    )
    return f'<nav aria-label="Contents"><ul>{entries}</ul></nav>' if entries else ""
