"""The tokenizer of a model: byte-level BPE, made from the vocabulary in its file.

The library `tokenizers` computes; a made tokenizer is kept as its JSON, which is read in a tenth of
a second.
"""

from __future__ import annotations

import json
from typing import Final

from studyattn.errors import InputError
from studyattn.lm.llama.gguf_file import Vocabulary

_WORDS: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Llama 3 cuts a text into words."""

_CUT: Final = {
    "gpt-2": [],
    "smollm": [{"type": "Digits", "individual_digits": True}],
    "llama-bpe": [
        {
            "type": "Split",
            "pattern": {"Regex": _WORDS},
            "behavior": "Isolated",
            "invert": False,
        }
    ],
}
"""What cuts a text before its bytes are written as letters, by the name in files."""


def tokenizer_json(vocabulary: Vocabulary) -> bytes:
    """Return the tokenizer of a vocabulary as the JSON of `tokenizers`.

    Raises InputError for a vocabulary of which the library makes none.
    """
    from tokenizers import Tokenizer

    written = _written(vocabulary)
    try:
        Tokenizer.from_str(written.decode())
    except Exception as error:  # the library raises nothing else
        raise InputError(f"the model cannot be used: its vocabulary is damaged: {error}") from error
    return written


def _written(vocabulary: Vocabulary) -> bytes:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    words = {**byte_level, "use_regex": vocabulary.pre != "llama-bpe"}
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [
                {
                    "id": number,
                    "content": vocabulary.pieces[number],
                    "single_word": False,
                    "lstrip": False,
                    "rstrip": False,
                    "normalized": False,
                    "special": True,
                }
                for number in vocabulary.control
            ],
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*_CUT[vocabulary.pre], words]},
            "post_processor": None,
            "decoder": {**byte_level, "use_regex": True},
            "model": {
                "type": "BPE",
                "dropout": None,
                "unk_token": None,
                "continuing_subword_prefix": None,
                "end_of_word_suffix": None,
                "fuse_unk": False,
                "byte_fallback": False,
                "ignore_merges": vocabulary.pre == "llama-bpe",
                "vocab": {piece: number for number, piece in enumerate(vocabulary.pieces)},
                "merges": [merge.split(" ") for merge in vocabulary.merges],
            },
        },
        ensure_ascii=False,
    ).encode()
