"""The cells of a Jupyter notebook, and a notebook as Markdown."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from studyattn.errors import InputError
from studyattn.extras import how_to_install

MARKDOWN, CODE = "markdown", "code"


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """A cell: `markdown`, `code` or `raw`, and its text."""

    kind: str
    text: str


def cells_of(text: str, where: str) -> tuple[NotebookCell, ...]:
    """Return the cells of a notebook.

    Raises InputError when it is no notebook, or nbformat is not installed.
    """
    try:
        import nbformat
    except ImportError as error:
        raise InputError(
            "notebooks need nbformat, which is not installed",
            where=where,
            advice=how_to_install("class"),
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cells without ids, which nobody here needs
            notebook = nbformat.reads(text, as_version=4)
        return tuple(
            NotebookCell(each["cell_type"], str(each["source"])) for each in notebook["cells"]
        )
    except Exception as error:  # it raises what its parsers raise
        raise InputError("this notebook cannot be read", where=where) from error


def as_markdown(cells: Sequence[NotebookCell]) -> str:
    """Return a notebook as Markdown: its texts, and each code cell in a fence."""
    parts = []
    for cell in cells:
        if cell.kind == CODE and cell.text.strip():
            fence = "`" * max(3, _longest_run(cell.text) + 1)
            parts.append(f"{fence}python\n{cell.text.rstrip()}\n{fence}")
        elif cell.kind == MARKDOWN and cell.text.strip():
            parts.append(cell.text.strip("\n"))
    return "\n\n".join(parts) + "\n"


def _longest_run(text: str) -> int:
    return max(
        (len(run) for row in text.split("\n") for run in row.split() if set(run) == {"`"}),
        default=0,
    )
