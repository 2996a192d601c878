"""A file with a model of the Llama kind that has 20,000 parameters, drawn at random."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from studyattn.lm.llama.gguf_file import shapes
from studyattn.lm.records import Config

CONFIG = Config(
    layers=2,
    width=32,
    heads=4,
    key_heads=2,
    head_width=8,
    hidden=48,
    tokens=262,
    context=64,
    base=500.0,
    epsilon=float(np.float32(1e-5)),
)
NAMES = {
    "attention_gain": "attn_norm", "w_q": "attn_q", "w_k": "attn_k", "w_v": "attn_v",
    "w_o": "attn_output", "mlp_gain": "ffn_norm", "w_gate": "ffn_gate", "w_up": "ffn_up",
    "w_down": "ffn_down", "embedding": "token_embd", "gain": "output_norm",
    "unembedding": "output", "q_gain": "attn_q_norm", "k_gain": "attn_k_norm",
    "b_q": "attn_q", "b_k": "attn_k", "b_v": "attn_v",
}  # fmt: skip


def config_of(architecture: str) -> Config:
    """Return the sizes of a tiny model of an architecture."""
    further = {"biased": architecture == "qwen2", "normed": architecture == "qwen3"}
    return dataclasses.replace(CONFIG, **further)


def pieces() -> list[str]:
    """The tokens: the end of a text, every byte as BPE writes it, and what two merges make."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable}
    letters |= {byte: chr(256 + place) for place, byte in enumerate(others)}
    return ["<|end|>", *(letters[byte] for byte in range(256)), "th", "the", "Ġt", "12", "ab"]


def write(
    path: Path,
    *,
    architecture: str = "llama",
    tokenizer: str = "gpt2",
    cut: str = "smollm",
    more: Mapping[str, int] | None = None,
    without: str = "",
    tied: bool = True,
) -> Path:
    """Write the file; `more` are further numbers that it says, `without` a weight that it lacks."""
    writer = gguf.GGUFWriter(path, architecture)
    config = config_of(architecture)
    writer.add_name("Tiny")
    writer.add_license("mit")
    writer.add_block_count(config.layers)
    writer.add_context_length(config.context)
    writer.add_embedding_length(config.width)
    writer.add_feed_forward_length(config.hidden)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.key_heads)
    writer.add_rope_freq_base(config.base)
    writer.add_layer_norm_rms_eps(config.epsilon)
    for key, number in (more or {}).items():
        writer.add_uint32(key, number)
    writer.add_tokenizer_model(tokenizer)
    writer.add_tokenizer_pre(cut)
    writer.add_token_list(pieces())
    writer.add_token_types([3] + [1] * (config.tokens - 1))
    writer.add_token_merges(["t h", "th e", "Ġ t", "1 2", "a b"])
    writer.add_eos_token_id(0)
    generator = np.random.default_rng(5)
    for name, shape in shapes(config).items():
        if name == without or (tied and name == "unembedding"):
            continue
        values: Any = generator.standard_normal(shape).astype(np.float32)
        values = 1 + values / 10 if len(shape) == 1 else values / shape[1] ** 0.5
        layer, _, kind = name.rpartition(".")
        stem = f"blk.{layer}.{NAMES[kind]}" if layer else NAMES[kind]
        if kind == "w_up":
            quantised = gguf.quants.quantize(values, gguf.GGMLQuantizationType.Q8_0)
            writer.add_tensor(f"{stem}.weight", quantised, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
        else:
            writer.add_tensor(f"{stem}.{'bias' if kind.startswith('b_') else 'weight'}", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
