"""A server in simulated time: a trace of requests through the learner's scheduler and paged cache.

The scheduler is the code of the drill `continuous-batching`, the cache that of `paged-cache`; both
run in a worker like any submission. Beside them runs the reference on the same trace. No clock is
read: how long a step takes follows from what goes through the model in it, so the same trace always
gives the same figures.

A step waits for memory or for arithmetic, whichever takes longer (the roofline: Williams, Waterman
and Patterson 2009). Read are all weights once and what is cached of each request that runs; a token
takes two operations for each weight:

    seconds = max(2 W + cached bytes, 2 W tokens / compute × bandwidth) / bandwidth
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from studyattn.errors import InputError, NotFoundError
from studyattn.grading.call_plan import ArrayInput, Call, CallPlan, Finished
from studyattn.grading.drill import NO_CHANGE, Drill
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.misconception import Change, change_of
from studyattn.grading.run.runner import Runner
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.mine import MyPackage, lent_package, my_package
from studyattn.study.profile import Profile

SCHEDULER: Final = "continuous-batching"
CACHE: Final = "paged-cache"

WEIGHTS: Final = 8.0e9
"""Weights of the model, two bytes each: Llama 3 8B (Grattafiori and others 2024, table 3)."""

TOKEN_BYTES: Final = 2 * 32 * 8 * 128 * 2
"""What a token leaves in that model's cache: 32 layers, 8 key heads of width 128, two bytes."""

BANDWIDTH: Final = 3.35e12
"""Bytes a second of an H100 SXM (NVIDIA's data sheet)."""

COMPUTE: Final = 989e12
"""Operations a second of it in bfloat16, without sparsity (the same)."""

MOST: Final = 60
"""Requests of a trace; the drill's brief promises as many."""

_LONGEST: Final = 100


class Request(NamedTuple):
    """A request: the step in which it arrives, the tokens of its prompt and of its answer."""

    arrival: int
    prompt: int
    output: int


class SimulatedServer(NamedTuple):
    """The room of a server: slots for requests, and blocks of so many tokens for its cache."""

    slots: int = 8
    blocks: int = 64
    block_size: int = 16

    @property
    def capacity(self) -> int:
        """Return the tokens for which a scheduler may plan."""
        return self.blocks * self.block_size


class TraceFigures(NamedTuple):
    """The figures of a trace, in simulated milliseconds.

    Attributes:
        whose: `yours`, `lent`, `reference` or the mistake that the reference makes.
        first_token: from a request's arrival to its first token: mean and worst.
        between_tokens: from one token of a request to its next: mean and worst.
        steps: until the last request has ended.
        tokens_per_second: of answers, over the whole trace.
        peak_blocks: of the cache in use at once.
        filled: the mean share of the slots of blocks in use that hold a token.
        wrong: the requests whose answer has another length than asked, by their numbers.
    """

    whose: str
    first_token: tuple[float, float]
    between_tokens: tuple[float, float]
    steps: int
    tokens_per_second: float
    peak_blocks: int
    filled: float
    wrong: tuple[int, ...]


# ── the trace ────────────────────────────────────────────────────────────────────────────────────


def drawn(count: int, seed: int) -> list[Request]:
    """Draw a trace: arrivals all over a stretch of steps, prompts and answers of all lengths."""
    generator = np.random.default_rng(seed)
    arrivals = np.sort(generator.integers(0, 3 * count, count))
    prompts = generator.integers(4, _LONGEST + 1, count)
    outputs = generator.integers(1, 41, count)
    return [Request(*map(int, each)) for each in zip(arrivals, prompts, outputs, strict=True)]


