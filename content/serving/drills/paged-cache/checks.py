"""The checks of `paged-cache`."""

from collections.abc import Mapping
from typing import Any

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, Limit, case
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import paging
from ...reference.paging import PagedCache
from ...shared import FLOATS, LAYOUTS, NO_GRADIENT, NO_HALVES, behaviour

SCRIPTS = {
    "one sequence": ("0+3", "0+2", "0+1"),
    "two sequences in turn": ("0+2", "1+3", "0+2", "1+1"),
    "a shared beginning": ("0+3", "0=1", "1+2", "0+1"),
    "a shared full block": ("0+4", "0=1", "0+1", "1+1"),
    "shared twice": ("0+5", "0=1", "1=2", "2+1", "1+1", "0+1"),
    "freed and taken again": ("0+3", "1+3", "0-", "2+5", "1+2"),
    "lower blocks after higher ones": ("0+5", "1+3", "0-", "1+6"),
    "freed in between": ("0+2", "1+2", "2+2", "1-", "0-", "1+7", "2+4"),
    "freed while shared": ("0+3", "0=1", "0-", "1+2", "2+3"),
    "all freed": ("0+3", "0=1", "1+1", "0-", "1-", "0+1"),
}
"""`0+3` appends three tokens to sequence 0, `0=1` shares it with 1, `0-` frees it."""

COSTED = {
    "five that begin alike": ("0+256", *(f"0={new}" for new in range(1, 5))),
    "six that end": ("0+256", *("1+256", "1-") * 6),
}
"""The same, where it counts what is held."""

SPARE = 4
"""Pool more than could be used at once."""


def ask(
    draw: Draw,
    *,
    d: int,
    block_size: int,
    script: str = "one sequence",
    t: int = 0,
    drawn: int = 0,
    pool: int = 0,
) -> list[Call]:
    """What a script says, or so many steps that are `drawn`; with `t`, the first append is of t.

    Tables, contents and free blocks are asked after each step. A `pool` has so many blocks.
    """
    steps = list({**SCRIPTS, **COSTED}[script]) if not drawn else _drawn(draw, drawn)
    if t:
        steps[0] = f"{steps[0][0]}+{t}"
    tokens = sum(int(each.partition("+")[2] or 0) for each in steps)
    copies = sum("=" in each for each in steps) + 1
    blocks = pool or (tokens // block_size + 2 * len(steps)) * copies + SPARE
    calls = [Call("PagedCache", (blocks, block_size, d), into="_cache")]
    alive: set[int] = set()
    for number, step in enumerate(steps, 1):
        seq, sign, rest = int(step[0]), step[1], step[2:]
        if sign == "+":
            k, v = draw.array(int(rest), d), draw.array(int(rest), d)
            calls.append(Call("append", (seq, k, v), on="_cache", into="_appended"))
            alive.add(seq)
        elif sign == "=":
            calls.append(Call("share", (seq, int(rest)), on="_cache", into="_shared"))
            alive.add(int(rest))
        else:
            calls.append(Call("free", (seq,), on="_cache", into="_freed"))
            alive.discard(seq)
        calls.append(Call("free_blocks", on="_cache", into=f"free blocks after step {number}"))
        calls += [
            Call("table", (each,), on="_cache", into=f"table {each} after step {number}")
            for each in sorted(alive)
        ]
    calls += [
        Call("gather", (each,), on="_cache", into=f"sequence {each}")
        for each in (sorted(alive)[-1:] if draw.case.costed else sorted(alive))
    ]
    return calls


def kept(sizes: Mapping[str, Any]) -> int:
    """A quarter more bytes than the pool takes in float64, and some for Python."""
    return int(1.25 * 8 * 2 * sizes["pool"] * sizes["block_size"] * sizes["d"]) + 100_000


def _drawn(draw: Draw, count: int) -> list[str]:
    """Steps of up to four sequences."""
    generator = draw.generator
    alive: list[int] = []
    steps = []
    while len(steps) < count:
        kind = generator.random()
        others = [each for each in range(4) if each not in alive]
        seq = int(generator.choice(alive)) if alive else 0
        if alive and kind < 0.15 and len(alive) > 1:
            alive.remove(seq)
            steps.append(f"{seq}-")
        elif alive and kind < 0.4 and others:
            steps.append(f"{seq}={others[0]}")
            alive.append(others[0])
        else:
            target = others[0] if not alive or (others and kind > 0.8) else seq
            steps.append(f"{target}+{int(generator.integers(1, 6))}")
            if target not in alive:
                alive.append(target)
    return steps


drill = Drill(
    id="paged-cache",
    reference={"PagedCache": PagedCache},
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": LAYOUTS,
                "blocks": {
                    "blocks of two": {"block_size": 2},
                    "blocks of one": {"block_size": 1},
                    "blocks of four": {"block_size": 4},
                },
                "width": {
                    "three features": {"d": 3},
                    "one feature": {"d": 1},
                    "two features": {"d": 2},
                },
                "script": {name: {"script": name} for name in SCRIPTS},
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    width="one feature",
                ),
            ),
        ),
    ),
    cases=(
        case("ten drawn steps", d=2, block_size=3, drawn=10),
        case("twenty drawn steps", d=2, block_size=2, drawn=20),
        case("thirty drawn steps", d=1, block_size=4, drawn=30),
        *(
            case(
                f"bytes of {each}",
                costed=True,
                dtype="float64",
                d=64,
                block_size=16,
                pool=40,
                script=each,
            )
            for each in COSTED
        ),
        case("the same calls twice", twice=True, d=2, block_size=2, script="a shared beginning"),
    ),
    probes=(
        Probe(
            "a name that was used before", lambda call: call["seq"] == 0 and call["k"] is not None
        ),
        Probe("a third sequence", lambda call: call["seq"] == 2),
    ),
    unasked=NO_GRADIENT | NO_HALVES,
    small=(
        {"d": 1, "block_size": 2, "script": "one sequence"},
        {"d": 1, "block_size": 2, "script": "two sequences in turn"},
        {"d": 1, "block_size": 2, "script": "a shared beginning"},
        {"d": 1, "block_size": 2, "script": "freed and taken again"},
        {"d": 1, "block_size": 2, "script": "freed while shared"},
        {"d": 1, "block_size": 2, "script": "lower blocks after higher ones"},
        {"d": 1, "block_size": 2, "script": "all freed"},
    ),
    misconceptions=(*paging.OF_PAGES, paging.paged_rows_kept, *behaviour("prefix-sharing")),
    limit=Limit(paging.paged_rows_kept, kept=kept),
    axes=("token", "feature"),
    parts=("keys", "values"),
    told_as={"script": "", "drawn": "", "pool": ""},
)
