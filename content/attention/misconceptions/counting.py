"""Mistakes with the number of parameters of attention."""

from studyattn.grading.misconception import Misconception

parameters_output_missing = Misconception(
    id="parameters-output-missing",
    title="One of the four matrices is not counted, such as the output matrix.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=({"count_output": lambda d_model, d_head: 0},),
)

parameters_layers_ignored = Misconception(
    id="parameters-layers-ignored",
    title="Only one layer is counted.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=({"count_all": lambda head, num_heads, num_layers: head * num_heads},),
)

parameters_heads_ignored = Misconception(
    id="parameters-heads-ignored",
    title="Only one head of each layer is counted.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=({"count_all": lambda head, num_heads, num_layers: head * num_layers},),
)

parameters_full_value_matrix = Misconception(
    id="parameters-full-value-matrix",
    title="Each head gets a full d_model × d_model value matrix; it should be two thin factors.",
    formula=r"W_V^{(i)}: d_{model} \times d_{head}, \; W_O^{(i)}: d_{head} \times d_{model}",
    concept="parameter-count",
    ways=(
        {
            "count_qkv": lambda d_model, d_head: (
                d_model * d_head,
                d_model * d_head,
                d_model * d_model,
            ),
            "count_output": lambda d_model, d_head: 0,
        },
        {
            "count_qkv": lambda d_model, d_head: (
                d_model * d_head,
                d_model * d_head,
                d_model * d_model,
            ),
        },
    ),
)

parameters_square_matrices = Misconception(
    id="parameters-square-matrices",
    title=(
        "The matrices are assumed to be d_model × d_model; all heads together are h · d_head wide."
    ),
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=(
        {
            "count_qkv": lambda d_model, d_head: (d_model * d_model,) * 3,
            "count_output": lambda d_model, d_head: d_model * d_model,
            "count_all": lambda head, num_heads, num_layers: head * num_layers,
        },
    ),
)


def _with_biases_on_qkv(d_model, d_head):
    return (d_model * d_head + d_head,) * 3


def _with_a_bias_on_the_output(**changes):
    """The bias of the output has d_model numbers, once a layer and not once a head."""

    def way():
        width = []

        def count_output(d_model, d_head):
            width[:] = [d_model]
            return d_head * d_model

        def count_all(head, num_heads, num_layers):
            return (head * num_heads + width[0]) * num_layers

        return {"count_output": count_output, "count_all": count_all, **changes}

    return way


parameters_biases_counted = Misconception(
    id="parameters-biases-counted",
    title="Biases are counted; there are none.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=(
        {"count_qkv": _with_biases_on_qkv},
        _with_a_bias_on_the_output(count_qkv=_with_biases_on_qkv),
        _with_a_bias_on_the_output(),
    ),
)

parameters_wrong_number_of_matrices = Misconception(
    id="parameters-wrong-number-of-matrices",
    title="A head has four matrices: query, key, value and its rows of the output matrix.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=tuple(
        {
            "count_qkv": lambda d_model, d_head, number=number: (number * d_model * d_head, 0, 0),
            "count_output": lambda d_model, d_head: 0,
        }
        for number in (1, 2, 5, 6, 8)
    ),
)


def _shared_by_heads(*, qkv):
    """Keys and values, or the output, counted once for all heads of a layer."""

    def count_all(head, num_heads, num_layers):
        quarter = head // 4
        own, common = (2, 2) if qkv else (3, 1)
        return quarter * (own * num_heads + common) * num_layers

    return {"count_all": count_all}


parameters_shared_by_heads = Misconception(
    id="parameters-shared-by-heads",
    title="Some matrices are counted once per layer; every head has all four.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=(_shared_by_heads(qkv=False), _shared_by_heads(qkv=True)),
)

PARAMETERS = (
    parameters_output_missing,
    parameters_layers_ignored,
    parameters_heads_ignored,
    parameters_full_value_matrix,
    parameters_square_matrices,
    parameters_biases_counted,
    parameters_wrong_number_of_matrices,
    parameters_shared_by_heads,
)
