"""A model of the Llama kind, assembled from parts that are looked up by name.

Its blocks (Touvron et al. 2023) have RMSNorm, rotary positions in queries and keys, key heads that
several query heads share, and SwiGLU.

The attention is used in two ways. A whole sequence goes through `causal_attention`, with each key
head repeated for the query heads that share it. A single new token attends to all that was kept of
those before it: no mask is needed, and `grouped_query_attention` does it.

Shapes: `n` tokens, `h` query heads and `h_kv` key heads of `d` features, `width` of the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from studyattn.lm.calls import Parts, calling
from studyattn.lm.model import Kept, Model, views
from studyattn.lm.records import Config, KeptModel


class Store(Kept):
    """The store of a sequence: the rotated keys and the values of each layer, `(1, h_kv, n, d)`."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Tensor, Tensor]] = {}

    def attended(
        self, layer: int, q: Tensor, k: Tensor, v: Tensor, attend: Callable[..., Tensor]
    ) -> Tensor:
        """Keep new keys and values, and attend to all that are kept."""
        if layer in self._kept:
            before = self._kept[layer]
            k, v = torch.cat((before[0], k), dim=-2), torch.cat((before[1], v), dim=-2)
        self._kept[layer] = k, v
        return attend(q, k, v)

    def cut(self, length: int) -> None:
        super().cut(length)
        for layer, (k, v) in self._kept.items():
            self._kept[layer] = k[..., :length, :], v[..., :length, :]


Look = Callable[[int, Tensor, Tensor, Tensor, Tensor], Tensor]
"""Called with layer, queries, keys, values and the heads' outputs `(1, h, m, d)`; returns those."""


class Looked(Store):
    """Keeps nothing of a sequence: `look` sees each layer's attention, and may change it."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def attended(
        self, layer: int, q: Tensor, k: Tensor, v: Tensor, attend: Callable[..., Tensor]
    ) -> Tensor:
        return self._look(layer, q, k, v, attend(q, k, v))


# ── the model ────────────────────────────────────────────────────────────────────────────────────


class Llama(Model):
    """A model of this kind. It reads one sequence."""

    def __init__(
        self,
        config: Config,
        parts: Parts,
        weights: Mapping[str, Tensor],
        packed: Callable[[Tensor], Any] = lambda matrix: matrix,
        store: Callable[[], Store] = Store,
    ) -> None:
        """`packed` may exchange each matrix of a layer for what multiplies by it."""
        of_layers = {  # a matrix is a view `(d_in, d_out)` of what is kept transposed
            name: packed(weight.T) if weight.ndim == 2 else weight
            for name, weight in weights.items()
            if "." in name
        }
        super().__init__(config, parts, {**weights, **of_layers})
        self._store = store

    def new(self) -> Store:
        return self._store()

    def embedded(self, tokens: Tensor, begin: int) -> Tensor:
        del begin  # positions are in queries and keys
        return self.weights["embedding"][tokens]  # type: ignore[no-any-return]

    def normed(self, layer: int, number: int, rows: Tensor) -> Tensor:
        return self._normed(f"{layer}.{'mlp' if number == 2 else 'attention'}_gain", rows)

    def attended(self, layer: int, kept: Store | None, rows: Tensor) -> Tensor:
        q, k, v = self._projected(layer, rows, 0 if kept is None else kept.length)
        if kept is None:
            heads = self._attended(q, k, v)  # (1, h, n, d)
        else:
            heads = kept.attended(layer, q, k, v, self._attended)
        joined = heads.transpose(1, 2).reshape(len(rows), -1)
        return _times(joined, self.weights[f"{layer}.w_o"])

    def mlp(self, layer: int, rows: Tensor) -> Tensor:
        w_gate, w_up, w_down = self.of(layer, "w_gate", "w_up", "w_down")
        if isinstance(w_gate, Tensor):
            return self.used("swiglu", rows, w_gate, w_up, w_down)
        gated = torch.nn.functional.silu(_times(rows, w_gate)) * _times(rows, w_up)
        return _times(gated, w_down)

    def scored(self, x: Tensor) -> Tensor:
        unembedding = self.weights.get("unembedding", self.weights["embedding"])
        return self._normed("gain", x) @ unembedding.T  # type: ignore[no-any-return]

    def _normed(self, gain: str, rows: Tensor) -> Tensor:
        """Return normed rows, or rows as they are where the model has no such norm."""
        found = self.weights.get(gain)
        return rows if found is None else self.used("rms_norm", rows, found, self.sizes.epsilon)

    def _projected(self, layer: int, x: Tensor, begin: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries `(1, h, n, d)`, keys and values `(1, h_kv, n, d)`, rotated as needed."""
        config = self.sizes
        positions = torch.arange(begin, begin + len(x))
        found = []
        for of, heads in (("q", config.heads), ("k", config.key_heads), ("v", config.key_heads)):
            each = _times(x, self.weights[f"{layer}.w_{of}"])
            if (bias := self.weights.get(f"{layer}.b_{of}")) is not None:
                each = each + bias
            each = each.view(1, len(x), heads, config.head_width).transpose(1, 2)
            found.append(self._normed(f"{layer}.{of}_gain", each))
        q, k, v = found
        q, k = (self.used("rope", each, positions, config.base) for each in (q, k))
        return q, k, v

    def _attended(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Return what each head found: `(1, h, m, d)`."""
        if q.shape[-2] == 1:
            return self.used("grouped_query_attention", q, k, v)
        k, v = (calling("shared", self.parts["shared"], each, self.sizes.heads) for each in (k, v))
        return self.used("causal_attention", q, k, v)


def _times(x: Tensor, matrix: Any) -> Tensor:
    """Multiply rows by a matrix, or by what stands in for one."""
    product: Tensor = x @ matrix if isinstance(matrix, Tensor) else matrix(x)
    return product


def mapped(model: KeptModel, file: Path) -> dict[str, Tensor]:
    """Return the weights of a model as views of its file, which is mapped into memory."""
    flat = torch.from_file(str(file), shared=False, size=model.parameters, dtype=torch.float32)
    return views(flat, {name: weight.shape for name, weight in model.weights.items()})
