"""`model`: a real language model, fetched, that writes and scores on the learner's parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from studyattn.cli import common
from studyattn.cli.common import Answer, Invocation, Rows, Shown, opened, warned
from studyattn.lm import questions
from studyattn.lm.llama import kept
from studyattn.lm.records import KeptModel, Switched
from studyattn.study.practice import model_parts, running
from studyattn.study.practice.model_parts import WHOSE, OwnParts, summary, wanted_parts, whose
from studyattn.study.practice.running import RunningModel, Saying, in_use, perplexity_text
from studyattn.text.characters import printable


def _models() -> kept.Models:
    kept.check_installed()
    return kept.Models(kept.model_cache())


def get() -> Answer:
    models = _models()
    found = models.get(kept.SMOLLM2, partial(common.say, err=True))
    return _told(models, found, kept.SMOLLM2.license)


def use(file: Path) -> Answer:
    models = _models()
    found = next((each for each in models.all() if each.name == str(file)), None)
    if found is None:
        found = models.take(file.expanduser(), partial(common.say, err=True))
    else:
        models.use(found)
    return _told(models, found, found.license or "not named in the file")


def _told(models: kept.Models, found: KeptModel, terms: str) -> Answer:
    folder, config = models.place(found), found.config
    value = {
        "name": found.name,
        "title": found.title,
        "license": terms,
        "source": found.source,
        "sha256": found.digest,
        "parameters": found.parameters,
        "folder": folder,
    }
    lines = (
        f"{found.name}: {found.title}, {found.parameters:,} parameters",
        (
            f"  {config.layers} layers, {config.heads} query heads on {config.key_heads} key heads,"
            f" width {config.width}, {config.tokens:,} tokens"
        ),
        f"  license: {terms}    from: {found.source}",
        f"  kept in {folder}",
    )
    return Answer(value, [partial(common.say, line, hang=2) for line in lines])


def list_() -> Answer:
    found = kept.Models(kept.model_cache()).all()
    value = [{"name": each.name, "title": each.title, "source": each.source} for each in found]
    rows = [(each.name, f"{each.parameters:,} parameters", each.source) for each in found]
    none = "No model yet. Run `studyattn model get` to download one."
    return Answer(value, Rows(rows) if rows else none)


# ── what the model in use is asked ───────────────────────────────────────────────────────────────


@contextmanager
def _running(invocation: Invocation, parts: str, put: Sequence[str] = ()) -> Iterator[RunningModel]:
    """The model in use, on the parts of this name."""
    model = in_use()
    puts = model_parts.read_puts(invocation.home, put)
    with model.server() as server:
        server.start()  # it warms up while the home is opened
        server.kind = model_parts.with_puts(puts)
        with opened(invocation) as profile:
            wanted = wanted_parts(profile, parts, puts)
        with RunningModel(server, invocation.home, wanted, puts=puts) as running:
            yield running


def say_(
    invocation: Invocation,
    parts: str,
    prompt: str,
    *,
    tokens: int,
    temperature: float,
    no_cache: bool,
    compare: bool,
    seed: int,
    put: tuple[str, ...],
    as_json: bool,
) -> Answer:
    with _running(invocation, parts, put) as model:
        going_on = partial(model.say, prompt, tokens, temperature=temperature, seed=seed)
        said = spoken(prompt, going_on(cached=not no_cache), quietly=as_json)
        speeds = {not no_cache: said.speed}
        if compare:
            *_, other = going_on(cached=no_cache)
            speeds[no_cache] = other.speed
    perplexity = said.perplexity_of_text
    value: dict[str, object] = {
        "text": prompt + said.text,
        "tokens": said.tokens,
        "tokens_per_second": round(speeds[not no_cache], 2),
        "perplexity": perplexity,
        "parts": model.wanted.parts,
    }
    if compare:
        value["tokens_per_second_cached"] = round(speeds[True], 2)
        value["tokens_per_second_uncached"] = round(speeds[False], 2)
    if put:
        value["measured"] = said.measured
    words = {True: "with the cache", False: "without"}
    measured = [f"{each:.1f} tokens/s {words[cached]}" for cached, each in speeds.items()]
    measured.append(f"perplexity {perplexity_text(perplexity, 4)}")
    summed = f"{', '.join(measured)} · {summary(model.wanted.parts)}"
    return Answer(value, [warned(summed), *_told_measured(said.measured), *_whose(model.wanted)])


def score(invocation: Invocation, parts: str, text: str | None, *, put: tuple[str, ...]) -> Answer:
    with _running(invocation, parts, put) as model:
        found = model.ask(questions.SCORE, text=running.TEXT if text is None else text)
    wanted = model.wanted
    value: dict[str, object] = {
        "perplexity": found.perplexity,
        "tokens": found.tokens,
        "tokens_per_second": round(found.tokens / max(found.seconds, 1e-9), 2),
        "parts": wanted.parts,
    }
    if put:
        value["measured"] = found.measured
    title = [_hanging(f"{wanted.wrong}: {wanted.title}", 2)] if wanted.title else []
    perplexity = f"perplexity {perplexity_text(found.perplexity, 4)} over {found.tokens} tokens"
    told = [*title, perplexity, *_told_measured(found.measured), warned(summary(wanted.parts))]
    return Answer(value, [*told, *_whose(wanted)])


def patch(invocation: Invocation, parts: str, clean: str, corrupted: str) -> Answer:
    with _running(invocation, parts, ("activation-patch",)) as model:
        found = model.ask(questions.PATCH, clean=clean, corrupted=corrupted)
    rows = [("", *map(repr, found.answers))]
    runs = (("clean", found.clean), ("corrupted", found.corrupted))
    patched = ((f"layer {layer}", shares) for layer, shares in enumerate(found.layers))
    rows += [(name, *(f"{share:.3f}" for share in shares)) for name, shares in (*runs, *patched)]
    return Answer(found, [f"patched at {found.moved!r}", Rows(rows)])


def table(invocation: Invocation, *, put: tuple[str, ...], as_json: bool) -> Answer:
    model = in_use()
    puts = model_parts.read_puts(invocation.home, put)
    rows = []
    with model.server() as server:
        for row in running.table(server, invocation.home, puts):
            told = {name: getattr(row, name) for name in ("mistake", "title", "perplexity", "text")}
            rows.append({**told, "measured": running.told_measured(row.measured)})
            perplexity = perplexity_text(row.perplexity, 4)
            if not as_json:
                line = f"{row.mistake or 'right':<27} {perplexity:>13}  {row.text!r}"
                common.say(line, hang=43)
    return Answer(rows)


def heads(invocation: Invocation, parts: str, text: str) -> Answer:
    with _running(invocation, parts) as model:
        found = model.ask(questions.HEADS, text=text)
    by_kind: dict[str, list[str]] = {}
    for each in found:
        weight = each.weights.get(each.kind)
        told = f"{each.layer}.{each.head}" + ("" if weight is None else f" {weight:.2f}")
        by_kind.setdefault(each.kind, []).append(told)
    rows = [(kind, f"{len(own)} heads", ", ".join(own)) for kind, own in sorted(by_kind.items())]
    return Answer(found, Rows(rows))


def head(
    invocation: Invocation,
    parts: str,
    place: str,
    text: str,
    *,
    no_mask: bool,
    no_scale: bool,
    off: bool,
) -> Answer:
    switched = Switched(masked=not no_mask, scaled=not no_scale, adds=not off)
    with _running(invocation, parts) as model:
        how = {"head": place, "switched": switched, "count": 5}
        tables = model.ask(questions.HEAD, text=text, **how)
    lines: list[Shown] = []
    for piece, weights in zip(tables.pieces, tables.weights, strict=True):
        best = sorted(range(len(weights)), key=lambda key: -weights[key])[:4]
        told = "   ".join(f"{tables.pieces[key]!r} {weights[key]:.2f}" for key in best)
        lines.append(_hanging(f"{piece!r:<14} {told}", 15))
    lines.append("")
    for share in tables.shares:
        after = "" if switched == Switched() else f" -> {share.after:.3f}"
        lines.append(f"next {share.text!r:<14} {share.before:.3f}{after}")
    return Answer(tables, lines)


def guess(invocation: Invocation, parts: str, text: str, off: str | None) -> Answer:
    with _running(invocation, parts) as model:
        found = model.ask(questions.GUESSES, text=text, count=5, off=off)
    lines = []
    for layer, best in enumerate(found):
        told = "   ".join(f"{each.text!r} {each.probability:.2f}" for each in best)
        lines.append(_hanging(f"{layer:>3}  {told}", 5))
    return Answer(found, lines)


def compare(invocation: Invocation, parts: str, one: str, other: str, word: str) -> Answer:
    with _running(invocation, parts) as model:
        found = model.ask(questions.COSINES, one=one, other=other, word=word)
    lines = (
        f"{layer:>3}  {cosine:6.3f}  {'▒' * round(40 * max(cosine, 0.0))}"
        for layer, cosine in enumerate(found)
    )
    return Answer(found, lines)


def mistakes(invocation: Invocation, *, put: tuple[str, ...]) -> Answer:
    puts = model_parts.read_puts(invocation.home, put)
    found = model_parts.mistakes(invocation.home, model_parts.OF_LLAMA, puts).values()
    return Answer([each.told for each in found], Rows([(each.id, each.title) for each in found]))


def runs(
    invocation: Invocation, names: tuple[str, ...], write: Path | None, *, as_json: bool
) -> Answer:
    # Late: other commands do without the readers of packs.
    from studyattn.study.practice import model_runs

    recorded = model_runs.recorded_runs(invocation.home, write, names)
    model = in_use()
    now = {}
    with model.server() as server:
        for each in model_runs.measure_all(server, invocation.home, recorded.values()):
            now[each.id] = each
            if not as_json:
                asked = recorded[each.id].asked
                same = model_runs.agrees(asked, each.asked)
                told = "as recorded" if same else "differs from the recorded result"
                common.say(f"{each.id}: {told if asked.is_answered else 'not recorded before'}")
                for line in model_runs.lines_of(each.asked):
                    common.say(f"  {line}", hang=4)
    if write is not None:
        model_runs.record(write, model.kept.name, now)
    same = all(model_runs.agrees(recorded[name].asked, now[name].asked) for name in now)
    return Answer(list(now.values()), failed=write is None and not same)


# ── what is printed ──────────────────────────────────────────────────────────────────────────────


def spoken(prompt: str, sayings: Iterable[Saying], *, quietly: bool) -> Saying:
    """Return what a model says at last; unless `quietly`, print it after the prompt as it comes."""
    if quietly:
        *_, last = sayings
        return last
    click.echo(printable(prompt), nl=False)
    shown = 0
    try:
        for last in sayings:
            click.echo(printable(last.text[shown:]), nl=False)
            shown = len(last.text)
    finally:
        click.echo()  # also before an error's line
    return last


def _hanging(line: str, hang: int, *, err: bool = False) -> Shown:
    """Return what prints a line that is indented by `hang` columns where it is wrapped."""
    return partial(common.say, line, hang=hang, err=err)


def _told_measured(found: Mapping[str, float]) -> Iterator[Shown]:
    yield from (f"  {line}" for line in running.told_measured(found))


def _whose(wanted: OwnParts) -> Iterator[Shown]:
    """Name the parts that are the learner's, and those that could be."""
    for word, names in whose(wanted.parts, WHOSE):
        yield _hanging(f"  {word}: {names}", 4, err=True)


