"""Reads a “find the bug” card: a short program with one mistake, what it prints, and what is wrong.

Whether the program has that very mistake and its output shows it is for `check.bugs` to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from studyattn.errors import PackError
from studyattn.packs.fences import find_faulty, without_checks
from studyattn.packs.fields import Fields
from studyattn.packs.model import Bug, SourceLocation
from studyattn.text.document import read_document


def read_bug(text: str, file: Path) -> tuple[Bug, list[PackError]]:
    """The bug in `file`. Raises PackError or DocumentError when it cannot be used."""
    document = read_document(without_checks(text), str(file), strict=True)
    fields = Fields(document.front_matter, SourceLocation(str(file), 1))
    misconception = fields.id("misconception")
    if misconception != file.stem:
        raise fields.place.error(
            f"the bug {misconception!r} is in {file.name}", "Give both the same name"
        )
    question = fields.text("question")
    if document.sections:
        raise PackError(
            f"a bug has no headings, but this one has {document.sections[0].title!r}",
            where=f"{file}:{document.sections[0].line}",
        )
    found = find_faulty(document.preamble, SourceLocation(str(file), document.preamble_line))
    if not found.rest.strip():
        raise found.begins.error(
            "a bug without an answer",
            "Say below the output what is wrong, how the output shows it, and the fix",
        )
    bug = Bug(
        misconception=misconception,
        concept=fields.id("concept"),
        drill=fields.id("drill"),
        question=question,
        program=found.program,
        source=found.source,
        output=found.output,
        answer=found.rest,
        place=fields.place,
        begins=found.begins,
        sizes=_sizes(fields, f"{question}\n{found.source}\n{found.rest}"),
    )
    fields.refuse_others()
    return bug, []


def _sizes(fields: Fields, text: str) -> tuple[Mapping[str, str], ...]:
    """Return other numbers and sizes. Raises PackError where their texts are not in the bug."""
    sizes = fields.mappings("sizes")
    for each in sizes:
        for old in each:
            if old not in text:
                raise fields.place.error(f"sizes: there is no {old!r} in the bug")
    return sizes
