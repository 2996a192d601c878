"""Reading a GGUF file: the sizes, the vocabulary and the weights of a model of the Llama kind.

Qwen2 and Qwen3 are of this kind, too: with biases, and with norms in each head.

The library `gguf` parses and dequantises; what a file must say for its model to be computed here is
checked in this module. A file that cannot be used is refused with the reason. The library
`tokenizers` makes the tokenizer, a byte-level BPE, of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studyattn.errors import InputError
from studyattn.lm.records import Config

if TYPE_CHECKING:
    from gguf import GGUFReader

CONTROL: Final = 3
"""The type of a token that is no text, such as the end of a text."""

_WORDS: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 cuts a text into words."""

_CUT_BY: Final = {"llama-bpe": _WORDS, "qwen2": _WORDS.replace("{1,3}", "")}
_CUTS: Final = ("smollm", "gpt-2", *_CUT_BY)
"""The ways to cut a text before its bytes are written as letters, by their names in files."""

_MAGIC: Final = b"GGUF"
_OF_LAYER: Final = {
    "attn_norm": "attention_gain",
    "attn_q": "w_q",
    "attn_k": "w_k",
    "attn_v": "w_v",
    "attn_output": "w_o",
    "ffn_norm": "mlp_gain",
    "ffn_gate": "w_gate",
    "ffn_up": "w_up",
    "ffn_down": "w_down",
}
_FURTHER: Final = {
    "attn_q.bias": "b_q",
    "attn_k.bias": "b_k",
    "attn_v.bias": "b_v",
    "attn_q_norm.weight": "q_gain",
    "attn_k_norm.weight": "k_gain",
}
_ROTATED: Final = ("w_q", "w_k", "b_q", "b_k", "q_gain", "k_gain")
"""The weights whose rows are the features of heads that are rotated."""

_ARCHITECTURES: Final = ("llama", "qwen2", "qwen3")
_OF_MODEL: Final = {"token_embd": "embedding", "output_norm": "gain", "output": "unembedding"}


class Vocabulary(NamedTuple):
    """The tokens of a model.

    Attributes:
        pieces: each token as the file writes it, by number.
        merges: pairs of pieces, with a blank between, in the order in which they are joined.
        control: the numbers of the tokens that are no text.
        pre: how a text is cut into words first.
        begin: the token before a text, for a model that was trained with one.
        ends: the tokens after which a text is over.
    """

    pieces: tuple[str, ...]
    merges: tuple[str, ...]
    control: tuple[int, ...]
    pre: str
    begin: int | None
    ends: tuple[int, ...]


