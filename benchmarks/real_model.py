"""A real model on the reference parts beside `transformers`' own Llama on the same weights.

    python -m benchmarks real_model

It needs `studyattn model get`, and transformers. Both sides compute in 32-bit floats on one thread.
Told are the largest difference of a logit, whether greedy texts are the same, and ratios of times.
"""

from __future__ import annotations

import resource
import runpy
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from benchmarks._measure import Figure
from studyattn.bundled import content_dir
from studyattn.home import Home
from studyattn.lm.calls import Part
from studyattn.lm.llama.forward import Llama, mapped
from studyattn.lm.llama.kept import Models, model_cache
from studyattn.lm.model import PLAIN_PARTS
from studyattn.lm.parts import LLAMA
from studyattn.lm.records import TOKENIZER, WEIGHTS, KeptModel
from studyattn.study.practice.gpt import default_text
from studyattn.study.practice.model_parts import lent_parts
from studyattn.study.practice.running import InUse, RunningModel
from tests.corpus import submissions

PROMPTS = (
    "The capital of France is",
    "Once upon a time there was a",
    "def fibonacci(n):\n",
    "Water boils at a temperature of",
    "The three most important things in life are",
)
NEW = 50
"""Tokens that are written after each prompt."""

PLAIN = {
    "causal-attention": "index_comparison.py",
    "grouped-query": "repeat_interleave.py",
    "rope": "rotated_neighbours.py",
    "rms-norm": "class_with_state.py",
    "swiglu": "logistic_by_hand.py",
    "sample": "sorted_then_scattered.py",
}
"""Right submissions of the tests that are written in another style than the reference."""


def measure() -> Iterator[Figure]:
    """The figures of this subject."""
    torch.set_num_threads(1)
    models = Models(model_cache())
    kept = models.in_use()
    folder = models.place(kept)
    weights = mapped(kept, folder / WEIGHTS)
    reference, plain = (
        Llama(kept.config, {**PLAIN_PARTS, **parts}, weights) for parts in (_reference(), _plain())
    )
    theirs = twin(kept, weights)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    with torch.no_grad():
        yield from _differences(reference, theirs, tokenizer)
        (ours, said), (other, wanted), (own, _) = _medians(
            lambda text: written(reference, tokenizer, text),
            lambda text: generated(theirs, tokenizer, text),
            lambda text: written(plain, tokenizer, text),
        )
    others = sum(one != another for one, another in zip(said, wanted, strict=True))
    yield Figure(f"greedy texts of {NEW} tokens that differ, of {len(PROMPTS)}", others, "", 0)
    yield Figure("a token of the reference parts, cached", ours * 1000, "ms")
    yield Figure("a token of transformers' generate", other * 1000, "ms")
    yield Figure("reference parts ÷ transformers' generate", ours / other, most=1.15)
    yield Figure("plain learner's parts ÷ transformers' generate", own / other, most=1.4)
    taken, processor = _start(models, kept)
    yield Figure("a further start, until it is ready", taken, "s", most=1.5)
    yield Figure("a further start, processor time", processor, "s")


def _differences(ours: Llama, theirs: Any, tokenizer: Tokenizer) -> Iterator[Figure]:
    """Compare the logits of 200 tokens."""
    tokens = torch.tensor(tokenizer.encode(default_text()[:4000]).ids[:200])
    wanted = theirs(tokens[None]).logits[0]  # (n, vocabulary)
    whole = float((ours(tokens) - wanted).abs().max())
    kept = ours.new()
    cached = torch.cat([ours(token, kept) for token in torch.split(tokens, 1)])
    most = float((cached - wanted).abs().max())
    yield Figure("largest difference of a logit × 1000, 200 tokens, whole", whole * 1000, "", 1.0)
    yield Figure("largest difference of a logit × 1000, 200 tokens, cached", most * 1000, "", 1.0)


def written(model: Llama, tokenizer: Tokenizer, prompt: str) -> list[int]:
    """Return the tokens that a model of parts writes, greedily, with its cache."""
    kept = model.new()
    made: list[int] = []
    logits = model(torch.tensor(tokenizer.encode(prompt).ids), kept, only_last=True)
    while True:
        made.append(int(logits.argmax()))
        if len(made) == NEW:
            return made
        logits = model(torch.tensor(made[-1:]), kept)


