"""The answer below a question: where it begins, what it ends with, the links that follow it."""

from __future__ import annotations

import re

from studyattn.exchange.documents.draft import SourceLink

_RULE = re.compile(r"(?:^|\n)\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})\s*$")
_UP = re.compile(r"(?:^|\n)[^\w\n]*\[[^\]\n]*\]\(#[^)\n]*\)\W*$")
"""A closing link to the top of the page."""
_LEARN_MORE = re.compile(
    r"^\W*(learn more|read more|further reading|see also|references|links)\W*$", re.IGNORECASE
)
_LINK = re.compile(
    r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])+)\]\((?P<address>[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)"
)
_BARE_LINK = re.compile(r"<?(?P<address>https?://[^\s<>]+)>?")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_ANSWER_BELOW = re.compile(r"^\s*<details\b|^\W*Answer\s*:", re.IGNORECASE)
_NO_ANSWER = re.compile(r"\W*Answer\W*", re.IGNORECASE)
_LABEL = re.compile(
    r"\A\W*(?:(?:hide|show|view)\s+)?(?:answer|solution)s?\b[^\w\n]*\n", re.IGNORECASE
)
_DETAILS = re.compile(r"</?(?:details|p)\b[^>]*>|<summary\b[^>]*>.*?</summary\s*>", re.DOTALL)
_OPTION = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[(?P<mark>[ xX])\]\s+(?P<text>.*)$")


def part_links(body: str) -> tuple[str, tuple[SourceLink, ...]]:
    """Return the answer without its closing rule, and the links of its closing "Learn more"."""
    body = _RULE.sub("", _UP.sub("", _RULE.sub("", body.strip())).strip()).strip()
    rows = body.split("\n")
    for index in range(len(rows) - 1, -1, -1):
        if _LEARN_MORE.match(rows[index]):
            rest = [row for row in rows[index + 1 :] if row.strip()]
            links = [link for row in rest if (link := _link(row))]
            if links and len(links) == len(rest):
                return "\n".join(rows[:index]).strip(), tuple(links)
    return "" if _NO_ANSWER.fullmatch(body) else body, ()


def _link(row: str) -> SourceLink | None:
    if match := _LINK.search(row):
        return SourceLink(match["text"], match["address"])
    if match := _BARE_LINK.search(row):
        return SourceLink(match["address"], match["address"])
    return None


def unlabelled(answer: str) -> str:
    """Return an answer without a first row that says only that it is one."""
    return _LABEL.sub("", answer).strip()


def parted(body: str) -> tuple[str, str] | None:
    """Return what a body asks and what it answers; None if it does not say where the answer is."""
    rows, fence = body.split("\n"), ""
    for at, row in enumerate(rows):
        fence = fence_after(row, fence)
        if not fence and _ANSWER_BELOW.match(row):
            answer = _DETAILS.sub("", "\n".join(rows[at:]))
            return ("\n".join(rows[:at]).strip(), answer.strip()) if at else None
    return None


def choices(body: str) -> tuple[str, str] | None:
    """Return a question with its options, and the options that are ticked; None without both."""
    rows = body.split("\n")
    options = {at: found for at, row in enumerate(rows) if (found := _OPTION.match(row))}
    ticked = [each["text"] for each in options.values() if each["mark"] != " "]
    if not ticked or len(ticked) == len(options):
        return None
    asked = [f"- {options[at]['text']}" if at in options else row for at, row in enumerate(rows)]
    last = max(options) + 1
    right = "\n".join(f"- {each}" for each in ticked) if len(ticked) > 1 else ticked[0]
    return "\n".join(asked[:last]).strip(), "\n\n".join([right, *_rest(asked[last:])])


def _rest(rows: list[str]) -> list[str]:
    text = "\n".join(rows).strip()
    return [text] if text else []


def fence_after(row: str, fence: str) -> str:
    """Return the code fence that is open after a row."""
    mark = _FENCE.match(row)
    if not mark:
        return fence
    if not fence:
        return mark[1]
    return "" if mark[1].startswith(fence) else fence
