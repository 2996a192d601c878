"""The code cells of a Jupyter notebook, as one Python file."""

from __future__ import annotations

import re

from studyattn.text.notebooks import CODE, cells_of

_MAGIC = re.compile(r"^([ \t]*)(?=%{1,2}[a-z]|[!?])")
_HARMLESS = ("%%time", "%%timeit", "%%capture", "%%drill")


def code_of(text: str, where: str) -> str:
    """Return the code cells of a notebook, each below a comment with its number.

    Lines for IPython (`%matplotlib inline`, `!pip install`) become comments, and so does a cell in
    another language (`%%bash`). InputError when it is no notebook, or nbformat is not installed.
    """
    parts = []
    for number, cell in enumerate(cells_of(text, where), 1):
        if cell.kind == CODE:
            parts += [f"# cell {number}", *_python(cell.text)]
    return "\n".join(parts) + "\n"


def _python(source: str) -> list[str]:
    lines = source.splitlines()
    first = lines[0].split()[0] if lines and lines[0].split() else ""
    if first.startswith("%%") and first not in _HARMLESS:
        return [f"# {line}" for line in lines]
    return [_MAGIC.sub(r"\1pass  # ", line) for line in lines]