def read(file: Path) -> list[Request]:
    """Return the trace of a file: a line `arrival prompt output` for each request.

    Commas may stand between the numbers, and lines that begin with `#` are left out. Raises
    InputError.
    """
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"the trace cannot be read ({why})", where=str(file)) from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            with suppress(ValueError):
                arrival, prompt, output = map(int, line.replace(",", " ").split())
                if arrival >= 0 and 1 <= prompt <= _LONGEST and 1 <= output <= _LONGEST:
                    found.append(Request(arrival, prompt, output))
                    continue
            raise InputError(
                f"{line.strip()!r} is no request",
                where=f"{file}:{number}",
                advice="Write three whole numbers: the step in which it arrives, the tokens of its"
                f" prompt and of its answer (1 to {_LONGEST} each).",
            )
    if not 1 <= len(found) <= MOST:
        raise InputError(
            f"a trace has 1 to {MOST} requests, this one {len(found)}", where=str(file)
        )
    return found


# ── the runs ─────────────────────────────────────────────────────────────────────────────────────

Carried = Callable[[str, CallPlan], Mapping[str, Any]]
"""Makes the calls of a plan with the code of a drill, and returns its registers."""


def simulated(
    profile: Profile, trace: Sequence[Request], server: SimulatedServer, mistake: str | None
) -> list[TraceFigures]:
    """Return the figures of the code that passed, or that is lent, and those of the reference.

    With the id of a `mistake`, those of the reference that makes it come first. Raises InputError
    for code that fails on the trace, or a request that never fits, NotFoundError for no mistake.
    """
    largest = max(each.prompt + each.output for each in trace)
    if largest > server.capacity:
        raise InputError(
            f"a request of {largest} tokens never fits into {server.capacity}",
            advice="Use more --blocks or a larger --block-size.",
        )
    if mistake is None:
        whose, codes = _codes(profile)
    else:
        whose, codes = mistake, _reference(profile, _change(profile, mistake))
    columns = zip(*trace, strict=True)
    arrays = (ArrayInput(np.array(each, np.int64), "int64") for each in columns)
    plan = CallPlan((Call("schedule", (*arrays, server.slots, server.capacity)),))
    found = []
    for name, carried in ((whose, codes), ("reference", _reference(profile))):
        schedule = carried(SCHEDULER, plan)["result"]
        steps = _steps(trace, [np.asarray(getattr(x, "values", x)).tolist() for x in schedule])
        paged = carried(CACHE, _paging(steps, server))
        free = [int(paged[f"free {number}"]) for number in range(len(steps))]
        found.append(_figures(name, trace, steps, [server.blocks - each for each in free], server))
    return found


def _codes(profile: Profile) -> tuple[str, Carried]:
    """Return whose code it is, and what carries it out: passed, in either library, or lent."""
    submissions, origins = {}, set()
    for drill in (SCHEDULER, CACHE):
        origin, package = _package(profile, drill)
        origins.add(origin)
        submissions[drill] = package.submission(drill)

    def carried(drill: str, plan: CallPlan) -> Mapping[str, Any]:
        submission = submissions[drill]
        with Runner(submission.backend) as runner:
            (outcome,) = runner.run(submission, [plan])
        if not isinstance(outcome, Finished):
            told = getattr(outcome, "told", "") or getattr(outcome, "detail", "") or str(outcome)
            raise _failing(drill, told)
        return outcome.registers

    return origins.pop() if len(origins) == 1 else "mixed", carried


def _package(profile: Profile, drill: str) -> tuple[str, MyPackage]:
    """Return whose code of a drill runs, and the package that it is in."""
    for backend in ("numpy", "torch"):
        package = my_package(profile, backend)
        if any(each.drill == drill for each in package.modules):
            return "yours", package
    return "lent", lent_package(profile.home, [drill], "numpy")


def _failing(drill: str, told: object) -> InputError:
    return InputError(
        f"the code of {drill} fails on this trace: {told}",
        advice=f"`studyattn drill grade {drill}` grades your code again.",
    )


def _reference(profile: Profile, change: Change = NO_CHANGE) -> Carried:
    from studyattn.grading.oracle import carry_out  # late: only here

    def carried(drill: str, plan: CallPlan) -> Mapping[str, Any]:
        loaded = _drill(profile, drill)
        try:
            return carry_out(plan, loaded.functions(change))
        except Exception as error:  # a mistake may raise anything
            raise _failing(drill, f"{type(error).__name__}: {error}") from error

    return carried


