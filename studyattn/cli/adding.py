"""`add`: cards of the learner's own, from the command line or standard input."""

from __future__ import annotations

import sys

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.study import notes

_STANDARD_INPUT = "-"


@click.command(
    epilog=examples(
        "studyattn add 'Why √d?' 'Scores grow with it' --concept scaling",
        "studyattn add 'Keys and ==values== are cached' --cloze --concept kv-cache",
        "studyattn add - --concept softmax --tag exam < cards.tsv",
    )
)
@click.argument("question", metavar="QUESTION")
@click.argument("answer", required=False, metavar="[ANSWER]")
@click.option(
    "--concept",
    type=CONCEPT,
    metavar="CONCEPT",
    help="Concept of the card.  [default: concept of the last card added]",
)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag the card. Repeatable.")
@click.option("--cloze", is_flag=True, help="QUESTION is text with gaps: ==answer==.")
@json_option
@pass_invocation
def add(  # noqa: PLR0917 - click gives one argument an option
    invocation: Invocation,
    question: str,
    answer: str | None,
    concept: str | None,
    tags: tuple[str, ...],
    cloze: bool,
    as_json: bool,
) -> None:
    """Add your own card, or many from standard input.

    Both sides are Markdown. Text with gaps needs no answer. Prints the card's id.

    With - as QUESTION, read standard input. If its first line has a tab, each line is a card:
    question, tab, answer. Otherwise the input is one card: the first line is the question, the rest
    the answer (with --cloze, all of it is the text). If one card is invalid, none is added.
    """
    if question == _STANDARD_INPUT:
        if answer is not None:
            raise click.UsageError("Include the answer in standard input")
        texts = notes.own_cards.read_card_texts(_standard_input(), only_cloze=cloze)
    else:
        texts = [notes.own_cards.CardText(question, answer or "")]
    with opened(invocation) as profile:
        if concept is None:
            passage = notes.own_cards.SelectedPassage()
            slug = notes.own_cards.suggested_concept(profile, passage)
        else:
            slug = slug_of(profile, concept)
        made = notes.own_cards.make_cards(profile, texts, concept=slug, tags=tags, only_cloze=cloze)
    if as_json:
        emit({"concept": made.concept, "cards": made.guids})
    else:
        click.echo("\n".join(made.guids))


def _standard_input() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        raise click.UsageError("Standard input is not UTF-8 text") from None
