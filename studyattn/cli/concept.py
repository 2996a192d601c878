"""`concept`: what is known, what is known to be unknown, and which of them are the same."""

from __future__ import annotations

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, json_option, local, opened, pass_invocation, table

_SIGNS = {"unseen": "·", "known-unknown": "●", "known": "✓"}


@click.group()
def concept() -> None:
    """List, show, set, merge and part concepts."""


@concept.command("list")
@click.option("--state", type=click.Choice(list(_SIGNS)), help="Only those in this state.")
@json_option
@pass_invocation
def list_(invocation: Invocation, state: str | None, as_json: bool) -> None:
    """Every concept with its state."""
    from studyattn.study.concepts import list_concepts

    with opened(invocation) as learner:
        lines = list_concepts(learner, state)
    if as_json:
        emit(lines)
        return
    table(
        [
            (
                f"{_SIGNS[line.state]} {line.slug}",
                f"{line.held} of {line.cards}" if line.cards else "",
                line.title if line.joined_into is None else f"{line.title} = {line.joined_into}",
            )
            for line in lines
        ]
    )


@concept.command()
@click.argument("slug")
@json_option
@pass_invocation
def show(invocation: Invocation, slug: str, as_json: bool) -> None:
    """One concept: its text, its items, its history, what the evidence says."""
    from studyattn.study.conceptpage import show_concept

    with opened(invocation) as learner:
        page = show_concept(learner, slug)
    if as_json:
        emit(page)
        return
    click.echo(f"{page.line.title} ({page.line.state})")
    if page.body:
        click.echo(f"\n{page.body.strip()}")
    for label, names in (("Requires", page.requires), ("Unlocks", page.unlocks)):
        if names:
            click.echo(f"\n{label}: {', '.join(name for name, _ in names)}")
    if page.items:
        click.echo()
        table(
            [
                (
                    item.guid,
                    item.phase,
                    "" if item.stability is None else f"{item.stability:.1f} d",
                    item.title,
                )
                for item in page.items
            ]
        )
    if page.mistakes:
        click.echo("\nMistakes seen")
        table(
            [
                (
                    f"✗ {mistake.misconception}",
                    f"{mistake.times}×",
                    f"last {local(mistake.last)}",
                    mistake.drill,
                    mistake.title,
                )
                for mistake in page.mistakes
            ]
        )
        click.echo()
    for change in page.changes:
        why = f": {change.reason}" if change.reason else ""
        click.echo(f"{local(change.at)}  {change.from_state} → {change.to_state}{why}")
    if page.suggestion is not None:
        click.echo(f"\n{page.suggestion.reason} Move it to {page.suggestion.to_state}?")


@concept.command("set")
@click.argument("slug")
@click.argument("state")
@click.option("--why", default="", metavar="TEXT", help="Kept with the change.")
@json_option
@pass_invocation
def set_(invocation: Invocation, slug: str, state: str, why: str, as_json: bool) -> None:
    """Move a concept to unseen, known-unknown or known."""
    from studyattn.study.concepts import set_state

    with opened(invocation) as learner:
        changed = set_state(learner, slug, state, why)
    if as_json:
        emit({"slug": slug, "state": state, "changed": changed})
    else:
        click.echo(f"{slug} is {state}{'' if changed else ' already'}.")


@concept.command()
@click.argument("slug", metavar="A")
@click.argument("into")
@click.argument("whole", metavar="B")
@json_option
@pass_invocation
def merge(invocation: Invocation, slug: str, into: str, whole: str, as_json: bool) -> None:
    """`merge A INTO B`: say that A is the same concept as B."""
    from studyattn.study import concepts

    if into.casefold() != "into":
        raise click.UsageError("Write it as: concept merge A INTO B")
    with opened(invocation) as learner:
        concepts.merge(learner, slug, whole)
    if as_json:
        emit({"slug": slug, "joined_into": whole})
    else:
        click.echo(f"{slug} is now part of {whole}; `studyattn concept part {slug}` undoes it.")


@concept.command()
@click.argument("slug")
@json_option
@pass_invocation
def part(invocation: Invocation, slug: str, as_json: bool) -> None:
    """Take a merged concept apart again."""
    from studyattn.study import concepts

    with opened(invocation) as learner:
        whole = concepts.part(learner, slug)
    if as_json:
        emit({"slug": slug, "joined_into": None, "parted_from": whole})
    else:
        click.echo(f"{slug} and {whole} are two concepts again.")
