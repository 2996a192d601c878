"""`concept`: states of concepts, suggested changes of state, and merged concepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from studyattn.cli.common import (
    READING_WIDTH,
    Answer,
    Rows,
    Shown,
    local,
    rendered,
    say,
    title,
)
from studyattn.errors import NotFoundError
from studyattn.study import concepts
from studyattn.text.tree import branches

if TYPE_CHECKING:
    from studyattn.store.queries.concept_changes import ConceptChange
    from studyattn.study.concepts.board import ConceptLine
    from studyattn.study.concepts.concept_page import ConceptPage
    from studyattn.study.profile import Profile
    from studyattn.study.review.browse import BrowsedItem
    from studyattn.study.rules.evidence import Suggestion

_SIGNS = {"unseen": "○", "known-unknown": "●", "known": "✓"}
_WEIGHTS = {"for": "✓", "missing": "○", "against": "✗"}
_LEVELS = 3  # of requirements, and of what is unlocked; JSON has all of them


def list_(profile: Profile, state: str | None, most: int | None) -> Answer:
    lines = concepts.board.list_concepts(profile, state, most)
    among = {line.slug for line in lines}
    proposed = concepts.suggestions.suggestions(profile, among=among)
    suggested = {each.slug: each for each in proposed}
    rows = [_line(line, suggested.get(line.slug)) for line in lines]
    value = [{**line._asdict(), "suggestion": suggested.get(line.slug)} for line in lines]
    return Answer(value, Rows(rows))


def _line(line: ConceptLine, suggested: Suggestion | None) -> tuple[str, ...]:
    return (
        f"{_SIGNS[line.state]} {line.slug}",
        f"{line.held}/{line.cards} held" if line.cards else "",
        f"{line.due} due" if line.due else "",
        f"{line.new} new" if line.new else "",
        f"{line.drills_passed}/{line.drills} passed" if line.drills else "",
        line.title
        + (f" = {line.joined_into}" if line.joined_into else "")
        + (f"  → {suggested.to_state}?" if suggested else ""),
    )


def show(profile: Profile, concept: str) -> Answer:
    page = concepts.concept_page.show_concept(profile, concept)
    return Answer(page, _page(page))


def _page(page: ConceptPage) -> Iterator[Shown]:
    from studyattn.study.practice.model_runs import lines_of  # late: JSON does without it

    yield f"{_SIGNS[page.line.state]} {page.line.title} ({page.line.state})"
    if page.suggestion is not None:
        question = f"Move it to {page.suggestion.to_state}?"
        command = f"(`studyattn concept accept {page.line.slug}`)"
        yield f"→ {page.suggestion.reason} {question} {command}"
    if page.body:
        yield f"\n{rendered(page.body)}"
    for correction in page.corrections:
        yield f"\n{rendered(correction.markdown)}"
    for run in page.runs:  # recorded results of a real model, with the commands to reproduce them
        yield f"\nMeasured in a real model: {run.title}\n{rendered(run.shows)}"
        for line in (*lines_of(run.asked, width=READING_WIDTH), run.asked.command):
            yield partial(say, f"  {line}", hang=4)
    yield _graph(page)
    if page.items:
        yield ("", Rows(map(_item, page.items), title))
    yield _seen(page)


def _item(item: BrowsedItem) -> tuple[str, ...]:
    return (
        item.guid,
        item.drill_state or item.phase,
        "" if item.stability is None else f"{item.stability:.1f} d",
        "" if item.retrievability is None else f"{item.retrievability:.0%} recall",
        "suspended" if item.suspended else local(item.due),
        item.title,
    )


def _graph(page: ConceptPage) -> Iterator[str]:
    """The same picture as in the app: requirements above the concept, what it unlocks below."""
    slug, graph = page.line.slug, page.graph
    if len(graph.nodes) == 1:
        return
    yield ""
    above = branches(slug, graph.requires, levels=_LEVELS, upwards=True)
    below = branches(slug, graph.unlocks, levels=_LEVELS)
    for branch in (*above, None, *below):
        node = graph.nodes[slug if branch is None else branch.node]
        remark = ""
        if branch is not None and branch.folded:
            remark = f"  + {branch.folded} more"
        elif branch is not None and branch.elsewhere:
            remark = "  … above" if branch.elsewhere < 0 else "  … below"
        yield f"{branch.rails if branch else ''}{_SIGNS[node.state]} {node.title}{remark}"


def _seen(page: ConceptPage) -> Iterator[Shown]:
    """Evidence, mistakes, errata, notes, and the history of its state."""
    if page.evidence:
        yield ("", *(f"{_WEIGHTS[each.weight]} {each.text}" for each in page.evidence))
    for mistake in page.mistakes:
        seen = f"{mistake.times}× in {mistake.drill}, last {local(mistake.last)}"
        yield f"\nMistake seen: {mistake.title} ({mistake.misconception}, {seen})"
    for erratum in page.errata:
        yield f"\n{rendered(f'A source says ({erratum.source}): {erratum.says}')}"
        yield rendered(f"The numbers say: {erratum.right}")
    notes = [(note.id, note.title) for note in page.notes]
    notes += [(note.id, note.title) for note in page.linked_notes]
    for number, name in dict.fromkeys(notes):
        yield f"\nNote {number}: {name}"
    yield _history(page.changes)


def _history(changes: Sequence[ConceptChange]) -> Iterator[str]:
    if changes:
        yield ""
    for change in changes:
        why = f": {change.reason}" if change.reason else ""
        yield f"{local(change.at)}  {change.from_state} → {change.to_state}{why}"


def accept(profile: Profile, concept: str) -> Answer:
    suggestion = _suggested(profile, concept)
    concepts.suggestions.accept(profile, suggestion)
    state, reason = suggestion.to_state, suggestion.reason
    value = {"slug": concept, "state": state, "reason": reason}
    return Answer(value, f"{concept} is {state}. {reason}")


def later(profile: Profile, concept: str) -> Answer:
    concepts.suggestions.put_off(profile, _suggested(profile, concept))
    text = f"The suggestion for {concept} is postponed until tomorrow."
    return Answer({"slug": concept, "put_off": True}, text)


def _suggested(profile: Profile, slug: str) -> Suggestion:
    """Return the suggestion for a concept. Raises NotFoundError when there is none."""
    suggestion = concepts.concept_page.show_concept(profile, slug).suggestion
    if suggestion is None:
        raise NotFoundError(
            f"nothing is suggested for {slug} today",
            advice=f"`studyattn concept show {slug}` shows the evidence.",
        )
    return suggestion


def undo(profile: Profile) -> Answer:
    undone = concepts.board.undo_move(profile)
    if undone is None:
        return Answer(None, "There is no move to undo.", failed=True)
    return Answer(undone, f"{undone.slug} is {undone.to_state} again.")


def set_(profile: Profile, concept: str, state: str, why: str) -> Answer:
    changed = concepts.board.set_state(profile, concept, state, why)
    text = f"{concept} is {state}{'' if changed else ' already'}."
    return Answer({"slug": concept, "state": state, "changed": changed}, text)


def merge(profile: Profile, slug: str, into: str, whole: str) -> Answer:
    del into  # a word of the command line, which was checked
    concepts.board.merge(profile, slug, whole)
    text = f"{slug} is now part of {whole}. To undo: `studyattn concept unmerge {slug}`"
    return Answer({"slug": slug, "joined_into": whole}, text)


def unmerge(profile: Profile, concept: str) -> Answer:
    whole = concepts.board.part(profile, concept)
    value = {"slug": concept, "joined_into": None, "parted_from": whole}
    return Answer(value, f"{concept} and {whole} are two concepts again.")
