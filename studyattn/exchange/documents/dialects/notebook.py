"""Jupyter notebooks as documents: their Markdown cells, and code cells in fences."""

from __future__ import annotations

from pathlib import Path

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.files import read_text
from studyattn.text.notebooks import as_markdown, cells_of


def load(path: Path) -> str:
    """Return a notebook as Markdown. Raises DocumentError, also where nbformat is missing."""
    try:
        text = as_markdown(cells_of(read_text(path), str(path)))
    except InputError as error:
        if isinstance(error, DocumentError):
            raise
        raise DocumentError(error.message, where=error.where, advice=error.advice) from error
    if not text.strip():
        raise DocumentError("the notebook is empty", where=str(path))
    return text
