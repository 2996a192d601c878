"""`gpt`: train a model of the learner's own parts, have it write, list what is there."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    Amount,
    Whole,
    emit,
    examples,
    json_option,
    opened,
    pass_invocation,
    plain,
    say,
    table,
)
from studyattn.cli.lab import seed_option, speed_of, spoken, writing_options

if TYPE_CHECKING:
    from studyattn.study.practice.gpt import TrainedModel, Trainings

WIDEST = 100
"""Columns of what is drawn, at most."""

HEIGHT = 10

_WHOSE = {
    "yours": "written by your generate",
    "torch": "written by the program",
    "mistaken": "written with the mistake",
}
"""Texts that say who chose the characters, by the origin of the part `generate`."""

name_option = click.option(
    "--name", metavar="NAME", help="Name of the model.  [default: gpt, or the mistake's id]"
)


@click.group(
    epilog=examples("studyattn gpt train", 'studyattn gpt say "The "', "studyattn gpt mistakes")
)
def gpt() -> None:
    """Train a small GPT on your own attention code and sample from it."""


@gpt.command(
    epilog=examples(
        "studyattn gpt train",
        "studyattn gpt train --text notes.md --seconds 300",
        "studyattn gpt train --with mask-missing --beside",
    )
)
@click.option(
    "--text",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Text to learn.  [default: Python's own help, pydoc_data.topics]",
)
@click.option("--seconds", type=Amount(min=0.1), metavar="N", help="[default: 60]")
@click.option("--steps", type=Whole(1, 10**9), metavar="N", help="Training steps.")
@click.option("--with", "mistake", metavar="MISCONCEPTION", help="Make this mistake.")
@click.option("--beside", is_flag=True, help="With --with: also train the correct model.")
@name_option
@seed_option
@click.option("--lines", is_flag=True, help="Stream progress, one JSON object per line.")
@json_option
@pass_invocation
def train(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    file: Path | None,
    seconds: float | None,
    steps: int | None,
    mistake: str | None,
    beside: bool,
    name: str | None,
    seed: int,
    lines: bool,
    as_json: bool,
) -> None:
    """Train a character model on a text, with your own attention.

    The pack's solutions replace parts that have not passed in torch. Ctrl-C stops training and
    keeps the model. Exit status 1 if one of its parts cannot be used.
    """
    from studyattn.lm.parts import GPT
    from studyattn.lm.process import StoppedError, model_server
    from studyattn.study.practice import gpt as models
    from studyattn.study.practice.model_mistakes import find_mistake
    from studyattn.study.practice.model_parts import own_parts

    if beside and mistake is None:
        raise click.UsageError("--beside needs a mistake: --with MISCONCEPTION")
    text = models.text_of(file)
    made = None if mistake is None else find_mistake(invocation.home, mistake)
    with opened(invocation) as profile:
        own = own_parts(profile, GPT)
    until = models.Until(models.SECONDS if seconds is None and steps is None else seconds, steps)
    attentions = (None, made) if beside else (made,)
    shown = _Shown(as_lines=lines, quiet=as_json)
    with model_server() as server:
        trainings = models.Trainings(
            server, invocation.home, own, text, attentions, name=name, seed=seed
        )
        try:
            with _ending_at_interrupt(trainings):
                trained = trainings.run(until, shown.progress)
        except StoppedError:
            say("Stopped before the first step. Nothing was saved.", err=True)
            click.get_current_context().exit(1)
    shown.end()
    if lines or as_json:
        emit(_as_json(trained))
    else:
        _print_end(trained)


class _Shown:
    """The progress of trainings, printed as it comes: lines, or a line that is written over."""

    def __init__(self, *, as_lines: bool, quiet: bool) -> None:
        self._as_lines = as_lines
        self._quiet = quiet
        self._samples: dict[str, int] = {}
        self._open = False

    def progress(self, models: Sequence[TrainedModel]) -> None:
        if self._as_lines:
            for model in models:
                emit(_line(model))
            return
        if self._quiet:
            return
        if not self._samples:
            _print_begin(models)
        self._print_samples(models)
        if sys.stderr.isatty():
            states = "   ".join(map(_state, models))
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r{states[:width]:<{width}}", nl=False, err=True)
            self._open = True

    def end(self) -> None:
        """Begin a new line if the last one is still to be written over."""
        if self._open:
            click.echo(err=True)

    def _print_samples(self, models: Sequence[TrainedModel]) -> None:
        from studyattn.study.practice.model_page import number, on_a_line

        for model in models:
            if len(model.samples) > self._samples.get(model.name, 0):
                self._samples[model.name] = len(model.samples)
                self.end()
                self._open = False
                last = model.samples[-1]
                say(f"{model.name}, step {last.step}, loss {number(model.validation_loss)}")
                say(f"  {on_a_line(last.text)}", hang=2)


def _print_begin(models: Sequence[TrainedModel]) -> None:
    from studyattn.study.practice import model_page

    for model in models:
        say(f"{model.name}: {model_page.head(model)}", hang=2)
        if model.title:
            say(f"  mistake: {model.title}", hang=2)
    whose = {"lent": "the pack's", "torch": "the program's"}
    for origin, word in whose.items():
        for part in models[0].parts:
            if part.origin == origin and part.drill is not None:
                start = f"`studyattn drill start {part.drill}`"
                say(f"  {part.entry} is {word}: {start} makes it yours.", hang=2)


def _print_end(models: Sequence[TrainedModel]) -> None:
    # Late: JSON is printed without them.
    from rich.console import Console
    from rich.text import Text

    from studyattn.study.practice import model_page

    width = min(WIDEST, shutil.get_terminal_size().columns)
    styles = model_page.Styles(("cyan", "magenta"), quiet="dim")
    console = Console(width=width, highlight=False)
    texts = [
        Text("validation loss over steps", style="bold"),
        model_page.curves(models, width=width - 2, height=HEIGHT, styles=styles),
        model_page.legend(models, styles),
    ]
    if len(models) > 1:
        texts += [Text(), model_page.samples(models, width=width - 2, lines=3, styles=styles)]
    for text in texts:
        console.print(text, no_wrap=True)
    click.echo()
    for model in models:
        say(
            f"{model.name}: {model.steps} steps in {model.seconds:.0f} s,"
            f" {model.steps / max(model.seconds, 1e-9):.1f} a second",
            hang=2,
        )
    say(model_page.conclusion(models))
    say(f"Saved. `studyattn gpt say --name {models[-1].name} PROMPT` samples from it.", hang=2)


def _state(model: TrainedModel) -> str:
    from studyattn.study.practice.model_page import number

    return (
        f"{model.name} step {model.steps} {model.seconds:.0f} s"
        f" loss {number(model.loss)} {model.tokens_per_second:,.0f} characters/s"
    )


def _line(model: TrainedModel) -> dict[str, Any]:
    """Return the progress of one model."""
    return {
        "name": model.name,
        "step": model.steps,
        "seconds": round(model.seconds, 2),
        "loss": model.loss,
        "validation_loss": model.validation_loss,
        "tokens_per_second": round(model.tokens_per_second),
        "sample": model.sample,
    }


def _as_json(models: Sequence[TrainedModel]) -> dict[str, Any]:
    """Return the first model as an object, and the others in it."""
    first, *others = models
    told = {
        **plain(first),
        "first_loss": first.first_loss,
        "validation_loss": first.validation_loss,
        "sample": first.sample,
    }
    return told | ({"beside": [_as_json([other]) for other in others]} if others else {})


@contextlib.contextmanager
def _ending_at_interrupt(trainings: Trainings) -> Iterator[None]:
    """Have the first Ctrl-C end the trainings; a second one interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        trainings.end()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@gpt.command(
    "say",
    epilog=examples(
        'studyattn gpt say "The "',
        "studyattn gpt say if --tokens 300",
        'studyattn gpt say "The " --with generate-wrong-position',
    ),
)
@click.argument("prompt")
@writing_options("character", "Characters", tokens=200, temperature=0.8)
@click.option("--with", "wrong", metavar="MISCONCEPTION", help="Make this mistake when generating.")
@name_option
@seed_option
@json_option
@pass_invocation
def say_(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    prompt: str,
    tokens: int,
    temperature: float,
    wrong: str | None,
    name: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Continue PROMPT with a trained model and your own cache.

    Characters missing from its training text are skipped.
    """
    from studyattn.lm.parts import GENERATE, GPT
    from studyattn.lm.process import model_server
    from studyattn.study.practice import gpt as models
    from studyattn.study.practice.model_mistakes import OF_WRITING, find_mistake
    from studyattn.study.practice.model_parts import own_parts, summary

    model = models.find_model(invocation.home, name or models.NAME)
    mistake = None if wrong is None else find_mistake(invocation.home, wrong, OF_WRITING)
    with opened(invocation) as profile:
        own = own_parts(profile, GPT)
    with (
        model_server() as server,
        models.Writing(server, invocation.home, own, model, mistake) as writing,
    ):
        pieces = writing.say(prompt, tokens=tokens, temperature=temperature, seed=seed)
        written = spoken(prompt, pieces, quietly=as_json)
    parts, speed = writing.wanted.parts, speed_of(written)
    if as_json:
        text = "".join(piece.text for piece in written)
        told = {"text": prompt + text, "tokens": len(text), "tokens_per_second": round(speed, 1)}
        emit({**told, "parts": parts})
    else:
        written_by = next(part for part in parts if part.entry == GENERATE)
        whose = _WHOSE[written_by.origin]
        say(f"{speed:,.0f} characters/s · {summary(parts)} · {whose}", err=True)


@gpt.command("list", epilog=examples("studyattn gpt list"))
@json_option
@pass_invocation
def list_(invocation: Invocation, as_json: bool) -> None:
    """List the models trained here."""
    from studyattn.study.practice import gpt as models
    from studyattn.study.practice.model_page import number

    found = models.trained_models(invocation.home)
    if as_json:
        emit([_as_json([model]) for model in found])
    elif found:
        table(
            [
                (
                    model.name,
                    f"{model.steps} steps",
                    f"loss {number(model.validation_loss)}",
                    model.text,
                )
                for model in found
            ]
        )
    else:
        say("No model yet. Run `studyattn gpt train` to train one.")


@gpt.command("mistakes", epilog=examples("studyattn gpt mistakes"))
@json_option
@pass_invocation
def mistakes(invocation: Invocation, as_json: bool) -> None:
    """List the mistakes for `gpt train --with` and `gpt say --with`."""
    from studyattn.study.practice.model_mistakes import OF_GPT, OF_WRITING
    from studyattn.study.practice.model_mistakes import mistakes as known

    found = {
        command: known(invocation.home, of).values()
        for command, of in (("train", OF_GPT), ("say", OF_WRITING))
    }
    if as_json:
        emit(
            [
                {"id": each.id, "title": each.title, "concept": each.concept, "command": command}
                for command, own in found.items()
                for each in own
            ]
        )
        return
    for command, own in found.items():
        say(f"studyattn gpt {command} --with …")
        table([(f"  {each.id}", each.title) for each in own])
