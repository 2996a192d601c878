"""The forward pass beside `transformers`' own Llama on the same weights, cached and not."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from gguf import GGUFReader, dequantize
from torch import Tensor

from benchmarks.real_model import twin
from studyattn.attention import causal_attention, grouped_query_attention, rope
from studyattn.lm.calls import Part, PartError
from studyattn.lm.llama.forward import Llama, mapped
from studyattn.lm.llama.kept import Models
from studyattn.lm.parts import LLAMA
from studyattn.lm.records import WEIGHTS, KeptModel
from studyattn.lm.trial import of_llama, try_part
from tests.torch_parts import PLAIN_PARTS

from .tiny import write

REFERENCE: dict[str, Part] = {
    "rope": rope,
    "causal_attention": causal_attention,
    "grouped_query_attention": grouped_query_attention,
}

needs_transformers = pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None, reason="transformers is not installed"
)


@pytest.fixture(autouse=True)
def one_thread_without_gradients() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several are many times slower where anything else runs
    with torch.no_grad():
        yield
    torch.set_num_threads(threads)


def loaded(model: KeptModel, folder: Path) -> tuple[Llama, dict[str, Tensor]]:
    weights = mapped(model, folder / WEIGHTS)
    return Llama(model.config, {**PLAIN_PARTS, **REFERENCE}, weights), weights


def in_pieces(model: Llama, tokens: Tensor, first: int) -> Tensor:
    """The logits after the first tokens and after each further one."""
    kept = model.new()
    pieces = (tokens[:first], *tokens[first:, None])
    return torch.cat([model(each, kept, only_last=True) for each in pieces])


@needs_transformers
def test_a_tiny_model_says_what_transformers_says(models: Models) -> None:
    model = models.in_use()
    ours, weights = loaded(model, models.place(model))
    tokens = torch.randint(model.config.tokens, (40,), generator=torch.Generator().manual_seed(1))
    wanted = twin(model, weights)(tokens[None]).logits[0]  # (n, vocabulary)
    assert (ours(tokens) - wanted).abs().max() < 1e-4
    assert (in_pieces(ours, tokens, 30) - wanted[29:]).abs().max() < 1e-4


@needs_transformers
def test_smollm2_says_what_transformers_says(smollm2: tuple[KeptModel, Path]) -> None:
    model, _ = smollm2
    ours, weights = loaded(*smollm2)
    tokens = torch.randint(model.config.tokens, (200,), generator=torch.Generator().manual_seed(1))
    wanted = twin(model, weights)(tokens[None]).logits[0]  # (n, vocabulary)
    assert (ours(tokens) - wanted).abs().max() < 1e-3
    assert (in_pieces(ours, tokens, 196) - wanted[195:]).abs().max() < 1e-3


def test_fed_in_pieces_it_says_what_it_says_of_the_whole(models: Models) -> None:
    ours, _ = loaded(models.in_use(), models.place(models.in_use()))
    tokens = torch.arange(20)
    assert (in_pieces(ours, tokens, 1) - ours(tokens)).abs().max() < 1e-4


def test_right_parts_pass_the_trial_and_each_wrong_one_is_named(models: Models) -> None:
    ours, _ = loaded(models.in_use(), models.place(models.in_use()))
    for name in LLAMA.tried:
        try_part(name, ours.parts[name], of_llama(name, ours.sizes))

    def off(right: Part, *given: Any) -> Any:
        result = right(*given)
        return result * 1.01 if isinstance(result, Tensor) else result + 1

    for name in LLAMA.tried:
        wrong = functools.partial(off, ours.parts[name])
        with pytest.raises(PartError, match="the reference") as caught:
            try_part(name, wrong, of_llama(name, ours.sizes))
        assert caught.value.part == name


@needs_transformers
@pytest.mark.parametrize("architecture", ["qwen2", "qwen3"])
def test_a_tiny_qwen_says_what_transformers_says(tmp_path: Path, architecture: str) -> None:
    """Its file keeps the halves of a head apart, as `transformers` does."""
    import transformers

    models = Models(tmp_path / "models")
    file = write(tmp_path / "tiny.gguf", architecture=architecture)
    kept = models.take(file, lambda _: None)
    model, _ = loaded(kept, models.place(kept))
    sizes = kept.config
    name = architecture.title()
    config = getattr(transformers, f"{name}Config")(
        vocab_size=sizes.tokens, hidden_size=sizes.width, intermediate_size=sizes.hidden,
        num_hidden_layers=sizes.layers, num_attention_heads=sizes.heads,
        num_key_value_heads=sizes.key_heads, head_dim=sizes.head_width,
        max_position_embeddings=sizes.context, rms_norm_eps=sizes.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": sizes.base},
        tie_word_embeddings=True, bos_token_id=None, eos_token_id=None, pad_token_id=0,
    )  # fmt: skip
    twin = getattr(transformers, f"{name}ForCausalLM")(config).eval()
    named = {
        "token_embd": "model.embed_tokens", "output_norm": "model.norm",
        "attn_norm": "input_layernorm",
        "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj", "attn_q_norm": "self_attn.q_norm",
        "attn_k_norm": "self_attn.k_norm", "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
    }  # fmt: skip
    state = {}
    for tensor in GGUFReader(file).tensors:
        *layer, stem, kind = tensor.name.split(".")
        before = f"model.layers.{layer[1]}." if layer else ""
        values = torch.from_numpy(dequantize(tensor.data, tensor.tensor_type).copy())
        shape = tuple(int(length) for length in reversed(tensor.shape.tolist()))
        state[f"{before}{named[stem]}.{kind}"] = values.view(shape)
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    twin.load_state_dict(state)
    tokens = torch.arange(5, 45)
    wanted = twin(tokens[None]).logits[0]
    assert torch.allclose(model(tokens), wanted, atol=1e-4)
    assert torch.allclose(in_pieces(model, tokens, 7), wanted[6:], atol=1e-4)