def generated(model: Any, tokenizer: Tokenizer, prompt: str) -> list[int]:
    """Return what `transformers` writes in the same way."""
    tokens = torch.tensor([tokenizer.encode(prompt).ids])
    out = model.generate(tokens, max_new_tokens=NEW, do_sample=False, use_cache=True)
    found: list[int] = out[0, tokens.shape[1] :].tolist()
    return found


def _medians(*works: Callable[[str], list[int]]) -> list[tuple[float, list[list[int]]]]:
    """Return the median processor seconds of a token of each, taken in turns, and its texts."""
    for work in works:
        work(PROMPTS[0])  # pages are mapped, and buffers made
    taken: list[list[float]] = [[] for _ in works]
    texts: list[list[list[int]]] = [[] for _ in works]
    for prompt in PROMPTS:
        for work, times, said in zip(works, taken, texts, strict=True):
            began = time.process_time()
            said.append(work(prompt))
            times.append((time.process_time() - began) / NEW)
    return [(statistics.median(times), said) for times, said in zip(taken, texts, strict=True)]


def _start(models: Models, kept: KeptModel) -> tuple[float, float]:
    """Return the seconds from nothing to a model that is ready, and those of the processor.

    Its files are in the page cache; the processor's are of all that was started.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        wanted = lent_parts(home)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        with (
            InUse(kept, models.place(kept)).server() as server,
            RunningModel(server, home, wanted),
        ):
            taken = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return taken, user + system


def _reference() -> dict[str, Part]:
    return {
        entry: _entry(_DRILLS / drill / "solution.py", entry)
        for entry, drill in LLAMA.drills.items()
    }


def _plain() -> dict[str, Part]:
    return {
        entry: _entry(submissions(drill) / "right" / PLAIN[drill], entry)
        for entry, drill in LLAMA.drills.items()
    }


def _entry(path: Path, entry: str) -> Part:
    found: Part = runpy.run_path(str(path))[entry]
    return found


_DRILLS = content_dir() / "attention" / "drills"


def twin(model: KeptModel, weights: Mapping[str, Tensor]) -> Any:
    """Return `transformers`' Llama with the weights of a model.

    Its rotary pairs are the halves of a head, so the rows of queries and keys are put in another
    order: all first entries of the pairs, then all second ones.
    """
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = model.config
    config = LlamaConfig(
        vocab_size=sizes.tokens,
        hidden_size=sizes.width,
        intermediate_size=sizes.hidden,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        num_key_value_heads=sizes.key_heads,
        head_dim=sizes.head_width,
        max_position_embeddings=sizes.context,
        rms_norm_eps=sizes.epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": sizes.base},
        tie_word_embeddings="unembedding" not in weights,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=0,
    )

    def halves(rows: Tensor, heads: int) -> Tensor:
        pairs = rows.view(heads, sizes.head_width // 2, 2, sizes.width)
        return pairs.transpose(1, 2).reshape(rows.shape)

    named = {
        "model.embed_tokens.weight": weights["embedding"],
        "model.norm.weight": weights["gain"],
    }
    named["lm_head.weight"] = weights.get("unembedding", weights["embedding"])
    for layer in range(sizes.layers):
        own = {name: weights[f"{layer}.{name}"] for name in _NAMES}
        own["w_q"] = halves(own["w_q"], sizes.heads)
        own["w_k"] = halves(own["w_k"], sizes.key_heads)
        named |= {f"model.layers.{layer}.{_NAMES[name]}.weight": own[name] for name in _NAMES}
    made: Any = LlamaForCausalLM(config)
    made.eval()
    made.load_state_dict(named)
    return made


_NAMES = {
    "attention_gain": "input_layernorm",
    "w_q": "self_attn.q_proj",
    "w_k": "self_attn.k_proj",
    "w_v": "self_attn.v_proj",
    "w_o": "self_attn.o_proj",
    "mlp_gain": "post_attention_layernorm",
    "w_gate": "mlp.gate_proj",
    "w_up": "mlp.up_proj",
    "w_down": "mlp.down_proj",
}
