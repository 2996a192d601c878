"""Mistakes with how a block is put together: residuals, norms and the order of its parts."""

from studyattn.grading.misconception import Misconception

PRE_NORM = r"x \leftarrow x + \text{Attn}(\text{LN}_1(x)), \quad x \leftarrow x + \text{MLP}(\text{LN}_2(x))"  # noqa: E501


def _normed_sum(x, norm, part):
    return norm(x + part(x))


def _part_alone(x, norm, part):
    return part(norm(x))


def _without_norm(x, norm, part):
    return x + part(x)


def _normed_residual(x, norm, part):
    rows = norm(x)
    return rows + part(rows)


def _norm_of_the_part(x, norm, part):
    return x + norm(part(x))


def _first_as(change):
    def in_turn(x, first, second, add_part):
        return add_part(change(x, *first), *second)

    return {"in_turn": in_turn}


def _second_as(change):
    def in_turn(x, first, second, add_part):
        return change(add_part(x, *first), *second)

    return {"in_turn": in_turn}


def _at_once(x, first, second, add_part):
    return x + (add_part(x, *first) - x) + (add_part(x, *second) - x)


def _second_first(x, first, second, add_part):
    return add_part(add_part(x, *second), *first)


def _norms_exchanged(x, first, second, add_part):
    (norm_1, attend), (norm_2, transform) = first, second
    return add_part(add_part(x, norm_2, attend), norm_1, transform)


def _first_norm_twice(x, first, second, add_part):
    return add_part(add_part(x, *first), first[0], second[1])


def _attention_alone(x, first, second, add_part):
    return add_part(x, *first)


def _old_residual(x, first, second, add_part):
    norm, transform = second
    return x + transform(norm(add_part(x, *first)))


block_post_norm = Misconception(
    id="block-post-norm",
    title=(
        "The norm comes after the sum (post-norm) or after the part; it should come before the "
        "part."
    ),
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"add_part": _normed_sum}, {"add_part": _norm_of_the_part}),
)

block_residual_missing = Misconception(
    id="block-residual-missing",
    title="A part's output replaces the stream; it should be added to it.",
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"add_part": _part_alone}, _first_as(_part_alone), _second_as(_part_alone)),
)

block_norm_missing = Misconception(
    id="block-norm-missing",
    title="A part reads the stream without its norm.",
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"add_part": _without_norm}, _first_as(_without_norm), _second_as(_without_norm)),
)

block_residual_normed = Misconception(
    id="block-residual-normed",
    title=(
        "The update is added to the normalized stream; it should be added to the original stream."
    ),
    formula=PRE_NORM,
    concept="block-parts",
    ways=(
        {"add_part": _normed_residual},
        _first_as(_normed_residual),
        _second_as(_normed_residual),
    ),
)

block_at_once = Misconception(
    id="block-parts-at-once",
    title="The MLP does not both read and extend the sum of the stream and attention's update.",
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"in_turn": _at_once}, {"in_turn": _old_residual}),
)

block_mlp_first = Misconception(
    id="block-mlp-first",
    title="The MLP comes before attention; attention should come first.",
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"in_turn": _second_first},),
)

block_norms_mixed = Misconception(
    id="block-norms-mixed-up",
    title="A part uses the other part's norm; each has its own gain and bias.",
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"in_turn": _first_norm_twice}, {"in_turn": _norms_exchanged}),
)

block_mlp_missing = Misconception(
    id="block-mlp-missing",
    title="The block ends after attention, without the MLP.",
    formula=PRE_NORM,
    concept="block-parts",
    ways=({"in_turn": _attention_alone},),
)

OF_BLOCKS = (
    block_post_norm,
    block_residual_missing,
    block_norm_missing,
    block_residual_normed,
    block_at_once,
    block_norms_mixed,
    block_mlp_first,
    block_mlp_missing,
)
