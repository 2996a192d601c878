"""Reads a drill's brief: what is asked, and three hints."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from studyattn.errors import PackError
from studyattn.packs.fences import find_examples
from studyattn.packs.fields import Fields
from studyattn.packs.model import DrillBrief, Example, SourceLocation
from studyattn.text.document import Document, Section, read_document

BACKENDS: Final = ("torch", "numpy")
_SECTIONS: Final = ("Task", "Formula", "Shapes", "Example", "Hints")
_HINTS: Final = ("1", "2", "3")


def read_brief(text: str, file: Path) -> tuple[DrillBrief, list[PackError]]:
    """The brief in `file`. Raises PackError or DocumentError when it cannot be used."""
    document = read_document(text, str(file), strict=True)
    fields = Fields(document.front_matter, SourceLocation(str(file), 1))
    identifier = fields.id("id")
    if identifier != file.parent.name:
        raise PackError(
            f"the drill {identifier!r} lies in the folder {file.parent.name!r}",
            where=str(fields.place),
            advice="Call both the same",
        )
    sections = _sections(document, file)
    parts, examples = _parts(sections[:-1], identifier, file)
    brief = DrillBrief(
        id=identifier,
        title=fields.text("title"),
        concept=fields.id("concept"),
        level=fields.whole("level", low=1, high=5),
        entry=fields.texts("entry"),
        backends=_backends(fields),
        requires=fields.texts("requires", default=()),
        text="\n\n".join(parts),
        hints=_hints(sections[-1], file),
        folder=file.parent,
        place=fields.place,
        examples=examples,
    )
    fields.refuse_others()
    return brief, []


def _sections(document: Document, file: Path) -> tuple[Section, ...]:
    found = tuple(section.title for section in document.sections)
    if found != _SECTIONS or document.preamble.strip():
        raise PackError(
            f"a brief has the sections {', '.join(_SECTIONS)}, and this one {', '.join(found)}",
            where=str(
                SourceLocation(str(file), document.sections[0].line if document.sections else 1)
            ),
            advice="Give it those five, in that order, and nothing before them",
        )
    for section in document.sections:
        if not section.whole_body().strip():
            raise PackError(
                f"the section {section.title} is empty",
                where=str(SourceLocation(str(file), section.line)),
            )
    return document.sections


def _parts(
    sections: tuple[Section, ...], identifier: str, file: Path
) -> tuple[list[str], tuple[Example, ...]]:
    """Each section's Markdown as it stands, and the runnable examples in them."""
    parts: list[str] = []
    examples: list[Example] = []
    for section in sections:
        body = section.whole_body()
        owner = f"{identifier}-{section.title.lower()}"
        examples.extend(
            find_examples(body, owner, SourceLocation(str(file), section.body_line)).examples
        )
        parts.append(f"## {section.title}\n\n{body}")
    return parts, tuple(examples)


def _hints(section: Section, file: Path) -> tuple[str, ...]:
    titles = tuple(child.title for child in section.children)
    hints = tuple(child.whole_body().strip() for child in section.children)
    if titles != _HINTS or not all(hints):
        raise PackError(
            "a drill has three hints, ### 1, ### 2 and ### 3, none of them empty",
            where=str(SourceLocation(str(file), section.line)),
        )
    return hints


def _backends(fields: Fields) -> tuple[str, ...]:
    backends = fields.texts("backends", default=BACKENDS)
    if not backends or any(each not in BACKENDS for each in backends):
        raise PackError(
            f"backends are torch and numpy, not {', '.join(backends) or 'none'}",
            where=str(fields.place),
        )
    return backends
