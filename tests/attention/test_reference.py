"""The reference beside torch's own functions, modules and gradients, and its conventions."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from studyattn import attention

reference: Any = attention  # lists of weights are spread into its arguments


def assert_close(ours: Any, theirs: Any) -> None:
    torch.testing.assert_close(ours, theirs, rtol=0.0, atol=1e-12)


@pytest.fixture
def draw() -> Any:
    generator = torch.Generator().manual_seed(7)
    return lambda *shape: torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_attention_is_torchs(draw: Any) -> None:
    q, k, v = draw(2, 3, 4, 6), draw(2, 3, 5, 6), draw(2, 3, 5, 7)
    expected = functional.scaled_dot_product_attention(q, k, v)
    assert_close(reference.attention(q, k, v), expected)


def test_a_mask_says_who_may_attend(draw: Any) -> None:
    q, k, v = draw(2, 3, 4, 6), draw(2, 3, 5, 6), draw(2, 3, 5, 7)
    allowed = draw(2, 1, 4, 5) > 0
    allowed[..., 0] = True
    expected = functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    assert_close(reference.masked_attention(q, k, v, allowed), expected)


def test_a_row_that_may_attend_to_nothing_gives_zeros_and_no_nan_gradient(draw: Any) -> None:
    q, k, v = (draw(3, 2).requires_grad_() for _ in range(3))
    allowed = torch.tensor([[True, True, False], [False] * 3, [True] * 3])
    result = reference.masked_attention(q, k, v, allowed)
    assert torch.equal(result[1], torch.zeros(2, dtype=torch.float64))
    for gradient in torch.autograd.grad(result.sum(), (q, k, v)):
        assert gradient.isfinite().all()


def test_fewer_queries_are_the_last_positions(draw: Any) -> None:
    q, k, v = draw(5, 3), draw(5, 3), draw(5, 2)
    whole = reference.causal_attention(q, k, v)
    assert_close(whole, functional.scaled_dot_product_attention(q, k, v, is_causal=True))
    assert_close(reference.causal_attention(q[3:], k, v), whole[3:])


def test_padding_is_as_if_it_were_not_there(draw: Any) -> None:
    q, k, v = draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 6)
    result = reference.padded_attention(q, k, v, torch.tensor([2, 0]))
    expected = reference.attention(q[0], k[0, :2], v[0, :2])
    assert_close(result[0], expected)
    assert not result[1].any()


def test_multi_head_attention_is_torchs_module(draw: Any) -> None:
    module = torch.nn.MultiheadAttention(12, 3, bias=False, batch_first=True, dtype=torch.float64)
    x = draw(2, 5, 12)
    w_q, w_k, w_v = module.in_proj_weight.detach().chunk(3)
    w_o = module.out_proj.weight.detach()
    expected, _ = module(x, x, x, need_weights=False)
    result = reference.multi_head_attention(x, w_q.T, w_k.T, w_v.T, w_o.T, 3)
    assert_close(result, expected.detach())


def test_cross_attention_is_torchs_module(draw: Any) -> None:
    module = torch.nn.MultiheadAttention(
        8, 2, bias=False, kdim=6, vdim=6, batch_first=True, dtype=torch.float64
    )
    x, context = draw(2, 3, 8), draw(2, 5, 6)
    there = torch.tensor([[True] * 5, [True, True, False, False, True]])
    expected, _ = module(x, context, context, key_padding_mask=~there, need_weights=False)
    weights = [
        w.detach().T
        for w in (
            module.q_proj_weight,
            module.k_proj_weight,
            module.v_proj_weight,
            module.out_proj.weight,
        )
    ]
    result = reference.cross_attention(x, context, *weights, 2, there)
    assert_close(result, expected.detach())


def test_merging_undoes_splitting(draw: Any) -> None:
    x = draw(2, 5, 12)
    heads = reference.split_heads(x, 3)
    assert heads.shape == (2, 3, 5, 4)
    assert torch.equal(heads[:, 1], x[..., 4:8])
    assert torch.equal(reference.merge_heads(heads), x)


def test_head_updates_sum_to_the_output(draw: Any) -> None:
    heads, w_o = draw(2, 3, 5, 4), draw(12, 7)
    total = reference.head_updates(heads, w_o).sum(-3)
    assert_close(total, reference.merge_heads(heads) @ w_o)


def test_grouped_query_attention_is_torchs(draw: Any) -> None:
    q, k, v = draw(2, 6, 4, 5), draw(2, 2, 7, 5), draw(2, 2, 7, 3)
    expected = functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    assert_close(reference.grouped_query_attention(q, k, v), expected)


@pytest.mark.parametrize("chunks", [(6,), (1,) * 6, (2, 3, 1), (5, 1)])
def test_a_cache_gives_what_the_whole_sequence_gives(draw: Any, chunks: tuple[int, ...]) -> None:
    x = draw(2, 6, 8)
    weights = [draw(8, 8) for _ in range(4)]
    mask = torch.ones(6, 6, dtype=torch.bool).tril()
    whole = reference.multi_head_attention(x, *weights, 2, mask)
    cache = reference.CachedAttention(*weights, 2)
    pieces = torch.cat([cache(piece) for piece in x.split(chunks, dim=1)], dim=1)
    assert_close(pieces, whole)
    cache.reset()
    assert_close(cache(x[:1, :2]), whole[:1, :2])


@pytest.mark.parametrize("block", [1, 2, 3, 7, 50])
def test_flash_attention_is_exact(draw: Any, block: int) -> None:
    q, k, v = 30 * draw(2, 4, 6), 30 * draw(2, 7, 6), draw(2, 7, 5)
    expected = reference.attention(q, k, v)
    assert_close(reference.flash_attention(q, k, v, block), expected)


def test_linear_attention_is_attention_with_other_weights(draw: Any) -> None:
    q, k, v = draw(2, 5, 3), draw(2, 5, 3), draw(2, 5, 4)
    weights = (functional.elu(q) + 1) @ (functional.elu(k) + 1).mT
    expected = weights / weights.sum(-1, keepdim=True) @ v
    assert_close(reference.linear_attention(q, k, v), expected)
    weights = weights.tril()
    expected = weights / weights.sum(-1, keepdim=True) @ v
    assert_close(reference.causal_linear_attention(q, k, v), expected)


def test_the_written_gradients_are_autograds(draw: Any) -> None:
    inputs = [draw(2, 4, 3), draw(2, 5, 3), draw(2, 5, 6)]
    grad = draw(2, 4, 6)
    leaves = [array.clone().requires_grad_() for array in inputs]
    expected = torch.autograd.grad(reference.attention(*leaves), leaves, grad)
    for ours, theirs in zip(reference.attention_backward(*inputs, grad), expected, strict=True):
        assert_close(ours, theirs)


def test_lora_and_low_rank_are_the_products_that_they_avoid(draw: Any) -> None:
    x, w, a, b = draw(3, 5), draw(5, 4), draw(5, 2), draw(2, 4)
    assert_close(reference.lora_linear(x, w, a, b, 6.0), x @ (w + 3.0 * a @ b))
    down, up = draw(5, 2), draw(2, 5)
    assert_close(reference.low_rank_value(x, down, up), x @ (down @ up))


def test_parameters_of_gpt_3() -> None:
    assert reference.attention_parameters(12288, 96, 128, 96) == 57_982_058_496


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_results_keep_dtype_and_numpy_agrees(draw: Any, dtype: torch.dtype) -> None:
    q, k, v = draw(2, 3, 4).to(dtype), draw(2, 5, 4).to(dtype), draw(2, 5, 2).to(dtype)
    result = reference.attention(q, k, v)
    assert result.dtype == dtype
    exact = reference.attention(*(array.double().numpy() for array in (q, k, v)))
    error = np.abs(result.double().numpy() - exact).max()
    assert error < 8 * torch.finfo(dtype).eps * np.abs(v.double().numpy()).max()


def test_numpy_arrays_need_no_torch() -> None:
    program = (
        "import sys, numpy as np; from studyattn.attention import attention;"
        "x = np.ones((2, 2)); attention(x, x, x); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_first_two_drills_are_rows_of_a_product(draw: Any) -> None:
    a, b, weights = draw(6), draw(5, 6), draw(5)
    assert_close(reference.dot_product(a, b), b @ a)
    assert_close(reference.weighted_sum(weights, b), weights @ b)


def test_normalisation_is_torchs(draw: Any) -> None:
    x, gain, bias = draw(2, 5, 6), draw(6), draw(6)
    expected = functional.layer_norm(x, (6,), gain, bias, 0.1)
    assert_close(reference.layer_norm(x, gain, bias, 0.1), expected)
    expected = functional.rms_norm(x, (6,), gain, 0.1)
    assert_close(reference.rms_norm(x, gain, 0.1), expected)


def test_the_feed_forward_part_is_torchs(draw: Any) -> None:
    x, w_1, b_1, w_2, b_2 = draw(2, 5, 4), draw(4, 7), draw(7), draw(7, 4), draw(4)
    bent = functional.gelu(functional.linear(x, w_1.T, b_1), approximate="tanh")
    assert_close(reference.gelu_mlp(x, w_1, b_1, w_2, b_2), functional.linear(bent, w_2.T, b_2))
    expected = (functional.silu(x @ w_1) * (x @ (w_1 + 1))) @ w_2
    assert_close(reference.swiglu(x, w_1, w_1 + 1, w_2), expected)


def test_embeddings_and_sinusoids_are_added(draw: Any) -> None:
    tokens, table, positions = torch.tensor([[2, 0], [1, 1]]), draw(3, 4), draw(5, 4)
    expected = functional.embedding(tokens, table) + positions[3:]
    assert_close(reference.embed(tokens, table, positions, 3), expected)
    x, angle = draw(2, 4), torch.tensor([3.0, 0.03], dtype=torch.float64)
    waves = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten()
    assert_close(reference.add_sinusoids(x, torch.tensor([0, 3]))[1], x[1] + waves)


def test_a_block_is_torchs(draw: Any) -> None:
    layer = torch.nn.TransformerEncoderLayer(
        8, 2, 12, 0.0, "gelu", batch_first=True, norm_first=True, dtype=torch.float64
    )
    layer.activation = lambda z: functional.gelu(z, approximate="tanh")
    attention_of, x = layer.self_attn, draw(2, 5, 8)
    projections = (w.T for w in attention_of.in_proj_weight.chunk(3))
    ours = reference.block(
        x,
        *(layer.norm1.weight, layer.norm1.bias),
        *(*projections, attention_of.out_proj.weight.T),
        *(layer.norm2.weight, layer.norm2.bias),
        *(layer.linear1.weight.T, layer.linear1.bias, layer.linear2.weight.T, layer.linear2.bias),
        2,
        torch.ones(5, 5, dtype=torch.bool).tril(),
    )
    hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
    assert_close(ours, layer(x, src_mask=hidden))