# ── a server in simulated time ───────────────────────────────────────────────────────────────────


def serve_sim(
    invocation: Invocation,
    trace: Path | None,
    *,
    requests: int,
    seed: int,
    slots: int,
    blocks: int,
    block_size: int,
    wrong: str | None,
) -> Answer:
    # Late: it needs no model.
    from studyattn.study.practice import serve_sim as sim

    wanted = sim.drawn(requests, seed) if trace is None else sim.read(trace)
    server = sim.SimulatedServer(slots, blocks, block_size)
    with opened(invocation) as profile:
        found = sim.simulated(profile, wanted, server, wrong)
    rows = [
        ("", *(each.whose for each in found)),
        ("first token, ms", *(_pair(each.first_token) for each in found)),
        ("between tokens, ms", *(_pair(each.between_tokens) for each in found)),
        ("tokens a second", *(f"{each.tokens_per_second:.0f}" for each in found)),
        ("steps", *(str(each.steps) for each in found)),
        ("blocks at most", *(f"{each.peak_blocks} of {blocks}" for each in found)),
        ("slots filled", *(f"{each.filled:.0%}" for each in found)),
    ]
    cut = found[0].wrong
    told = [f"requests {', '.join(map(str, cut))} get another number of tokens"] if cut else []
    head = f"{len(wanted)} requests, simulated: mean and worst"
    return Answer(found, [head, Rows(rows), *told], failed=bool(cut))


def _pair(numbers: tuple[float, float]) -> str:
    return f"{numbers[0]:.1f}  {numbers[1]:.1f}"
