"""A model of the Llama kind, assembled from parts that are looked up by name.

Pre-norm blocks (Touvron et al. 2023): `x + attention(norm(x))`, then `x + mlp(norm(x))`; RMSNorm,
rotary positions in queries and keys, key heads that several query heads share, SwiGLU. Matrices are
used as `x @ w`.

The attention is used in two ways. A whole sequence goes through `causal_attention`, with each key
head repeated for the query heads that share it. A single new token attends to all that was kept of
those before it: no mask is needed, and `grouped_query_attention` does it.

Shapes: `n` tokens, `h` query heads and `h_kv` key heads of `d` features, `width` of the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from studyattn.lm.calls import Parts, calling, used
from studyattn.lm.llama.records import Config, KeptModel


class Store:
    """The store of a sequence: the rotated keys and the values of each layer, `(1, h_kv, n, d)`."""

    one_by_one = False
    """True if tokens have to come one at a time."""

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
        """Forget the tokens from this place on."""
        for layer, (k, v) in self._kept.items():
            self._kept[layer] = k[..., :length, :], v[..., :length, :]


_MATRICES: Final = ("w_o", "w_gate", "w_up", "w_down")
"""The matrices of a layer after its heads."""

Look = Callable[[int, Tensor, Tensor, Tensor, Tensor], Tensor]
"""Called with layer, queries, keys, values and the heads' outputs `(1, h, m, d)`; returns those."""


# ── the model ────────────────────────────────────────────────────────────────────────────────────