def _change(profile: Profile, mistake: str) -> Change:
    """Return what a mistake of one of the two drills exchanges."""
    both = [_drill(profile, drill).misconceptions for drill in (SCHEDULER, CACHE)]
    known = {each.id: each for each in (*both[0], *both[1]) if each.ways}
    if mistake not in known:
        raise NotFoundError(
            f"there is no mistake {mistake!r} of these drills",
            advice=f"There are {', '.join(known)}.",
        )
    return change_of(known[mistake].ways[0])


def _drill(profile: Profile, drill: str) -> Drill:
    return load_drill(find_drill(profile.home, drill).brief.folder)


class _Step(NamedTuple):
    """One step of the model: what goes through it, and who has ended after it."""

    reads: Mapping[int, int]  # tokens by request: a prompt, or one that was written before
    cached: int
    ended: tuple[int, ...]


def _steps(trace: Sequence[Request], schedule: Sequence[Sequence[int]]) -> list[_Step]:
    """Return the steps of a schedule: of each request, its first and its last one."""
    first, last = schedule
    steps = []
    for step in range(max(last) + 1):
        runs = [each for each in range(len(trace)) if first[each] <= step <= last[each]]
        reads = {each: trace[each].prompt if first[each] == step else 1 for each in runs}
        cached = sum(trace[each].prompt + step - first[each] for each in runs)
        steps.append(_Step(reads, cached, tuple(each for each in runs if last[each] == step)))
    return steps


def _paging(steps: Sequence[_Step], server: SimulatedServer) -> CallPlan:
    """Return the calls of the cache: tokens come in, those of requests that have ended go."""
    calls = [Call("PagedCache", (server.blocks, server.block_size, 1), into="_cache")]
    for number, step in enumerate(steps):
        for request, count in step.reads.items():
            rows = ArrayInput(np.full((count, 1), float(request)), "float32")
            calls.append(Call("append", (request, rows, rows), on="_cache", into="_appended"))
        calls.append(Call("free_blocks", on="_cache", into=f"free {number}"))
        calls += [Call("free", (each,), on="_cache", into="_freed") for each in step.ended]
    names = tuple(f"free {number}" for number in range(len(steps)))
    return CallPlan(tuple(calls), names, check_inputs=False)


def seconds(tokens: int, cached: int) -> float:
    """Return how long a step takes in which so many tokens go through the model."""
    memory = (2 * WEIGHTS + TOKEN_BYTES * cached) / BANDWIDTH
    return max(memory, 2 * WEIGHTS * tokens / COMPUTE)


def _figures(
    whose: str,
    trace: Sequence[Request],
    steps: Sequence[_Step],
    blocks: Sequence[int],
    server: SimulatedServer,
) -> TraceFigures:
    ends = [0.0]  # ends[i] is the beginning of step i
    tokens: list[list[float]] = [[] for _ in trace]  # when each request's tokens were there
    used = []
    for step, count in zip(steps, blocks, strict=True):
        ends.append(ends[-1] + 1e3 * seconds(sum(step.reads.values()), step.cached))
        for request in step.reads:
            tokens[request].append(ends[-1])
        if count:
            used.append(step.cached / (count * server.block_size))
    waits = [
        times[0] - ends[min(asked.arrival, len(steps))]
        for asked, times in zip(trace, tokens, strict=True)
        if times
    ]
    gaps = [*chain.from_iterable(map(np.diff, tokens))]
    made = sum(map(len, tokens))
    wrong = (at for at, times in enumerate(tokens) if len(times) != trace[at].output)
    return TraceFigures(
        whose,
        _mean_and_worst(waits),
        _mean_and_worst(gaps),
        len(steps),
        1e3 * made / ends[-1] if made else 0.0,
        max(blocks, default=0),
        _mean_and_worst(used)[0],
        tuple(wrong),
    )


def _mean_and_worst(numbers: Sequence[float]) -> tuple[float, float]:
    return (float(np.mean(numbers)), float(max(numbers))) if numbers else (0.0, 0.0)
