"""The runs of packs in a real model: asked again, compared with what was recorded, written out.

What a run is, and where it is recorded, is in `packs.model_runs`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from studyattn.errors import NotFoundError
from studyattn.home import Home
from studyattn.lm import questions
from studyattn.lm.process import ModelServer
from studyattn.lm.records import Switched
from studyattn.packs.model_runs import (
    Ablated,
    Asked,
    Compared,
    Guessed,
    HeadCount,
    LayerGuess,
    ModelRun,
    Next,
    RecordedRuns,
    Said,
    Sorted,
    installed_runs,
    read_runs,
    write_runs,
)
from studyattn.study.practice.model_parts import REFERENCE, OwnParts, lent_parts
from studyattn.study.practice.running import TEXT, RunningModel, perplexity_text

_CLOSE: Final = 0.005
"""How far a cosine, a weight or a probability may be from the recorded one."""

_NEXT: Final = 3
"""Next tokens that are recorded."""

_BAR: Final = 24
_EVERY: Final = 5
"""Layers from one line to the next, where not all of them are written."""


def recorded_runs(home: Home, folder: Path | None, names: Collection[str]) -> dict[str, ModelRun]:
    """Return runs by their ids: those of the pack in a folder, or else of all installed packs.

    With names, these alone. Raises NotFoundError for one that is not there, PackError for a file
    that cannot be read.
    """
    if folder is None:
        runs = installed_runs(home)
    else:
        recorded = read_runs(folder)
        runs = () if recorded is None else recorded.runs
    found = {run.id: run for run in runs if not names or run.id in names}
    for name in names:
        if name not in found:
            known = ", ".join(run.id for run in runs) or "none"
            raise NotFoundError(f"there is no run {name!r}", advice=f"There are: {known}.")
    return found


def record(folder: Path, model: str, now: Mapping[str, ModelRun]) -> None:
    """Write what was measured into the pack in a folder; its other runs stay as they are."""
    recorded = read_runs(folder)
    runs = () if recorded is None else recorded.runs
    write_runs(folder, RecordedRuns(model, tuple(now.get(run.id, run) for run in runs)))


def parts_of(home: Home, run: ModelRun) -> OwnParts:
    """Return the parts that a run is measured with: the reference's, with its mistake if any."""
    return lent_parts(home, _mistake_of(run) or REFERENCE)


def _mistake_of(run: ModelRun) -> str | None:
    return run.asked.mistake if isinstance(run.asked, Said) else None


def measure_all(server: ModelServer, home: Home, runs: Iterable[ModelRun]) -> Iterator[ModelRun]:
    """Yield each run as it is measured now, one worker for all of the same parts.

    Raises NotFoundError for a mistake that no model can make.
    """
    by_mistake: dict[str | None, list[ModelRun]] = {}
    for run in runs:
        by_mistake.setdefault(_mistake_of(run), []).append(run)
    for own in by_mistake.values():
        with RunningModel(server, home, parts_of(home, own[0])) as model:
            yield from (measured(run, model) for run in own)


def measured(run: ModelRun, model: RunningModel) -> ModelRun:
    """Return the run with what a running model answers now."""
    asked = run.asked
    answer: dict[str, object]
    match asked:
        case Compared():
            cosines = (
                model.ask(questions.COSINES, one=one, other=other, word=asked.word)
                for one, other in asked.pairs
            )
            rounded = (tuple(map(round, each, itertools.repeat(3))) for each in cosines)
            answer = {"cosines": tuple(rounded)}
        case Said():
            *_, said = model.say(asked.prompt, asked.tokens, TEXT)
            perplexity = said.perplexity and float(f"{said.perplexity:.4g}")
            answer = {"text": said.text, "perplexity": perplexity}
        case Sorted():
            answer = {"kinds": tuple(_kinds(asked.text, model))}
        case Guessed():
            layers = model.ask(questions.GUESSES, text=asked.text, count=1, off=None)
            guesses = (LayerGuess(best.text, round(best.probability, 3)) for best, *_ in layers)
            answer = {"guesses": tuple(guesses)}
        case Ablated():
            answer = {"shares": tuple(_shares(asked, model))}
    return msgspec.structs.replace(run, asked=msgspec.structs.replace(asked, **answer))


