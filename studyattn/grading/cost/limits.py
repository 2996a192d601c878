"""Judging what the costed cases used: at each size, and by how it grows from one to the next.

Counted, never timed. What is too much is the drill's `Limit`; what it means is its misconception.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from studyattn.grading.call_plan import Finished, Usage
from studyattn.grading.drawn_case import DrawnCase
from studyattn.grading.drill import Limit, Measured
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.pack_errors import naming_the_pack
from studyattn.grading.verdict import Cost

FAILS = "the limit of cost cannot be computed"


def cost(limit: Limit, question: DrawnCase, usage: Usage) -> Cost | None:
    """Return what `question` used beside what it may; None where that is no limit of it."""
    if not (limit.flops or limit.largest_array):
        return None
    with naming_the_pack(limit.misconception.place, FAILS):
        flops, largest = (
            most(question.case.sizes) if most else None
            for most in (limit.flops, limit.largest_array)
        )
    return Cost(usage.flops, flops, usage.largest_array, largest)


def over_limit(limit: Limit, question: DrawnCase, outcome: Finished) -> str:
    """Say what the measured call used too much of, or nothing."""
    usage = outcome.usage
    if not question.case.costed or usage is None:
        return ""
    made = "an array of {:,} numbers was created; the limit is {:,}"
    product = "a matrix product created {:,} numbers, but {:,} are enough"
    held = "{:,} bytes were held at a time; the limit is {:,}"
    operations = "{:,} floating-point operations, but {:,} are enough"
    with naming_the_pack(limit.misconception.place, FAILS):
        for used, most, words in (
            (usage.largest_array, limit.largest_array, made),
            (usage.largest_product, limit.largest_product, product),
            (usage.most_held, limit.most_held, held),
            (usage.flops, limit.flops, operations),
        ):
            enough = most(question.case.sizes) if most else None
            if enough is not None and used > enough:
                return words.format(used, enough)
        enough = limit.kept(question.case.sizes) if limit.kept else usage.kept
        if usage.kept > enough:
            return _too_much_kept(limit, question, usage.kept, enough)
    return ""


def _too_much_kept(limit: Limit, question: DrawnCase, used: int, enough: int) -> str:
    told = f"{used:,} bytes are still held after the calls, but {enough:,} are enough"
    if limit.kept_for is None:
        return told
    what, count = limit.kept_for[0], limit.kept_for[1](question.case.sizes)
    return f"{told}: {used / count:,.1f} instead of {enough / count:,.1f} for each {what}"


def over_growth(limit: Limit, answers: Sequence[JudgedCase]) -> tuple[JudgedCase, ...]:
    """Return `answers`, the largest costed one over the limit where operations grow too fast."""
    grows_with = limit.grows_with
    costed = [entry for entry in answers if entry.question.case.costed and not entry.over_limit]
    used = _measured(costed)
    if grows_with is None or len(used) < 2 or any(entry.wrong for entry in costed):
        return tuple(answers)
    with naming_the_pack(limit.misconception.place, FAILS):
        small, *_, large = sorted((grows_with(sizes), usage.flops) for sizes, usage in used)
        at_largest = max(costed, key=lambda entry: grows_with(entry.question.case.sizes))
    exponent = math.log(max(1, large[1]) / max(1, small[1])) / math.log(large[0] / small[0])
    if exponent <= limit.exponent:
        return tuple(answers)
    message = (
        f"{small[1]:,} floating-point operations for n = {small[0]:,} become {large[1]:,} for "
        f"n = {large[0]:,}: they grow as n^{exponent:.1f}"
    )
    return tuple(
        dataclasses.replace(entry, over_limit=message) if entry is at_largest else entry
        for entry in answers
    )


def claim_holds(limit: Limit, answers: Sequence[JudgedCase]) -> bool:
    """Return whether what the limit's misconception says was seen in what was measured."""
    if limit.claim is None:
        return True
    measured = _measured([entry for entry in answers if entry.question.case.costed])
    with naming_the_pack(limit.misconception.place, "the claimed limit cannot be tested"):
        return len(measured) < 2 or limit.claim(measured)


def _measured(costed: Sequence[JudgedCase]) -> Measured:
    return [
        (entry.question.case.sizes, entry.outcome.usage)
        for entry in costed
        if isinstance(entry.outcome, Finished) and entry.outcome.usage is not None
    ]
