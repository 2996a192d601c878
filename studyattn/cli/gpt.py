"""`gpt`: train a model of the learner's own parts, have it write, list what is there."""

from __future__ import annotations

import contextlib
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from studyattn.cli import common
from studyattn.cli.common import Answer, Invocation, Rows, Shown, emit, opened, plain, warned
from studyattn.cli.model import spoken
from studyattn.lm.parts import GPT
from studyattn.lm.process import ModelServer, StoppedError
from studyattn.study.practice import first_model, gpt, model_parts
from studyattn.study.practice.first_model import CHANGES, FirstModelText
from studyattn.study.practice.gpt import TrainedModel, Trainings
from studyattn.study.practice.model_parts import own_parts, summary

WIDEST = 100
"""Columns of what is drawn, at most."""

HEIGHT = 10

_WHOSE = {
    "yours": "written by your generate",
    "torch": "written by the program",
    "mistaken": "written with the mistake",
}
"""Texts that say who chose the characters, by the origin of the part `generate`."""

_say = partial(common.say, hang=2)


def train(
    invocation: Invocation,
    *,
    file: Path | None,
    seconds: float | None,
    steps: int | None,
    wrong: str | None,
    beside: bool,
    name: str | None,
    seed: int,
    lines: bool,
    as_json: bool,
) -> Answer:
    text = gpt.text_of(file)
    mistake = (
        None
        if wrong is None
        else model_parts.find_mistake(invocation.home, wrong, model_parts.OF_GPT)
    )
    with opened(invocation) as profile:
        own = own_parts(profile, GPT)
    until = gpt.Until(gpt.SECONDS if seconds is None and steps is None else seconds, steps)
    attentions = (None, mistake) if beside else (mistake,)
    progress = _Progress()
    told = _emit_lines if lines else (lambda _: None) if as_json else progress
    with ModelServer() as server:
        trainings = Trainings(server, invocation.home, own, text, attentions, name=name, seed=seed)
        try:
            with _ending_at_interrupt(trainings):
                models = trainings.run(until, told)
        except StoppedError:
            common.say("Stopped before the first step. Nothing was saved.", err=True)
            raise click.exceptions.Exit(1) from None
    progress.end()
    value = _as_json(models)
    return Answer(value, partial(emit, value) if lines else partial(_print_end, models))


def say_(
    invocation: Invocation,
    prompt: str,
    *,
    tokens: int,
    temperature: float,
    wrong: str | None,
    name: str | None,
    seed: int,
    as_json: bool,
) -> Answer:
    home = invocation.home
    model = gpt.find_model(home, name or gpt.NAME)
    of = model_parts.OF_WRITING
    mistake = None if wrong is None else model_parts.find_mistake(home, wrong, of)
    with opened(invocation) as profile:
        own = own_parts(profile, GPT)
    with ModelServer() as server, gpt.writing_model(server, home, own, model, mistake) as writing:
        sayings = writing.say(prompt, tokens, temperature=temperature, seed=seed)
        said = spoken(prompt, sayings, quietly=as_json)
    parts, speed = writing.wanted.parts, said.speed
    told = {
        "text": prompt + said.text,
        "tokens": len(said.text),
        "tokens_per_second": round(speed, 1),
    }
    whose = next(_WHOSE[part.origin] for part in parts if part.entry == "generate")
    line = f"{speed:,.0f} characters/s · {summary(parts)} · {whose}"
    return Answer({**told, "parts": parts}, warned(line))


def first(invocation: Invocation, *, swaps: bool) -> Answer:
    with opened(invocation) as profile:
        if swaps:
            found = [plain(each) for each in first_model.swaps(profile)]
            names = ["none", *(each["parts"][-1] for each in found[1:])]
            pairs = zip(names, found, strict=True)
            rows = [(name, gpt.number(each["loss"]), each["text"]) for name, each in pairs]
            return Answer(found, Rows(rows))
        shown, run = first_model.look(profile)
    if run is not None:
        shown = run.write(shown) or shown
    if shown is None:
        raise first_model.no_model()
    return Answer(shown, _first_lines(shown))


