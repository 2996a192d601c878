"""Reads a drill's brief: what is asked, by the pack of every submission too, and three hints."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from studyattn.errors import PackError
from studyattn.grading import domain
from studyattn.grading import steps as in_steps
from studyattn.packs.fences import find_examples, without_checks
from studyattn.packs.fields import Fields
from studyattn.packs.model import Contract, DrillBrief, Example, SourceLocation
from studyattn.text.document import Document, Section, read_document

BACKENDS: Final = ("torch", "numpy")
_SECTIONS: Final = ("Task", "Formula", "Shapes", "Example", "Hints")
_HINTS: Final = ("1", "2", "3")


MODEL_PLACES: Final = ("weights", "cache", "pages", "drafts", "logits", "patch")
"""Where a drill's code can be put in a real model (`lm.llama.places`)."""

CONTRACT: Final = "contract.md"
"""In the pack's folder; a pack may be without."""


def read_brief(text: str, file: Path) -> tuple[DrillBrief, list[PackError]]:
    """The brief in `file`, with its pack's contract.

    Raises PackError or DocumentError when one of them cannot be used.
    """
    document = read_document(without_checks(text), str(file), strict=True)
    fields = Fields(document.front_matter, SourceLocation(str(file), 1))
    identifier = fields.id("id")
    if identifier != file.parent.name:
        raise fields.place.error(
            f"the drill {identifier!r} is in the folder {file.parent.name!r}",
            "Give both the same name",
        )
    sections = _sections(document, file)
    declared = fields.mapping("domain")
    allowed = domain.parse(declared, text, str(file)).lines() if declared else []
    parts, examples = _parts(sections[:-1], identifier, file, allowed)
    steps = in_steps.parse(fields.mapping("steps"), str(file))
    if steps:
        parts.append(f"## Steps\n\n{in_steps.told(steps)}")
    contract = read_contract(file.parent.parent.parent / CONTRACT)
    if contract is not None:
        parts.append(f"## What every submission must do\n\n{contract.text}")
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
        formula=sections[_SECTIONS.index("Formula")].whole_body().strip("\n"),
        folder=file.parent,
        place=fields.place,
        examples=examples,
        contract=contract,
        demands=fields.texts("demands", default=()),
        bans=fields.texts("bans", default=()),
        waives=fields.texts("waives", default=()),
        model=_model_place(fields),
        steps=steps,
    )
    if fields.truth("formula_as_hint"):
        brief = brief.with_formula_as_hint()
    fields.refuse_others()
    known = (*contract.demands, *contract.bans) if contract else ()
    for name in brief.waives:
        if name not in known:
            raise fields.place.error(
                f"it waives {name!r}, which the pack's {CONTRACT} does not require",
                f"Known are {', '.join(known)}" if known else "",
            )
    return brief, []


def _model_place(fields: Fields) -> str:
    found = fields.text("model", default="")
    if found and found not in MODEL_PLACES:
        raise fields.place.error(
            f"a real model has no place {found!r}", f"Known are {', '.join(MODEL_PLACES)}"
        )
    return found


def read_contract(file: Path) -> Contract | None:
    """Read the rules for every submission; None where the pack has no such file.

    Raises PackError or DocumentError when it is there and cannot be used.
    """
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"cannot be read: {error}", where=str(file)) from error
    document = read_document(without_checks(text), str(file), strict=True)
    fields = Fields(document.front_matter, SourceLocation(str(file), 1))
    paragraph = document.preamble.strip()
    if document.sections or not paragraph or "\n\n" in paragraph:
        raise fields.place.error(
            "it must be one paragraph",
            "Say what every submission must do in one paragraph, without headings",
        )
    contract = Contract(
        paragraph, fields.texts("demands", default=()), fields.texts("bans", default=())
    )
    fields.refuse_others()
    return contract


def _sections(document: Document, file: Path) -> tuple[Section, ...]:
    found = tuple(section.title for section in document.sections)
    if found != _SECTIONS or document.preamble.strip():
        raise SourceLocation(
            str(file), document.sections[0].line if document.sections else 1
        ).error(
            f"a brief has the sections {', '.join(_SECTIONS)}, but this one {', '.join(found)}",
            "Give it those five sections, in that order, and nothing before them",
        )
    for section in document.sections:
        if not section.whole_body().strip():
            raise SourceLocation(str(file), section.line).error(
                f"the section {section.title} is empty"
            )
    return document.sections


def _parts(
    sections: tuple[Section, ...], identifier: str, file: Path, allowed: list[str]
) -> tuple[list[str], tuple[Example, ...]]:
    """The Markdown of each section, and the runnable examples in it.

    What inputs are `allowed` to be follows the shapes.
    """
    parts: list[str] = []
    examples: list[Example] = []
    for section in sections:
        body = section.whole_body()
        owner = f"{identifier}-{section.title.lower()}"
        examples.extend(
            find_examples(body, owner, SourceLocation(str(file), section.body_line)).examples
        )
        if section.title == "Shapes" and allowed:
            body = "\n".join([body.rstrip("\n"), *allowed, ""])
        parts.append(f"## {section.title}\n\n{body}")
    return parts, tuple(examples)


def _hints(section: Section, file: Path) -> tuple[str, ...]:
    titles = tuple(child.title for child in section.children)
    hints = tuple(child.whole_body().strip() for child in section.children)
    if titles != _HINTS or not all(hints):
        raise SourceLocation(str(file), section.line).error(
            "a drill has three hints, ### 1, ### 2 and ### 3, none of them empty"
        )
    return hints


def _backends(fields: Fields) -> tuple[str, ...]:
    backends = fields.texts("backends", default=BACKENDS)
    if not backends or any(each not in BACKENDS for each in backends):
        raise fields.place.error(
            f"backends must be torch or numpy, not {', '.join(backends) or 'none'}"
        )
    return backends
