"""Mistakes with the feed-forward part of a block: the MLP with a GELU, and the gated one."""

import math

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception

GELU = r"\text{GELU}(z) = \frac{z}{2}\left(1 + \tanh\left(\sqrt{2/\pi}\,(z + 0.044715\,z^3)\right)\right)"  # noqa: E501
MLP = r"\text{MLP}(x) = \text{GELU}(x W_1 + b_1)\, W_2 + b_2"
SWIGLU = r"\left(\text{SiLU}(x W_{gate}) \odot x W_{up}\right) W_{down}"

_ERF = np.vectorize(math.erf, otypes=[np.float64])


def _exact(x):
    return 0.5 * x * (1.0 + _ERF(x / math.sqrt(2)))


def _relu(x):
    return np.maximum(x, 0.0)


def _logistic(x):
    return 0.5 + 0.5 * np.tanh(0.5 * x)


def _silu(x):
    return x * _logistic(x)


def _quick(x):
    return x * _logistic(1.702 * x)


INNER = math.sqrt(2 / math.pi)


def _tanh_form(x, *, factor=0.5, inner=INNER, of=0.044715, power=3):
    return factor * x * (1.0 + np.tanh(inner * (x + of * x**power)))


def _as_it_is(x):
    return x


def _tanh(x):
    return np.tanh(x)


def _without_bias(x, w, b):
    return x @ w


def _bent_at_the_end(x, w_1, b_1, w_2, b_2, *, steps=STEPS):
    return steps.bend(steps.narrow(steps.widen(x, w_1, b_1), w_2, b_2))


def _bent_twice(x, w_1, b_1, w_2, b_2, *, steps=STEPS):
    return steps.bend(steps.narrow(steps.bend(steps.widen(x, w_1, b_1)), w_2, b_2))


def _bent_before(x, w_1, b_1, w_2, b_2, *, steps=STEPS):
    return steps.narrow(steps.widen(steps.bend(x), w_1, b_1), w_2, b_2)


def _input_added(x, w_1, b_1, w_2, b_2, *, steps=STEPS):
    return x + steps.narrow(steps.bend(steps.widen(x, w_1, b_1)), w_2, b_2)


gelu_exact = Misconception(
    id="gelu-exact",
    title="GELU uses the error function; this drill requires the tanh form, which differs.",
    formula=GELU,
    concept="block-parts",
    ways=({"bend": _exact},),
)

activation_other = Misconception(
    id="activation-other",
    title="Another activation is used, such as ReLU, SiLU or tanh; it should be GELU.",
    formula=GELU,
    concept="block-parts",
    ways=({"bend": _relu}, {"bend": _silu}, {"bend": _quick}, {"bend": _tanh}),
)

gelu_half = Misconception(
    id="gelu-half-missing",
    title="The factor ½ of GELU is missing.",
    formula=GELU,
    concept="block-parts",
    ways=({"bend": lambda x: _tanh_form(x, factor=1.0)},),
)

gelu_cube = Misconception(
    id="gelu-cube-wrong",
    title="The cubic term inside GELU's tanh has another power, or is missing.",
    formula=GELU,
    concept="block-parts",
    ways=(
        {"bend": lambda x: _tanh_form(x, power=2)},
        {"bend": lambda x: _tanh_form(x, of=0.0)},
    ),
)

gelu_root = Misconception(
    id="gelu-root-missing",
    title="GELU's tanh multiplies by 2/π; it should multiply by the root of 2/π.",
    formula=GELU,
    concept="block-parts",
    ways=({"bend": lambda x: _tanh_form(x, inner=2 / math.pi)},),
)

activation_missing = Misconception(
    id="activation-missing",
    title="There is no activation between the two layers, so they collapse into one linear map.",
    formula=MLP,
    concept="block-parts",
    ways=({"bend": _as_it_is},),
)

activation_misplaced = Misconception(
    id="activation-misplaced",
    title="GELU is applied in the wrong place; it belongs only between the two layers.",
    formula=MLP,
    concept="block-parts",
    ways=({"gelu_mlp": _bent_at_the_end}, {"gelu_mlp": _bent_twice}, {"gelu_mlp": _bent_before}),
)

first_bias_missing = Misconception(
    id="mlp-first-bias-missing",
    title="The bias of the first layer is not added.",
    formula=MLP,
    concept="block-parts",
    ways=({"widen": _without_bias},),
)

second_bias_missing = Misconception(
    id="mlp-second-bias-missing",
    title="The bias of the second layer is not added.",
    formula=MLP,
    concept="block-parts",
    ways=({"narrow": _without_bias},),
)

input_added = Misconception(
    id="mlp-input-added",
    title="The input is added to the result; that is the block's job, not the MLP's.",
    formula=MLP,
    concept="block-parts",
    ways=({"gelu_mlp": _input_added},),
)

OF_MLP = (
    gelu_exact,
    gelu_half,
    gelu_cube,
    gelu_root,
    activation_other,
    first_bias_missing,
    second_bias_missing,
    activation_missing,
    activation_misplaced,
    input_added,
)


def _exchanged(gate, up, swish):
    return gate * swish(up)


def _both(gate, up, swish):
    return swish(gate) * swish(up)


def _on_the_product(gate, up, swish):
    return swish(gate * up)


def _nowhere(gate, up, swish):
    return gate * up


def _added(gate, up, swish):
    return swish(gate) + up


def _gate_alone(gate, up, swish):
    return swish(gate)


def _gelu(x):
    return STEPS.bend(x)


swiglu_exchanged = Misconception(
    id="swiglu-exchanged",
    title="Gate and up are swapped; SiLU belongs on the gate.",
    formula=SWIGLU,
    concept="llama-block",
    ways=({"open_gate": _exchanged},),
)

swiglu_misplaced = Misconception(
    id="swiglu-activation-misplaced",
    title=(
        "SiLU is applied to the product or to both branches; it should be applied only to the gate."
    ),
    formula=SWIGLU,
    concept="llama-block",
    ways=({"open_gate": _on_the_product}, {"open_gate": _both}),
)

swiglu_bilinear = Misconception(
    id="swiglu-activation-missing",
    title="Gate and up are multiplied directly, without SiLU.",
    formula=SWIGLU,
    concept="llama-block",
    ways=({"open_gate": _nowhere},),
)

swiglu_sigmoid = Misconception(
    id="swiglu-sigmoid",
    title="The gate goes through the logistic function only; SiLU also multiplies by the gate.",
    formula=r"\text{SiLU}(z) = \frac{z}{1 + e^{-z}}",
    concept="llama-block",
    ways=({"swish": _logistic},),
)

swiglu_other = Misconception(
    id="swiglu-other-activation",
    title="The gate goes through GELU or ReLU; SwiGLU uses SiLU.",
    formula=r"\text{SiLU}(z) = \frac{z}{1 + e^{-z}}",
    concept="llama-block",
    ways=({"swish": _gelu}, {"swish": _exact}, {"swish": _relu}),
)

swiglu_added = Misconception(
    id="swiglu-added",
    title="The two branches are added; they should be multiplied.",
    formula=SWIGLU,
    concept="llama-block",
    ways=({"open_gate": _added},),
)

swiglu_ungated = Misconception(
    id="swiglu-up-unused",
    title="The branch of w_up is not used.",
    formula=SWIGLU,
    concept="llama-block",
    ways=({"open_gate": _gate_alone},),
)

OF_SWIGLU = (
    swiglu_exchanged,
    swiglu_misplaced,
    swiglu_sigmoid,
    swiglu_bilinear,
    swiglu_other,
    swiglu_added,
    swiglu_ungated,
)