def _shares(asked: Ablated, model: RunningModel) -> Iterator[Next]:
    """Yield the next tokens with a head and without."""
    how = {"head": asked.head, "switched": Switched(adds=False), "count": _NEXT}
    for each in model.ask(questions.HEAD, text=asked.text, **how).shares:
        yield Next(each.text, round(each.before, 3), round(each.after, 3))


def _kinds(text: str, model: RunningModel) -> Iterator[HeadCount]:
    """Yield how many heads are of each kind, the most frequent first."""
    by_kind: dict[str, list[tuple[float, str]]] = {}
    for head in model.ask(questions.HEADS, text=text):
        weight = head.weights.get(head.kind, 0.0)
        by_kind.setdefault(head.kind, []).append((weight, f"{head.layer}.{head.head}"))
    for kind, own in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        weight, best = max(own)
        yield HeadCount(kind, len(own), best if weight else "", round(weight, 2))


def agrees(recorded: Asked, now: Asked) -> bool:
    """Tell whether two answers are the same, but for rounding."""
    return _alike(msgspec.to_builtins(recorded), msgspec.to_builtins(now))


def _alike(one: object, other: object) -> bool:
    match one, other:
        case float(), float():
            return abs(one - other) <= max(_CLOSE, 0.01 * abs(one) if abs(one) > 1 else 0.0)
        case dict(), dict():
            return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
        case list(), list():
            return len(one) == len(other) and all(map(_alike, one, other))
    return one == other


# ── written out ──────────────────────────────────────────────────────────────────────────────────


def lines_of(asked: Asked, *, width: int = 72, whole: bool = False) -> list[str]:
    """Write out what a model answered, in lines; all layers of it if `whole`."""
    match asked:
        case Compared():
            return list(_compared(asked, width, whole=whole))
        case Said():
            who = asked.mistake or "the correct attention"
            perplexity = perplexity_text(asked.perplexity)
            return [
                f"“{asked.prompt}” with {who}:",
                f"  {asked.text!r}   perplexity {perplexity}",
            ]
        case Sorted():
            return [
                f"{each.kind:<10}{each.heads:>4} heads"
                + (f"   strongest: {each.best} ({each.weight:.2f})" if each.best else "")
                for each in asked.kinds
            ]
        case Guessed():
            return list(_guessed(asked.guesses, whole=whole))
        case Ablated():
            return [
                f"“{asked.text}”",
                f"  {'next token':<14}{'with':>8}{f'without {asked.head}':>15}",
                *(f"  {x.text!r:<14}{x.before:>8.2f}{x.after:>15.2f}" for x in asked.shares),
            ]


def _guessed(guesses: Sequence[LayerGuess], *, whole: bool) -> Iterator[str]:
    for layer, each in enumerate(guesses):
        if whole or _is_told(layer, len(guesses)):
            name = f"    layer {layer:>2}" if layer else f"embedding {'':>2}"
            yield f"{name}   {each.text!r:<16}{each.probability:.2f}"


def _is_told(layer: int, layers: int) -> bool:
    return layer % _EVERY == 0 or layer == layers - 1


def _compared(asked: Compared, width: int, *, whole: bool) -> Iterator[str]:
    """Yield the sentences by letter, then a line a layer with a bar for each two of them."""
    letters = "ABCDEFGH"
    for letter, text in zip(letters, asked.texts, strict=False):
        yield f"{letter}  {text}"
    names = ["–".join(pair) for pair in itertools.combinations(letters[: len(asked.texts)], 2)]
    room = max(6, min(_BAR, (width - 12) // max(1, len(names)) - 9))
    yield ""
    yield f"{'cosine':12}" + "".join(f"{name:<{room + 8}}" for name in names).rstrip()
    layers = len(asked.cosines[0]) if asked.cosines else 0
    for layer in range(layers):
        if whole or _is_told(layer, layers):
            name = f"layer {layer:>2}" if layer else "embedding"
            cells = (
                f"{cosines[layer]:.2f} {'█' * round(room * max(0.0, cosines[layer])):<{room}}   "
                for cosines in asked.cosines
            )
            yield f"{name:<12}{''.join(cells)}".rstrip()
