"""`concept`: states of concepts, suggested changes of state, and merged concepts."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    READING_WIDTH,
    emit,
    examples,
    json_option,
    local,
    opened,
    pass_invocation,
    plain,
    rendered,
    respond,
    say,
    table,
    title,
)
from studyattn.cli.names import CONCEPT, slug_of, words
from studyattn.cli.paging import paged
from studyattn.errors import NotFoundError
from studyattn.study import concepts
from studyattn.text.tree import branches

if TYPE_CHECKING:
    from studyattn.study.concepts.concept_page import ConceptPage
    from studyattn.study.profile import Profile
    from studyattn.study.review.views import Suggestion

_SIGNS = {"unseen": "○", "known-unknown": "●", "known": "✓"}
_LEVELS = 3  # of requirements, and of what is unlocked; JSON has all of them


@click.group(epilog=examples("studyattn concept list", "studyattn concept set softmax known"))
def concept() -> None:
    """Show concepts, set their state, merge and unmerge them."""


@concept.command(
    "list",
    epilog=examples("studyattn concept list", "studyattn concept list --state known-unknown"),
)
@click.option("--state", type=click.Choice(list(_SIGNS)), help="List only concepts in this state.")
@json_option
@pass_invocation
@paged()
def list_(invocation: Invocation, state: str | None, as_json: bool) -> None:
    """List every concept with its state, progress and suggested change."""
    with opened(invocation) as profile:
        lines = concepts.board.list_concepts(profile, state)
        suggested = {each.slug: each for each in concepts.suggestions.suggestions(profile)}
    if as_json:
        emit([{**plain(line), "suggestion": suggested.get(line.slug)} for line in lines])
        return
    table(
        [
            (
                f"{_SIGNS[line.state]} {line.slug}",
                f"{line.held}/{line.cards} held" if line.cards else "",
                f"{line.due} due" if line.due else "",
                f"{line.new} new" if line.new else "",
                f"{line.drills_passed}/{line.drills} passed" if line.drills else "",
                line.title
                + (f" = {line.joined_into}" if line.joined_into else "")
                + (f"  → {suggested[line.slug].to_state}?" if line.slug in suggested else ""),
            )
            for line in lines
        ]
    )


@concept.command(epilog=examples("studyattn concept show softmax"))
@click.argument("slug", metavar="CONCEPT", type=CONCEPT)
@json_option
@pass_invocation
@paged()
def show(invocation: Invocation, slug: str, as_json: bool) -> None:
    """Show a concept's text, items, history and evidence."""
    with opened(invocation) as profile:
        slug = slug_of(profile, slug)
        page = concepts.concept_page.show_concept(profile, slug)
    if as_json:
        emit(page)
        return
    say(f"{_SIGNS[page.line.state]} {page.line.title} ({page.line.state})")
    if page.suggestion is not None:
        question = f"Move it to {page.suggestion.to_state}?"
        say(f"→ {page.suggestion.reason} {question} (`studyattn concept accept {slug}`)")
    if page.body:
        say(f"\n{rendered(page.body)}")
    for correction in page.corrections:
        say(f"\n{rendered(correction.markdown)}")
    _show_runs(page)
    _show_graph(page)
    _show_items(page)
    _show_what_was_seen(page)


def _show_runs(page: ConceptPage) -> None:
    """Print the recorded results of a real model, with the commands to reproduce them."""
    from studyattn.study.practice.model_runs import lines_of  # late: few concepts have any

    for run in page.runs:
        say(f"\nMeasured in a real model: {run.title}\n{rendered(run.shows)}")
        for line in lines_of(run.asked, width=READING_WIDTH):
            say(f"  {line}", hang=4)
        say(f"  {run.asked.command}", hang=4)


def _show_graph(page: ConceptPage) -> None:
    """The same picture as in the app: requirements above the concept, what it unlocks below."""
    slug, graph = page.line.slug, page.graph
    if len(graph.nodes) == 1:
        return
    click.echo()
    above = branches(slug, graph.requires, levels=_LEVELS, upwards=True)
    below = branches(slug, graph.unlocks, levels=_LEVELS)
    for branch in (*above, None, *below):
        node = graph.nodes[slug if branch is None else branch.node]
        remark = ""
        if branch is not None and branch.folded:
            remark = f"  + {branch.folded} more"
        elif branch is not None and branch.elsewhere:
            remark = "  … above" if branch.elsewhere < 0 else "  … below"
        rails = "" if branch is None else branch.rails
        say(f"{rails}{_SIGNS[node.state]} {node.title}{remark}")


def _show_items(page: ConceptPage) -> None:
    if not page.items:
        return
    click.echo()
    table(
        [
            (
                item.guid,
                item.drill_state or item.phase,
                "" if item.stability is None else f"{item.stability:.1f} d",
                "" if item.retrievability is None else f"{item.retrievability:.0%} recall",
                "suspended" if item.suspended else local(item.due),
                item.title,
            )
            for item in page.items
        ],
        title,
    )


_WEIGHTS = {"for": "✓", "missing": "○", "against": "✗"}


