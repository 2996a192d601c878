"""Questions of a document in Markdown by its shape, with no marks of a program.

The text is cut into units (`units`). Those of one shape ask or do not, judged by all of the
document together; the text below a unit that asks is its answer. What no rule is certain of is an
offer: the learner sees how many cards it would give, and takes it with one key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Final

from studyattn.exchange.documents.contents import state_of, title_of
from studyattn.exchange.documents.dialects.trees import cards_of
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.names import field_of
from studyattn.exchange.documents.pairs import (
    choices,
    clozes,
    fielded,
    fields_that_ask,
    in_code,
    labelled,
    marked,
    part_links,
    parted,
    separated,
)
from studyattn.exchange.documents.rows import ITEM, is_contents, unfenced
from studyattn.exchange.documents.units import (
    BOLD,
    CALLOUTS,
    COUNTED,
    FILE,
    LIST,
    LONGEST_TERM,
    NUMBERED,
    TERMS,
    TextUnit,
    asking,
    asks,
    below,
    learned,
    titled,
    units_of,
    words_of,
)
from studyattn.grouping import grouped
from studyattn.text.document import Document, Section

_QUESTIONS = re.compile(r"\b(questions?|q\s*(&|and|\+)\s*a|q/a|faq)\b", re.IGNORECASE)
_ONLY_QUESTIONS = re.compile(
    r"^\W*(questions?(\W+|\s+and\s+)?(answers?)?|q\s*(&|and|\+)\s*a|q/a|faqs?)\W*$", re.IGNORECASE
)
_LIST_SIGN = re.compile(rf"^\s*{ITEM}\s+")
_LONGEST_FRONT: Final = 160
"""Characters of a title that may be a front; a longer one is a sentence of a text."""
_LONGEST_FILE: Final = 1500
"""Characters of a file that may be a card; a longer one is a text."""


@dataclass(frozen=True)
class Shapes:
    """A document, its units by their shape, and which of them are questions."""

    document: Document

    @cached_property
    def sections(self) -> Mapping[str, Sequence[Section]]:
        """The sections by their shape, without tables of contents."""
        levels = grouped(
            (f"h{section.level}", section)
            for section in self.document.walk()
            if not is_contents(section.whole_body())
        )
        return dict(sorted(levels.items()))

    # -- the questions that a document certainly has ---------------------------------------------

    def questions(self) -> Iterator[ExtractedQuestion]:
        """Yield the questions that the document itself marks as such."""
        text = "\n".join(self.document.lines)
        for whole in (labelled, separated, fielded, in_code):
            if found := list(whole(text)):
                yield from found
                return
        found, learned = list(self._by_title()), list(fields_that_ask(text))
        is_better = 2 * len(learned) >= len(found) and len(learned) > _answered(found)
        yield from learned if is_better else found

    def _by_title(self) -> Iterator[ExtractedQuestion]:
        """Yield the questions of front matter, headings, `Q:` and clozes."""
        yield from self._of_front_matter()
        yield from marked(self.document.preamble, self.document.preamble_line)
        yield from clozes(
            self.document.preamble, self.document.preamble_line, title_of(self.document)
        )
        for section in self.document.sections:
            yield from self._questions_of(section)

    def with_units(self) -> Iterator[ExtractedQuestion]:
        """Yield the questions of the document, or else those that units within its texts are."""
        found = list(self.questions())
        yield from found
        if any(each.answer for each in found):
            return
        units = max(filter(_mostly_answered, self._asking_units), key=len, default=())
        if not units and asks(self._title) and 0 < len(self._file.answer) <= _LONGEST_FILE:
            units = [self._file]
        yield from units

    def bare(self) -> Iterator[int]:
        """Yield the lines of units that ask, and that nothing answers."""
        for made in self._asking_units:
            yield from (each.line for each in made if not each.answer)

    @cached_property
    def _asking_units(self) -> Sequence[Sequence[ExtractedQuestion]]:
        """The questions that the units of each shape are."""
        found = []
        for shape in (BOLD, LIST, COUNTED, CALLOUTS):
            units = [each for _, each in self._units if each.shape == shape]
            chosen = {each.line for each in asking(units)}
            found.append([each for each in self.by_shape(shape) if each.line in chosen])
        return found

    def _of_front_matter(self) -> Iterator[ExtractedQuestion]:
        """Yield the cards that front matter lists, and the one that it asks itself.

        The answer to that is the text, or another field.
        """
        fields = {key.casefold(): value for key, value in self.document.front_matter.items()}
        for card in cards_of([*fields.values()], self._title).questions:
            yield replace(card, line=2)
        asked = field_of(fields, "sure")
        answer = field_of(fields, "back") or self._file.answer
        if asked and answer:
            yield ExtractedQuestion(asked, answer, 2, asked=self._title)

    @cached_property
    def _file(self) -> ExtractedQuestion:
        """The card that the whole file is: its title asks for its text."""
        title = title_of(self.document, of_cards=True)
        texts = [self.document.preamble]
        for each in self.document.sections:
            heading = "" if each.title == title else f"{'#' * each.level} {each.title}\n\n"
            texts.append(f"{heading}{each.whole_body()}".strip())
        answer = part_links("\n\n".join(filter(None, texts)))[0]
        return ExtractedQuestion(words_of(title), answer, 1)

    @cached_property
    def _title(self) -> str:
        return self.document.title if self.document.title != self.document.name else ""

    @cached_property
    def _repeated(self) -> frozenset[str]:
        """The titles that several sections have, without their numbers."""
        titles = Counter(words_of(each.title) for each in self.document.walk())
        return frozenset(title for title, times in titles.items() if times > 1)

    @cached_property
    def _counters(self) -> frozenset[int]:
        """The lines of sections whose titles only count, "Question 3", and that hide an answer."""
        lines: set[int] = set()
        for sections in self.sections.values():
            alike = Counter(re.sub(r"\d+", "#", each.title) for each in sections)
            title, times = alike.most_common(1)[0]
            if times > 1 and re.fullmatch(r"\W*(?:[^\W\d_]+\W+)?#\W*", title):
                lines |= {
                    each.line
                    for each in sections
                    if re.sub(r"\d+", "#", each.title) == title and _sides(each.whole_body())
                }
        return frozenset(lines)

    @cached_property
    def _asking(self) -> frozenset[int]:
        """The lines of the headings that ask, judged by all headings of their level together.

        In a document that says that it has questions numbered headings are questions if no others
        are.
        """
        found: Sequence[Section]
        found = [*chain.from_iterable(map(asking, self.sections.values()))]
        if not found and self._title and _QUESTIONS.search(self._title):
            below_title = (
                sections
                for sections in self.sections.values()
                if all(each.title != self._title for each in sections)
            )
            first = next(below_title, ())
            numbered = titled(NUMBERED, first)
            found = numbered if 2 * len(numbered) > len(first) > 1 else []
        return frozenset(each.line for each in found) | self._counters

    def _questions_of(self, section: Section) -> Iterator[ExtractedQuestion]:
        if state_of(section.title):
            return
        if section.line in self._asking and not _heads_questions(section):
            yield from self._asked(section)
            return
        yield from marked(section.body, section.body_line)
        yield from clozes(section.body, section.body_line, section.title)
        if self._asks(section):
            for child in section.children:
                asks_itself = child.line in self._asking
                if asks_itself or words_of(child.title) not in self._repeated:
                    yield from self._asked(child)
            return
        for child in section.children:
            yield from self._questions_of(child)

    def _asked(self, section: Section) -> Iterator[ExtractedQuestion]:
        """Yield the question that a section is.

        Where several have the same title, "What is the output?", what comes before the answer is
        asked as well; where the titles only count, it is the question.
        """
        if state_of(section.title) or is_contents(section.whole_body()):
            return
        text = words_of(section.title)
        answer, links = part_links(section.whole_body())
        if section.line in self._counters and (sides := _sides(section.whole_body())):
            yield ExtractedQuestion(*sides, section.line, asked=self._title)
        elif text in self._repeated and (sides := parted(answer)):
            asked, answer = sides
            yield ExtractedQuestion(f"{text}\n\n{asked}", answer, section.line, links, asked=text)
        elif text:
            yield ExtractedQuestion(text, answer, section.line, links)

    def _asks(self, section: Section) -> bool:
        """Return whether the sections below are questions by the name of this one.

        The title of a whole document may also speak of questions that are deeper down, so those
        below it must look like questions, and if some are such by their headings the others are
        none.
        """
        children = section.children
        named = _QUESTIONS.search(section.title)
        if not named or not children or any(map(_heads_questions, children)):
            return False
        lines = attrgetter("line")
        deeper = {*map(lines, section.walk())} - {*map(lines, (section, *children))}
        hide = sum("<summary" in child.body for child in children)
        if 2 * hide > len(children) or deeper & self._asking:
            return False
        return bool(_ONLY_QUESTIONS.match(section.title)) or self._look_like_questions(children)

    def _look_like_questions(self, sections: Sequence[Section]) -> bool:
        looks = sum(bool(NUMBERED.match(each.title)) or asks(each.title) for each in sections)
        found = any(each.line in self._asking for each in sections)
        return not found and 2 * looks > len(sections)

    # -- what a shape would give -----------------------------------------------------------------

    @cached_property
    def _units(self) -> Sequence[tuple[str, TextUnit]]:
        """The units within the texts of sections, each with its text."""
        found: list[tuple[str, TextUnit]] = []
        rows = unfenced("\n".join(self.document.lines))
        mark = learned(_LIST_SIGN.sub("", row)[: 2 * LONGEST_TERM] for row in rows)
        for body, line in self._bodies:
            by_shape = grouped((unit.shape, unit) for unit in units_of(body, line, mark))
            for units in by_shape.values():
                found += [(text, unit) for unit, text in below(units, body)]
        return sorted(found, key=lambda each: each[1].line)

    @cached_property
    def _bodies(self) -> Sequence[tuple[str, int]]:
        found = [(self.document.preamble, self.document.preamble_line)]
        found += [
            (section.body, section.body_line)
            for section in self.document.walk()
            if not state_of(section.title) and not is_contents(section.body)
        ]
        return found

    def by_shape(self, shape: str) -> Iterator[ExtractedQuestion]:
        """Yield a question for each unit of a shape; without an answer where nothing is below."""
        for section in self.sections.get(shape, ()):
            title = words_of(section.title)
            if title and not state_of(title):
                answer = part_links(section.whole_body())[0]
                yield ExtractedQuestion(title, answer, section.line)
        if shape == FILE:
            yield self._file
        for text, unit in self._units:
            if unit.shape == shape and unit.words:
                yield ExtractedQuestion(
                    unit.words, part_links(text)[0], unit.line, asked=self._title
                )

    def offers(self) -> Iterator[tuple[str, Sequence[ExtractedQuestion]]]:
        """Yield the shapes that may be cards, with what each would give."""
        for shape in (*self.sections, BOLD, LIST, COUNTED, TERMS, CALLOUTS):
            made = list(self.by_shape(shape))
            answered = [each for each in made if each.answer and len(each.text) <= _LONGEST_FRONT]
            alike = len({each.text for each in answered})
            if alike > 1 and 4 * alike > len(answered) > len(made) / 2:
                yield shape, answered
        few = len(self.document.sections) < 2 and 0 < len(self._file.answer) <= _LONGEST_FILE
        if few or asks(self._title):
            yield FILE, [self._file]


def _answered(questions: Sequence[ExtractedQuestion]) -> int:
    return sum(bool(each.answer) for each in questions)


def _mostly_answered(questions: Sequence[ExtractedQuestion]) -> bool:
    return 2 * _answered(questions) > len(questions)


def _sides(body: str) -> tuple[str, str] | None:
    """Return what a text asks and answers by its own marks: ticked options, a label, a fold."""
    return choices(body) or parted(body)


def _heads_questions(section: Section) -> bool:
    """Return whether questions are below a section: by its name, by `Q:`, or as a bare list."""
    title = words_of(section.title)
    if len(list(marked(section.whole_body(), 1))) > 1:
        return True
    rows = [row for row in section.body.split("\n") if row.strip()]
    if len(rows) > 1 and all(map(asks, rows)):
        return True
    return bool(_ONLY_QUESTIONS.match(title) or (_QUESTIONS.search(title) and section.children))
