"""Finds the runnable examples in Markdown: a `python example` fence and the `output` after it.

Of an example that begins with `python predict` the output is asked before it is shown. A list of
wrong outputs may follow it, each with the reason why it is wrong.

A `python faulty` fence is the program of a card that asks for its bug; it too has an `output`, and
before it may stand what the program is given (`python given`).

A `python check` fence proves a statement of its file and is not part of any text.

Only finds them; `examples` runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from studyattn.packs.model import Example, PagePart, Prediction, SourceLocation
from studyattn.text.markdown import parse_blocks

if TYPE_CHECKING:
    from markdown_it.token import Token

_EXAMPLE = re.compile(
    r"python\s+(?P<word>example|predict(?P<typed>\s+typed)?)"
    r"(?:\s+\{#(?P<id>[a-z0-9][a-z0-9-]*)\}|\s+choices=\"(?P<choices>[^\"]*)\")*"
)
_WRONG = re.compile(
    r"- Not `(?P<output>[^`]+)`(?: +\((?P<mended>[a-z0-9][a-z0-9-]*)\))?: +(?P<reason>\S.*)"
)
_GIVEN, _FAULTY = "python given", "python faulty"
_OUTPUT = "output"
_CHECK: Final = re.compile(
    r"^(?P<fence>`{3,})python check *\n(?P<code>(?P<quoted>(?:#[^\n]*\n)*).*?)^(?P=fence) *$",
    re.DOTALL | re.MULTILINE,
)


class FoundExample(NamedTuple):
    """The examples of a text, and the text without them."""

    examples: tuple[Example, ...]
    rest: str


def without_checks(text: str) -> str:
    """Return a file's text with blank lines in place of its checks, so that other lines stay."""
    return _CHECK.sub(lambda check: "\n" * check[0].count("\n"), text)


def checks_in(file: Path) -> Iterator[Example]:
    """Yield the checks of a file; the title of each is the statement that it quotes and proves."""
    text = file.read_text(encoding="utf-8")
    for number, found in enumerate(_CHECK.finditer(text), start=1):
        yield Example(
            id=f"{file.stem}-check-{number}",
            title=" ".join(re.sub(r"^#", "", found["quoted"], flags=re.MULTILINE).split()),
            source=found["code"],
            output="",
            place=SourceLocation(str(file), text.count("\n", 0, found.start()) + 1),
        )


def find_examples(markdown: str, owner: str, place: SourceLocation) -> FoundExample:
    """Return the runnable examples of `markdown`, whose first line is at `place`.

    One without an id of its own is called after its owner: `owner-1`, `owner-2`.
    Raises PackError for an example without output, without a title, or an output without example.
    """
    if not re.search("```|~~~", markdown):
        return FoundExample((), _closed_up(markdown))
    lines = markdown.split("\n")
    fences = _fences(markdown)
    examples: list[Example] = []
    gone: set[int] = set()
    outputs: list[Token] = []
    for fence, output in zip_longest(fences, fences[1:]):
        info, at = fence.info.strip(), place.below(_first(fence))
        if info == _OUTPUT and fence not in outputs:
            raise at.error(
                "an output block without an example before it",
                "Put it directly after its ```python example block",
            )
        if not info.startswith(_MARKED):
            continue
        named = _first_line(info, at)
        if output is None or not _directly_after(fence, output, lines):
            raise at.error(
                "an example without an output block directly after it",
                "Add a fenced block ```output with what the code prints",
            )
        outputs.append(output)
        gone.update(range(_first(fence), _after(output)))
        examples.append(
            Example(
                id=named["id"] or f"{owner}-{len(examples) + 1}",
                title=_title(fence.content, at),
                source=fence.content,
                output=output.content,
                place=at,
                prediction=_prediction(named, lines, _after(output), place),
            )
        )
    rest = "\n".join(line for number, line in enumerate(lines) if number not in gone)
    return FoundExample(tuple(examples), _closed_up(rest).strip("\n"))


_MARKED = ("python example", "python predict", "python check")


def _first_line(info: str, at: SourceLocation) -> re.Match[str]:
    named = _EXAMPLE.fullmatch(info)
    if named is None or (named["word"] == "example" and named["choices"] is not None):
        raise at.error(
            f"cannot read the example's first line: {info!r}",
            "Write ```python example or ```python example {#some-id}, for an output that"
            " is asked ```python predict or ```python predict typed, for a proof ```python"
            " check",
        )
    return named


def _fences(markdown: str) -> list[Token]:
    return [token for token in parse_blocks(markdown) if token.type == "fence" and token.map]