def _first_lines(shown: FirstModelText) -> Iterator[str]:
    """Yield what the first model wrote before and what it writes now."""
    for name, each in (("before", shown.before), ("now", shown.now)):
        if each is not None:
            whose = f"{len(each.parts)} of {first_model.PARTS} parts yours"
            yield f"{name}: loss {gpt.number(each.loss)}, {whose}\n  {each.prompt} {each.text}"
    yield from (f"{each}: {CHANGES[each]}." for each in shown.added)
    yield from (told for told in (shown.fault,) if told)


def list_(invocation: Invocation) -> Answer:
    found = gpt.trained_models(invocation.home)
    rows = [
        (each.name, f"{each.steps} steps", f"loss {gpt.number(each.validation_loss)}", each.text)
        for each in found
    ]
    none = "No model yet. Run `studyattn gpt train` to train one."
    return Answer([_as_json([each]) for each in found], Rows(rows) if rows else none)


def mistakes(invocation: Invocation) -> Answer:
    value: list[dict[str, str]] = []
    shown: list[Shown] = []
    for command, of in (("train", model_parts.OF_GPT), ("say", model_parts.OF_WRITING)):
        found = model_parts.mistakes(invocation.home, of).values()
        value += [{**each.told, "command": command} for each in found]
        rows = [(f"  {each.id}", each.title) for each in found]
        shown += [f"studyattn gpt {command} --with …", Rows(rows)]
    return Answer(value, shown)


# ── a training ───────────────────────────────────────────────────────────────────────────────────


class _Progress:
    """Prints samples as they come and, on a terminal, a line that is written over."""

    def __init__(self) -> None:
        self._samples: dict[str, int] = {}
        self._open = False

    def __call__(self, models: Sequence[TrainedModel]) -> None:
        if not self._samples:
            _print_begin(models)
        for model in models:
            if len(model.samples) > self._samples.get(model.name, 0):
                self._samples[model.name] = len(model.samples)
                self.end()
                last = model.samples[-1]
                _say(f"{model.name}, step {last.step}, loss {gpt.number(model.validation_loss)}")
                _say(f"  {gpt.on_a_line(last.text)}")
        if sys.stderr.isatty():
            states = "   ".join(
                f"{model.name} step {model.steps} {model.seconds:.0f} s"
                f" loss {gpt.number(model.loss)} {model.tokens_per_second:,.0f} characters/s"
                for model in models
            )
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r{states[:width]:<{width}}", nl=False, err=True)
            self._open = True

    def end(self) -> None:
        """Begin a new line if the last one is still to be written over."""
        if self._open:
            click.echo(err=True)
        self._open = False


def _print_begin(models: Sequence[TrainedModel]) -> None:
    for model in models:
        _say(f"{model.name}: {model.head}")
        if model.title:
            _say(f"  mistake: {model.title}")
    for origin, word in {"lent": "the pack's", "torch": "the program's"}.items():
        for part in models[0].parts:
            if part.origin == origin and part.drill is not None:
                start = f"`studyattn drill start {part.drill}`"
                _say(f"  {part.entry} is {word}: {start} makes it yours.")


def _print_end(models: Sequence[TrainedModel]) -> None:
    # Late: JSON is printed without them.
    from rich.console import Console
    from rich.text import Text

    from studyattn.study.practice import model_page

    width = min(WIDEST, shutil.get_terminal_size().columns)
    styles = model_page.ModelStyles(("cyan", "magenta"), quiet="dim")
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
        _say(
            f"{model.name}: {model.steps} steps in {model.seconds:.0f} s,"
            f" {model.steps / max(model.seconds, 1e-9):.1f} a second"
        )
    common.say(model_page.conclusion(models))
    _say(f"Saved. `studyattn gpt say --name {models[-1].name} PROMPT` samples from it.")


def _emit_lines(models: Sequence[TrainedModel]) -> None:
    """Print the progress of each model as a line of JSON."""
    for model in models:
        emit(
            {
                "name": model.name,
                "step": model.steps,
                "seconds": round(model.seconds, 2),
                "loss": model.loss,
                "validation_loss": model.validation_loss,
                "tokens_per_second": round(model.tokens_per_second),
                "sample": model.sample,
            }
        )


def _as_json(models: Sequence[TrainedModel]) -> dict[str, Any]:
    """Return the first model as an object, and the others in it."""
    first, *others = models
    told = {name: getattr(first, name) for name in ("first_loss", "validation_loss", "sample")}
    beside = {"beside": [_as_json([other]) for other in others]} if others else {}
    return {**plain(first), **told, **beside}


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
