"""Mistakes with positions: rotary embedding, tables of positions, sinusoids."""

import dataclasses

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception

PAIR = r"\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} = R(t\,\theta_i) \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}"  # noqa: E501
SPEED = r"\theta_i = b^{-2i/d}"


def _halves(x):
    """Return the first and the second half of each row."""
    middle = x.shape[-1] // 2
    return x[..., :middle], x[..., middle:]


def _with_halves(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = _halves(x)
    turned = (first * cos - second * sin, first * sin + second * cos)
    return np.concatenate(turned, axis=-1)


def _neighbours_into_halves(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = (first * cos - second * sin, first * sin + second * cos)
    return np.concatenate(turned, axis=-1)


def _without_minus(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = (first * cos + second * sin, first * sin + second * cos)
    return np.stack(turned, axis=-1).reshape(x.shape)


def _backwards(x, angles):
    return STEPS.turn(x, -angles)


def _added(x, angles):
    pattern = np.stack((np.sin(angles), np.cos(angles)), axis=-1)
    return x + pattern.reshape(x.shape[-2:])


def _one_speed(width, base, like):
    return np.ones(width // 2)


def _half_the_exponent(width, base, like):
    return base ** (-np.arange(width // 2) / width)


def _twice_the_exponent(width, base, like):
    return base ** (-4.0 * np.arange(width // 2) / width)


def _faster_and_faster(width, base, like):
    return base ** (2.0 * np.arange(width // 2) / width)


def _base_unused(width, base, like):
    return STEPS.speeds(width, 10000.0, like)


def _counted_anew(positions, speeds):
    return np.arange(len(positions))[:, None] * speeds


def _from_one(positions, speeds):
    return (positions[:, None] + 1) * speeds


rope_half_split = Misconception(
    id="rope-half-split",
    title="Entry i is paired with entry i + d/2; pairs should be neighbors, 2i and 2i + 1.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _with_halves},),
)

rope_left_in_halves = Misconception(
    id="rope-left-in-halves",
    title="The pairs are rotated, but then all first entries are placed before all second entries.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _neighbours_into_halves},),
)

rope_without_minus = Misconception(
    id="rope-without-minus",
    title="The minus sign is missing, so the pairs are not rotated: their lengths change.",
    formula=r"x'_{2i} = x_{2i} \cos t\theta_i - x_{2i+1} \sin t\theta_i",
    concept="rope",
    ways=({"turn": _without_minus},),
)

rope_backwards = Misconception(
    id="rope-backwards",
    title="The pairs rotate the wrong way: flip the sign of sin in both lines.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _backwards},),
)

rope_added = Misconception(
    id="rope-added",
    title="Sines and cosines are added to the vector; they should rotate it.",
    formula=PAIR,
    concept="rope",
    ways=({"turn": _added},),
)

rope_one_speed = Misconception(
    id="rope-one-speed",
    title="All pairs turn at the speed of the first one.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _one_speed},),
)

rope_wrong_exponent = Misconception(
    id="rope-wrong-exponent",
    title="The exponent of the speeds is off by a factor of 2; it should be 2i/d for pair i.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _half_the_exponent}, {"speeds": _twice_the_exponent}),
)

rope_faster = Misconception(
    id="rope-faster",
    title="Later pairs turn faster; each should turn slower than the one before.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _faster_and_faster},),
)

rope_base_unused = Misconception(
    id="rope-base-unused",
    title="The base is always 10,000; the given base is not used.",
    formula=SPEED,
    concept="rope",
    ways=({"speeds": _base_unused},),
)

rope_counted_anew = Misconception(
    id="rope-counted-anew",
    title="Positions are counted from 0 in each call; the given positions are not used.",
    formula=r"t = \text{positions}[j]",
    concept="rope",
    ways=({"angles": _counted_anew},),
)

rope_from_one = Misconception(
    id="rope-from-one",
    title="Each position is too large by one.",
    formula=r"t = \text{positions}[j]",
    concept="rope",
    ways=({"angles": _from_one},),
)

OF_ROPE = (
    rope_half_split,
    rope_counted_anew,
    rope_left_in_halves,
    rope_wrong_exponent,
    rope_without_minus,
    rope_backwards,
    rope_from_one,
    rope_one_speed,
    rope_base_unused,
    rope_faster,
    rope_added,
)

# ── positions that are added ─────────────────────────────────────────────────────────────────────

EMBEDDED = r"x_i = E_{token_i} + P_{start + i}"
WAVES = r"PE_{t, 2i} = \sin(t\,\theta_i), \quad PE_{t, 2i+1} = \cos(t\,\theta_i)"


def _not_placed(rows, at):
    return rows


def _placed_twice(rows, at):
    return rows + 2 * at


def _multiplied(rows, at):
    return rows * at


def _scaled(rows, at):
    return rows * np.sqrt(rows.shape[-1]) + at


def _from_the_first_row(positions, start, n):
    return positions[:n]


def _one_later(positions, start, n):
    return positions[start + 1 : start + 1 + n]


def _one_later_up_to_the_last(positions, start, n):
    return positions[np.minimum(np.arange(n) + start + 1, len(positions) - 1)]


def _the_last_rows(positions, start, n):
    return positions[-n:]


def _one_row_for_all(positions, start, n):
    return positions[start : start + 1]


def _by_token(tokens, table, positions, start=0, *, steps=STEPS):
    return steps.placed(steps.look_up(table, tokens), positions[tokens])


def _one_before(table, tokens):
    return table[tokens - 1]


positions_missing = Misconception(
    id="positions-missing",
    title="The positions are not added.",
    formula=r"x_i \leftarrow x_i + P_i",
    concept="positional-encoding",
    ways=({"placed": _not_placed},),
)

positions_twice = Misconception(
    id="positions-twice",
    title="The positions are added twice.",
    formula=r"x_i \leftarrow x_i + P_i",
    concept="positional-encoding",
    ways=({"placed": _placed_twice},),
)

positions_multiplied = Misconception(
    id="positions-multiplied",
    title="The vectors are multiplied by the positions; they should be added.",
    formula=r"x_i \leftarrow x_i + P_i",
    concept="positional-encoding",
    ways=({"placed": _multiplied},),
)

embedding_scaled = Misconception(
    id="embedding-scaled",
    title="The vectors are multiplied by √d before the positions are added.",
    formula=r"x_i \leftarrow x_i + P_i",
    concept="positional-encoding",
    ways=({"placed": _scaled},),
)

start_unused = Misconception(
    id="start-unused",
    title="The rows of positions start at 0; they should start at `start`.",
    formula=EMBEDDED,
    concept="positional-encoding",
    ways=({"places": _from_the_first_row},),
)

start_off_by_one = Misconception(
    id="start-off-by-one",
    title="Each token gets the row of the next position.",
    formula=EMBEDDED,
    concept="positional-encoding",
    ways=({"places": _one_later}, {"places": _one_later_up_to_the_last}),
)

positions_from_the_end = Misconception(
    id="positions-from-the-end",
    title="The last rows of the position table are used.",
    formula=EMBEDDED,
    concept="positional-encoding",
    ways=({"places": _the_last_rows},),
)

one_position_for_all = Misconception(
    id="one-position-for-all",
    title="All tokens of a call get the row of its first position.",
    formula=EMBEDDED,
    concept="positional-encoding",
    ways=({"places": _one_row_for_all},),
)

position_by_token = Misconception(
    id="position-by-token",
    title="The row of positions is looked up by token, not by position.",
    formula=EMBEDDED,
    concept="positional-encoding",
    ways=({"embed": _by_token},),
)

token_off_by_one = Misconception(
    id="token-off-by-one",
    title="Each token gets the row before its own: tokens are counted from 0.",
    formula=EMBEDDED,
    concept="embeddings",
    ways=({"look_up": _one_before},),
)

OF_EMBEDDINGS = (
    start_unused,
    start_off_by_one,
    positions_missing,
    positions_from_the_end,
    one_position_for_all,
    position_by_token,
    token_off_by_one,
    positions_twice,
    embedding_scaled,
    positions_multiplied,
)


def _sines_then_cosines(angles):
    return np.concatenate((np.sin(angles), np.cos(angles)), axis=-1)


def _cosine_first(angles):
    return np.stack((np.cos(angles), np.sin(angles)), axis=-1).reshape(len(angles), -1)


def _sines_alone(angles):
    return np.repeat(np.sin(angles), 2, axis=-1)


def _exponent_of_each_entry(x, positions, base=10000.0, *, steps=STEPS):
    width = x.shape[-1]
    speeds = base ** (-np.arange(width) / width)
    angles = steps.angles(positions, speeds)
    even = np.arange(width) % 2 == 0
    return steps.placed(x, np.where(even, np.sin(angles), np.cos(angles)))


waves_in_halves = Misconception(
    id="waves-in-halves",
    title="All sines come first and then all cosines; here they alternate.",
    formula=WAVES,
    concept="positional-encoding",
    ways=({"waves": _sines_then_cosines},),
)

waves_cosine_first = Misconception(
    id="waves-cosine-first",
    title="The cosine comes before the sine in each pair.",
    formula=WAVES,
    concept="positional-encoding",
    ways=({"waves": _cosine_first},),
)

waves_sines_alone = Misconception(
    id="waves-sines-alone",
    title="Both entries of a pair are sines; the second is a cosine.",
    formula=WAVES,
    concept="positional-encoding",
    ways=({"waves": _sines_alone},),
)

waves_speed_of_each_entry = Misconception(
    id="waves-speed-of-each-entry",
    title="The sine and cosine of a pair differ in speed: entry j uses the exponent j/d, not 2i/d.",
    formula=WAVES,
    concept="positional-encoding",
    ways=({"add_sinusoids": _exponent_of_each_entry},),
)


def _of_sinusoids(misconception, identifier):
    """Return a mistake of rope's as one of the sinusoids, whose angles are the same."""
    return dataclasses.replace(
        misconception, id=identifier, concept="positional-encoding", formula=WAVES
    )


OF_SINUSOIDS = (
    waves_in_halves,
    _of_sinusoids(rope_wrong_exponent, "waves-wrong-exponent"),
    waves_speed_of_each_entry,
    _of_sinusoids(rope_counted_anew, "waves-counted-anew"),
    _of_sinusoids(rope_from_one, "waves-from-one"),
    waves_cosine_first,
    _of_sinusoids(rope_base_unused, "waves-base-unused"),
    positions_missing,
    positions_twice,
    embedding_scaled,
    positions_multiplied,
    waves_sines_alone,
)