class Llama:
    """A model: its sizes, its weights by name, and the parts that use them."""

    def __init__(
        self,
        config: Config,
        parts: Parts,
        weights: Mapping[str, Tensor],
        packed: Callable[[Tensor], Any] = lambda matrix: matrix,
        store: Callable[[], Store] = Store,
    ) -> None:
        """`packed` may exchange each matrix of a layer for what multiplies by it."""
        self.config = config
        self.parts = parts
        self.store = store
        self._embedding = weights["embedding"]
        self._gain = weights["gain"]
        self._unembedding = weights.get("unembedding", self._embedding).T
        self._of_layers = {  # a matrix is a view `(d_in, d_out)` of what is kept transposed
            name: packed(weight.T) if weight.ndim == 2 else weight
            for name, weight in weights.items()
            if "." in name
        }

    def __call__(self, tokens: Tensor, *, look: Look | None = None) -> Tensor:
        """Return the logits after each of the tokens `(n,)`: `(n, vocabulary)`."""
        return self.unembed(self.stream(tokens, look=look)[-1])

    def stream(self, tokens: Tensor, *, look: Look | None = None) -> list[Tensor]:
        """Return the stream of `(n,)` tokens before each layer and at the end, `(n, width)` each.

        The first is the embedding. `look` sees each layer's attention, and may change it.
        """
        streams = [self._embedding[tokens]]  # (n, width)
        for layer in range(self.config.layers):
            streams.append(self.after(layer, streams[-1], look=look))
        return streams

    def unembed(self, x: Tensor) -> Tensor:
        """Return a score for each token of the vocabulary: `(n, width)` to `(n, vocabulary)`."""
        return self._used("rms_norm", x, self._gain, self.config.epsilon) @ self._unembedding

    def embedded(self, tokens: Tensor) -> Tensor:
        """Return the embeddings of tokens: `(n, width)`."""
        return self._embedding[tokens]

    def cached(self, layers: int | None = None) -> Sequence:
        """Return a new sequence that grows, whose keys and values are kept.

        With a number of `layers`, it goes through the first ones only.
        """
        return Sequence(self, layers)

    def after(
        self,
        layer: int,
        x: Tensor,
        kept: Store | None = None,
        begin: int = 0,
        look: Look | None = None,
    ) -> Tensor:
        """Return the stream after a layer, for tokens from position `begin` on."""
        q, k, v = self._projected(layer, self._normed(layer, "attention_gain", x), begin)
        if kept is None:
            heads = self._attended(q, k, v)  # (1, h, m, d)
        else:
            heads = kept.attended(layer, q, k, v, self._attended)
        if look is not None:
            heads = look(layer, q, k, v, heads)
        w_o, *mlp = (self._of_layers[f"{layer}.{each}"] for each in _MATRICES)
        x = x + _times(heads.transpose(1, 2).reshape(len(x), -1), w_o)
        normed = self._normed(layer, "mlp_gain", x)
        if isinstance(w_o, Tensor):
            return x + self._used("swiglu", normed, *mlp)
        w_gate, w_up, w_down = mlp
        gated = torch.nn.functional.silu(_times(normed, w_gate)) * _times(normed, w_up)
        return x + _times(gated, w_down)

    def _normed(self, layer: int, gain: str, x: Tensor) -> Tensor:
        """Return normed rows, or rows as they are where the model has no such norm."""
        found = self._of_layers.get(f"{layer}.{gain}")
        return x if found is None else self._used("rms_norm", x, found, self.config.epsilon)

    def _projected(self, layer: int, x: Tensor, begin: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries `(1, h, n, d)`, keys and values `(1, h_kv, n, d)`, rotated as needed."""
        config = self.config
        positions = torch.arange(begin, begin + len(x))
        found = []
        for of, heads in (("q", config.heads), ("k", config.key_heads), ("v", config.key_heads)):
            each = _times(x, self._of_layers[f"{layer}.w_{of}"])
            if (bias := self._of_layers.get(f"{layer}.b_{of}")) is not None:
                each = each + bias
            each = each.view(1, len(x), heads, config.head_width).transpose(1, 2)
            found.append(self._normed(layer, f"{of}_gain", each))
        q, k, v = found
        q, k = (self._used("rope", each, positions, config.base) for each in (q, k))
        return q, k, v

    def _attended(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Return what each head found: `(1, h, m, d)`."""
        if q.shape[-2] == 1:
            return self._used("grouped_query_attention", q, k, v)
        k, v = (calling("shared", self.parts["shared"], each, self.config.heads) for each in (k, v))
        return self._used("causal_attention", q, k, v)

    def _used(self, name: str, like: Tensor, *rest: object) -> Tensor:
        return used(name, self.parts[name], like, *rest)


class Sequence:
    """A sequence to which tokens are added, whose keys and values are kept."""

    def __init__(self, model: Llama, layers: int | None) -> None:
        self._model = model
        self._layers = range(model.config.layers)[:layers]
        self._kept = model.store() if layers is None else Store()
        self.length = 0

    def __call__(self, tokens: Tensor) -> Tensor:
        """Add tokens `(t,)`; return the logits after the last of them: `(vocabulary,)`.

        All tokens of a first call go through the layers at once if what keeps them lets them; later
        ones one by one.
        """
        is_first = self.length == 0 and not self._kept.one_by_one
        for piece in (tokens,) if is_first else torch.split(tokens, 1):
            x = self._through(piece)
        return self._model.unembed(x[-1:])[0]

    def at_once(self, tokens: Tensor) -> Tensor:
        """Add tokens `(t,)` together; return the logits after each: `(t, vocabulary)`."""
        return self._model.unembed(self._through(tokens))

    def cut(self, length: int) -> None:
        """Forget the tokens from this place on."""
        self._kept.cut(length)
        self.length = length

    def _through(self, tokens: Tensor) -> Tensor:
        x = self._model.embedded(tokens)
        for layer in self._layers:
            x = self._model.after(layer, x, self._kept, self.length)
        self.length += len(tokens)
        return x


def _times(x: Tensor, matrix: Any) -> Tensor:
    """Multiply rows by a matrix, or by what stands in for one."""
    product: Tensor = x @ matrix if isinstance(matrix, Tensor) else matrix(x)
    return product


def mapped(model: KeptModel, file: Path) -> dict[str, Tensor]:
    """Return the weights of a model as views of its file, which is mapped into memory."""
    flat = torch.from_file(str(file), shared=False, size=model.length, dtype=torch.float32)
    return {
        name: flat[place.first : place.stop].view(place.shape)
        for name, place in model.weights.items()
    }