class GgufFile:
    """A file with a model of the Llama kind."""

    def __init__(self, path: Path) -> None:
        """Read all but the weights. Raises InputError if the model cannot be used."""
        self._path = path
        try:
            self._reader = _opened(path)
            architecture = self._value("general.architecture")
            if architecture not in _ARCHITECTURES:
                known = ", ".join(_ARCHITECTURES)
                raise self._refused(
                    f"its architecture is {architecture!r}; those of {known} are known"
                )
            self._architecture = architecture
            self.title = str(self._value("general.name", self._path.stem))
            self.license = str(self._value("general.license", ""))
            self.config = self._config()
            self.vocabulary = self._vocabulary()
            self._check_weights()
        except (ValueError, IndexError, KeyError, TypeError, OverflowError, MemoryError) as error:
            raise InputError(
                f"it is damaged or incomplete: {error}",
                where=str(path),
                advice="Download the file again.",
            ) from error

    def weights(self) -> Iterator[tuple[str, NDArray[np.float32]]]:
        """Yield each weight by name, dequantised; a matrix is `(d_out, d_in)`.

        Raises InputError for a kind of quantisation that the library does not know.
        """
        from gguf import dequantize

        for tensor in self._reader.tensors:
            shape = tuple(int(length) for length in reversed(tensor.shape.tolist()))
            try:
                values = dequantize(tensor.data, tensor.tensor_type)
            except (NotImplementedError, ValueError) as error:
                kind = tensor.tensor_type.name
                raise self._refused(f"its weights are of the kind {kind}: {error}") from error
            name = _name(tensor.name)
            values = values.reshape(shape).astype(np.float32, copy=False)
            if self._architecture != "llama" and name.rpartition(".")[2] in _ROTATED:
                values = _as_neighbours(values, self.config.head_width)
            yield name, values

    # ── what the file says ───────────────────────────────────────────────────────────────────────

    def _config(self) -> Config:
        of = self._architecture
        for key, what in (
            ("expert_count", "a mixture of experts"),
            ("rope.scaling.type", "scaled rotary positions"),
        ):
            if self._value(f"{of}.{key}", 0) not in {0, "none"}:
                raise self._refused(f"it has {what}, which is not supported")
        width, heads = (
            self._number(f"{of}.embedding_length"),
            self._number(f"{of}.attention.head_count"),
        )
        head_width = self._number(f"{of}.attention.key_length", width // heads)
        if self._number(f"{of}.rope.dimension_count", head_width) != head_width:
            raise self._refused("only part of each head is rotated, which is not supported")
        config = Config(
            layers=self._number(f"{of}.block_count"),
            width=width,
            heads=heads,
            key_heads=self._number(f"{of}.attention.head_count_kv", heads),
            head_width=head_width,
            hidden=self._number(f"{of}.feed_forward_length"),
            tokens=len(self._field("tokenizer.ggml.tokens").data),
            biased=of == "qwen2",
            normed=of == "qwen3",
            context=self._number(f"{of}.context_length"),
            base=float(self._value(f"{of}.rope.freq_base", 10000.0)),
            epsilon=float(self._value(f"{of}.attention.layer_norm_rms_epsilon")),
        )
        if config.layers > len(self._reader.tensors):
            raise self._refused(f"it has {config.layers:,} layers, but not their weights")
        if config.heads % config.key_heads:
            raise self._refused(
                f"{config.key_heads} key heads cannot be shared by {config.heads} query heads"
            )
        return config

    def _vocabulary(self) -> Vocabulary:
        kind = self._value("tokenizer.ggml.model")
        pre = str(self._value("tokenizer.ggml.pre", "gpt-2"))
        if kind != "gpt2" or pre not in _CUTS:
            known = ", ".join(_CUTS)
            raise self._refused(
                f"its tokenizer is {kind!r} with {pre!r}; byte-level BPE (gpt2) with one of"
                f" {known} is supported"
            )
        types = self._field("tokenizer.ggml.token_type").contents()
        begin = self._value("tokenizer.ggml.bos_token_id", None)
        with_begin = bool(self._value("tokenizer.ggml.add_bos_token", False))
        ends = {
            self._value(f"tokenizer.ggml.{name}_token_id", None)
            for name in ("eos", "eot", "eom", "unknown")
        } - {None}
        pieces = tuple(self._field("tokenizer.ggml.tokens").contents())
        if any(not 0 <= each < len(pieces) for each in {begin, *ends} - {None}):
            raise self._refused("the token that begins or ends a text is not in its vocabulary")
        return Vocabulary(
            pieces=pieces,
            merges=tuple(self._field("tokenizer.ggml.merges").contents()),
            control=tuple(number for number, each in enumerate(types) if each == CONTROL),
            pre=pre,
            begin=int(begin) if with_begin and begin is not None else None,
            ends=tuple(sorted(map(int, ends))),
        )

    def _check_weights(self) -> None:
        """Compare the names and shapes of the weights with those that the sizes ask for."""
        wanted = shapes(self.config)
        found = {}
        for tensor in self._reader.tensors:
            shape = tuple(int(length) for length in reversed(tensor.shape.tolist()))
            found[_name(tensor.name)] = shape
        if "unembedding" not in found:
            del wanted["unembedding"]  # it is the embedding
        others = sorted(found.keys() - wanted.keys())
        if others:
            raise self._refused(f"it has the weight {others[0]!r}, which is not supported")
        for name, shape in wanted.items():
            if found.get(name) != shape:
                there = "is missing" if name not in found else f"has the shape {found[name]}"
                raise self._refused(f"the weight {name!r} {there}; {shape} is needed")

    def _number(self, key: str, default: int | None = None) -> int:
        value = self._value(key, default)
        if not isinstance(value, int) or value < 1:
            raise self._refused(f"{key} is {value!r}, not a positive integer")
        return value

    def _value(self, key: str, *default: Any) -> Any:
        if default and key not in self._reader.fields:
            return default[0]
        return self._field(key).contents()

    def _field(self, key: str) -> Any:
        field = self._reader.fields.get(key)
        if field is None:
            raise self._refused(f"it does not say {key}")
        return field

    def _refused(self, why: str) -> InputError:
        return InputError(f"the model cannot be used: {why}", where=str(self._path))


def shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Return the shape of each weight by name; a matrix is `(d_out, d_in)`."""
    width, inner = config.width, config.heads * config.head_width
    shared = config.key_heads * config.head_width
    found: dict[str, tuple[int, ...]] = {"embedding": (config.tokens, width)}
    for layer in range(config.layers):
        of_layer: dict[str, tuple[int, ...]] = {
            "attention_gain": (width,),
            "w_q": (inner, width), "w_k": (shared, width), "w_v": (shared, width),
            "w_o": (width, inner),
            "mlp_gain": (width,),
            "w_gate": (config.hidden, width), "w_up": (config.hidden, width),
            "w_down": (width, config.hidden),
        }  # fmt: skip
        if config.biased:
            of_layer |= {"b_q": (inner,), "b_k": (shared,), "b_v": (shared,)}
        if config.normed:
            of_layer |= {"q_gain": (config.head_width,), "k_gain": (config.head_width,)}
        found |= {f"{layer}.{name}": shape for name, shape in of_layer.items()}
    return {**found, "gain": (width,), "unembedding": (config.tokens, width)}


def _opened(path: Path) -> GGUFReader:
    """Return a reader of the file; the library raises any error for one that is damaged.

    Raises InputError if it is no such file, or cannot be read.
    """
    from gguf import GGUFReader

    try:
        with path.open("rb") as file:
            begins = file.read(len(_MAGIC))
        if begins != _MAGIC:
            raise InputError("it is not a GGUF file", where=str(path))
        return GGUFReader(path)
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error


def _name(given: str) -> str:
    """Return this program's name of a weight; one that it does not know keeps its own."""
    match given.split("."):
        case [name, "weight"] if name in _OF_MODEL:
            return _OF_MODEL[name]
        case ["blk", layer, name, "weight"] if name in _OF_LAYER:
            return f"{layer}.{_OF_LAYER[name]}"
        case ["blk", layer, name, kind] if f"{name}.{kind}" in _FURTHER:
            return f"{layer}.{_FURTHER[f'{name}.{kind}']}"
    return given


def _as_neighbours(rows: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Reorder the features of heads so that those are neighbours that are rotated together."""
    halves = rows.reshape(-1, 2, width // 2, *rows.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(rows.shape)


# ── the tokenizer ────────────────────────────────────────────────────────────────────────────────


def tokenizer_json(vocabulary: Vocabulary) -> bytes:
    """Return the tokenizer of a vocabulary as the JSON of `tokenizers`.

    Raises InputError for a vocabulary of which the library makes none.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
    from tokenizers.normalizers import NFC

    words = _CUT_BY.get(vocabulary.pre, "")
    cuts: list[pre_tokenizers.PreTokenizer] = []
    if words:
        cuts.append(pre_tokenizers.Split(Regex(words), "isolated"))
    elif vocabulary.pre == "smollm":
        cuts.append(pre_tokenizers.Digits(individual_digits=True))
    cuts.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not words))
    try:
        numbers = {piece: number for number, piece in enumerate(vocabulary.pieces)}
        merges = [(one, other) for one, other in (each.split(" ") for each in vocabulary.merges)]
        whole = vocabulary.pre == "llama-bpe"
        found = Tokenizer(models.BPE(numbers, merges, ignore_merges=whole))
        if vocabulary.pre == "qwen2":
            found.normalizer = NFC()
        found.pre_tokenizer = pre_tokenizers.Sequence(cuts)
        found.decoder = decoders.ByteLevel()
        pieces = (vocabulary.pieces[number] for number in vocabulary.control)
        found.add_special_tokens([AddedToken(piece, normalized=False) for piece in pieces])
    except Exception as error:  # the library raises nothing else
        raise InputError(f"the model cannot be used: its vocabulary is damaged: {error}") from error
    return str(found.to_str()).encode()