def _closed_up(markdown: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", markdown)


class Faulty(NamedTuple):
    """A program with a bug, as it is read and as it is run, and the text after it."""

    program: str
    source: str
    output: str
    begins: SourceLocation
    rest: str


def find_faulty(markdown: str, place: SourceLocation) -> Faulty:
    """The `python faulty` fence with which `markdown` begins, what it is given, and its output.

    Raises PackError when the text does not begin with these fences.
    """
    lines = markdown.split("\n")
    fences = _fences(markdown)
    infos = [fence.info.strip() for fence in fences]
    wanted = [_GIVEN, _FAULTY, _OUTPUT] if infos[:1] == [_GIVEN] else [_FAULTY, _OUTPUT]
    found = fences[: len(wanted)]
    gone = {number for each in found for number in range(_first(each), _after(each))}
    last = _after(found[-1]) if found else 0
    between = "".join(lines[number] for number in range(last) if number not in gone)
    if infos[: len(wanted)] != wanted or between.strip():
        raise place.error(
            "a bug begins with a block ```python faulty and, directly after it, its ```output",
            "Code that the program needs may come before it, in ```python given",
        )
    begin, program, output = found[0], found[-2], found[-1]
    # As many lines as stand between the two blocks, so that an error is told at the file's line.
    gap = "\n" * (_first(program) + 1 - _after(begin) + 1)
    given = "" if begin is program else begin.content + gap
    begins = place.below(_first(begin))
    rest = "\n".join(lines[_after(output) :]).strip("\n")
    return Faulty(program.content, given + program.content, output.content, begins, rest)


def without_mending(markdown: str) -> str:
    """Return a text without the names of what mends wrong outputs, which are not to be read."""
    return re.sub(r"^(- Not `[^`]+`) +\([a-z0-9-]+\):", r"\1:", markdown, flags=re.MULTILINE)


def _prediction(
    first_line: re.Match[str], lines: list[str], after: int, place: SourceLocation
) -> Prediction | None:
    """Return how the output that ends before line `after` is asked."""
    if first_line["word"] == "example":
        return None
    reasons, mended_by, end = _reasons(lines, after)
    if end < len(lines) and lines[end].startswith("- Not `"):
        raise place.below(end).error(
            f"cannot read why an output is wrong: {lines[end]!r}",
            "Write - Not `OUTPUT` (CARD OR MISCONCEPTION): the reason",
        )
    choices = [each.strip() for each in (first_line["choices"] or "").split("|")]
    if not first_line["typed"]:
        choices += [each for each in reasons if each not in choices]
    return Prediction(tuple(filter(None, choices)), reasons, mended_by)


def _reasons(lines: list[str], after: int) -> tuple[dict[str, str], dict[str, str], int]:
    """Return the wrong outputs from line `after` on, and the line behind them.

    By output: the reason, and what mends it where that is named. A line that begins with two spaces
    continues a reason.
    """
    reasons: dict[str, str] = {}
    mended_by: dict[str, str] = {}
    output, end = "", after
    for at in range(after, len(lines)):
        line = lines[at]
        if found := _WRONG.fullmatch(line):
            output = found["output"].strip()
            reasons[output] = found["reason"].strip()
            if found["mended"]:
                mended_by[output] = found["mended"]
        elif output and line.startswith("  ") and line.strip():
            reasons[output] += f" {line.strip()}"
        elif line.strip():
            return reasons, mended_by, at
        end = at + 1
    return reasons, mended_by, end


def find_parts(markdown: str, examples: Iterable[Example], place: SourceLocation) -> list[PagePart]:
    """Divide `markdown`, whose first line is at `place`, after the code of each prediction.

    `examples` are those that `find_examples` finds there.
    """
    lines = markdown.split("\n")
    fences = _fences(markdown)
    asked = {each.place.line - place.line: each for each in examples if each.prediction}
    parts: list[PagePart] = []
    begin = 0
    for index, fence in enumerate(fences):
        example = asked.get(_first(fence))
        if example is not None:
            parts.append(PagePart("\n".join(lines[begin : _after(fence)]).strip("\n"), example))
            *_, begin = _reasons(lines, _after(fences[index + 1]))
    last = "\n".join(lines[begin:]).strip("\n")
    return [*parts, PagePart(last)] if last or not parts else parts


def _directly_after(fence: Token, output: Token, lines: list[str]) -> bool:
    between = lines[_after(fence) : _first(output)]
    return output.info.strip() == _OUTPUT and not any(line.strip() for line in between)


def _title(source: str, place: SourceLocation) -> str:
    first = source.split("\n", 1)[0]
    if not first.startswith("# ") or not first[2:].strip():
        raise place.error(
            "an example whose first line does not say what it shows",
            "Begin it with a comment: # what it shows, in a few words",
        )
    return first[2:].strip()


def _first(token: Token) -> int:
    return token.map[0] if token.map else 0


def _after(token: Token) -> int:
    return token.map[1] if token.map else 0