def _show_what_was_seen(page: ConceptPage) -> None:
    """Evidence, mistakes, errata, notes, and the history of its state."""
    if page.evidence:
        click.echo()
    for each in page.evidence:
        say(f"{_WEIGHTS[each.weight]} {each.text}")
    for mistake in page.mistakes:
        seen = f"{mistake.times}× in {mistake.drill}, last {local(mistake.last)}"
        say(f"\nMistake seen: {mistake.title} ({mistake.misconception}, {seen})")
    for erratum in page.errata:
        say(f"\n{rendered(f'A source says ({erratum.source}): {erratum.says}')}")
        say(rendered(f"The numbers say: {erratum.right}"))
    notes = [(note.id, note.title) for note in page.notes]
    notes += [(note.id, note.title) for note in page.linked_notes]
    for number, name in dict.fromkeys(notes):
        say(f"\nNote {number}: {name}")
    if page.changes:
        click.echo()
    for change in page.changes:
        why = f": {change.reason}" if change.reason else ""
        say(f"{local(change.at)}  {change.from_state} → {change.to_state}{why}")


@concept.command(epilog=examples("studyattn concept accept softmax"))
@click.argument("slug", metavar="CONCEPT", type=CONCEPT)
@json_option
@pass_invocation
def accept(invocation: Invocation, slug: str, as_json: bool) -> None:
    """Accept the suggested state of a concept and store the reason."""
    with opened(invocation) as profile:
        slug = slug_of(profile, slug)
        suggestion = _suggested(profile, slug)
        concepts.suggestions.accept(profile, suggestion)
    respond(
        {"slug": slug, "state": suggestion.to_state, "reason": suggestion.reason},
        f"{slug} is {suggestion.to_state}. {suggestion.reason}",
        as_json=as_json,
    )


@concept.command(epilog=examples("studyattn concept later softmax"))
@click.argument("slug", metavar="CONCEPT", type=CONCEPT)
@json_option
@pass_invocation
def later(invocation: Invocation, slug: str, as_json: bool) -> None:
    """Postpone a suggestion until tomorrow."""
    with opened(invocation) as profile:
        slug = slug_of(profile, slug)
        concepts.suggestions.put_off(profile, _suggested(profile, slug))
    text = f"The suggestion for {slug} is postponed until tomorrow."
    respond({"slug": slug, "put_off": True}, text, as_json=as_json)


def _suggested(profile: Profile, slug: str) -> Suggestion:
    """Return the suggestion for a concept. Raises NotFoundError when there is none."""
    suggestion = concepts.concept_page.show_concept(profile, slug).suggestion
    if suggestion is None:
        raise NotFoundError(
            f"nothing is suggested for {slug} today",
            advice=f"`studyattn concept show {slug}` shows the evidence.",
        )
    return suggestion


@concept.command(epilog=examples("studyattn concept undo"))
@json_option
@pass_invocation
def undo(invocation: Invocation, as_json: bool) -> None:
    """Undo the last change to a concept's state."""
    with opened(invocation) as profile:
        undone = concepts.board.undo_move(profile)
    if undone is None:
        respond(None, "There is no move to undo.", as_json=as_json)
        click.get_current_context().exit(1)
    respond(undone, f"{undone.slug} is {undone.to_state} again.", as_json=as_json)


@concept.command(
    "set", epilog=examples("studyattn concept set softmax known --why 'derived it on paper'")
)
@click.argument("slug", metavar="CONCEPT", type=CONCEPT)
@click.argument("state", shell_complete=words(*_SIGNS))
@click.option("--why", default="", metavar="TEXT", help="Reason, stored with the change.")
@json_option
@pass_invocation
def set_(invocation: Invocation, slug: str, state: str, why: str, as_json: bool) -> None:
    """Set a concept's state: unseen, known-unknown or known."""
    with opened(invocation) as profile:
        slug = slug_of(profile, slug)
        changed = concepts.board.set_state(profile, slug, state, why)
    respond(
        {"slug": slug, "state": state, "changed": changed},
        f"{slug} is {state}{'' if changed else ' already'}.",
        as_json=as_json,
    )


@concept.command(epilog=examples("studyattn concept merge dot-products into dot-product"))
@click.argument("slug", metavar="A", type=CONCEPT)
@click.argument("into")
@click.argument("whole", metavar="B", type=CONCEPT)
@json_option
@pass_invocation
def merge(invocation: Invocation, slug: str, into: str, whole: str, as_json: bool) -> None:
    """Merge concept A into concept B.

    Usage: merge A INTO B.
    """
    if into.casefold() != "into":
        raise click.UsageError("Write it as: concept merge A INTO B")
    with opened(invocation) as profile:
        slug, whole = slug_of(profile, slug), slug_of(profile, whole)
        concepts.board.merge(profile, slug, whole)
    respond(
        {"slug": slug, "joined_into": whole},
        f"{slug} is now part of {whole}. To undo: `studyattn concept unmerge {slug}`",
        as_json=as_json,
    )


@concept.command(epilog=examples("studyattn concept unmerge dot-products"))
@click.argument("slug", metavar="CONCEPT", type=CONCEPT)
@json_option
@pass_invocation
def unmerge(invocation: Invocation, slug: str, as_json: bool) -> None:
    """Unmerge a concept."""
    with opened(invocation) as profile:
        slug = slug_of(profile, slug, joined=True)
        whole = concepts.board.part(profile, slug)
    respond(
        {"slug": slug, "joined_into": None, "parted_from": whole},
        f"{slug} and {whole} are two concepts again.",
        as_json=as_json,
    )


_before = copy(unmerge)
_before.hidden = True
concept.add_command(_before, "part")  # its name in 0.1
