"""Mistakes in writing on after a prompt with a model that keeps what it was fed."""

import numpy as np

from studyattn.attention import GENERATION_STEPS
from studyattn.attention.generating import as_tokens, is_over, next_token
from studyattn.grading.misconception import Misconception

CONCEPT = "generation"
FED = r"x_{1:n},\ \text{then } y_1,\ y_2,\ \dots,\ y_{k-1}"
PLACE = r"\text{position of } y_i = n + i - 1"
LAST = r"y_{i+1} \sim z_{\text{last}}"
ENDS = r"k = \min(\text{count},\ \text{place of the end})"


def _whole(prompt, made):
    return np.concatenate((prompt, as_tokens(made, prompt)))


def _at(start):
    """Feed the new token at the position that `start` makes of the prompt and what was made."""
    return {
        "go_on": lambda model, prompt, made: model(
            as_tokens(made[-1:], prompt), start(len(prompt), len(made))
        )
    }


def _nothing_new():
    """Choose again and again from the logits after the prompt."""
    kept = []

    def begin(model, prompt):
        kept[:] = [GENERATION_STEPS.begin(model, prompt)]
        return kept[0]

    return {"begin": begin, "go_on": lambda model, prompt, made: kept[0]}


def _feeds_the_last(model, prompt, made):
    GENERATION_STEPS.go_on(model, prompt, made)
    return as_tokens(made, prompt)


def _without_the_end():
    """Stop before the end token instead of after it."""
    ends = []

    def over(made, count, end):
        ends[:] = [end]
        return is_over(made, count, end)

    def told(model, prompt, made):
        return as_tokens(made[:-1] if made[-1] == ends[0] else made, prompt)

    return {"is_over": over, "told": told}


prompt_fed_again = Misconception(
    id="generate-prompt-fed-again",
    title="Tokens are fed again for each new one, though the model already has them.",
    formula=FED,
    concept=CONCEPT,
    ways=(
        {"go_on": lambda model, prompt, made: model(_whole(prompt, made), 0)},
        {"go_on": lambda model, prompt, made: model(_whole(prompt, made)[1:], 1)},
        {"go_on": lambda model, prompt, made: model(as_tokens(made, prompt), len(prompt))},
    ),
)

nothing_fed = Misconception(
    id="generate-nothing-new-fed",
    title="The new token is not fed, so the next one is chosen without it.",
    formula=FED,
    concept=CONCEPT,
    ways=(
        _nothing_new,
        {"go_on": lambda model, prompt, made: model(prompt[-1:], len(prompt) + len(made) - 1)},
    ),
)

wrong_position = Misconception(
    id="generate-wrong-position",
    title="The new token is fed at the wrong position: the first one comes right after the prompt.",
    formula=PLACE,
    concept=CONCEPT,
    ways=(
        _at(lambda n, made: n + made),
        _at(lambda n, made: n + made - 2),
        _at(lambda n, made: made - 1),
        _at(lambda n, made: made),
        _at(lambda n, made: n),
        _at(lambda n, made: 0),
    ),
)

first_logits = Misconception(
    id="generate-first-logits",
    title="The token is chosen by the logits of the first position, not by those of the last.",
    formula=LAST,
    concept=CONCEPT,
    ways=({"last": lambda logits: logits[0]},),
)

one_off = Misconception(
    id="generate-stops-off-by-one",
    title="The result has one token too many or too few.",
    formula=ENDS,
    concept=CONCEPT,
    ways=(
        {"is_over": lambda made, count, end: len(made) == count + 1 or made[-1] == end},
        {"is_over": lambda made, count, end: len(made) >= count - 1 or made[-1] == end},
        {"told": lambda model, prompt, made: as_tokens(made[:-1], prompt)},
    ),
)

end_ignored = Misconception(
    id="generate-end-ignored",
    title="It continues after the end token.",
    formula=ENDS,
    concept=CONCEPT,
    ways=({"is_over": lambda made, count, end: len(made) == count},),
)

end_dropped = Misconception(
    id="generate-end-dropped",
    title="The end token is missing from the result; it should be the last token.",
    formula=ENDS,
    concept=CONCEPT,
    ways=(_without_the_end,),
)

last_fed = Misconception(
    id="generate-last-fed",
    title="The last token is fed too, though nothing is chosen after it.",
    formula=FED,
    concept=CONCEPT,
    ways=({"told": _feeds_the_last},),
)

always_likeliest = Misconception(
    id="generate-always-likeliest",
    title="The uniform numbers are not used: the most likely token is always taken.",
    formula=LAST,
    concept=CONCEPT,
    ways=({"next_token": lambda logits, uniform: next_token(logits, None)},),
)

prompt_returned = Misconception(
    id="generate-prompt-returned",
    title="The result includes the prompt; it should contain only the new tokens.",
    formula=ENDS,
    concept=CONCEPT,
    ways=({"told": lambda model, prompt, made: _whole(prompt, made)},),
)

OF_GENERATION = (
    prompt_fed_again,
    nothing_fed,
    wrong_position,
    first_logits,
    one_off,
    end_ignored,
    end_dropped,
    last_fed,
    always_likeliest,
    prompt_returned,
)
