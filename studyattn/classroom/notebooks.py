"""The code cells of a Jupyter notebook, as one Python file."""

from __future__ import annotations

import re
import warnings

from studyattn.errors import InputError

_MAGIC = re.compile(r"^([ \t]*)(?=%{1,2}[a-z]|[!?])")
_HARMLESS = ("%%time", "%%timeit", "%%capture")


def code_of(text: str, where: str) -> str:
    """Return the code cells of a notebook, each below a comment with its number.

    Lines for IPython (`%matplotlib inline`, `!pip install`) become comments, and so does a cell in
    another language (`%%bash`). InputError when it is no notebook, or nbformat is not installed.
    """
    try:
        import nbformat
    except ImportError as error:
        raise InputError(
            "notebooks need nbformat, which is not installed",
            where=where,
            advice='Install it with `pip install "studyattn[class]"`.',
        ) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cells without ids, which nobody here needs
            notebook = nbformat.reads(text, as_version=4)
        cells = [(cell["cell_type"], str(cell["source"])) for cell in notebook["cells"]]
    except Exception as error:  # it raises what its parsers raise
        raise InputError("this is no notebook that can be read", where=where) from error
    parts = []
    for number, (kind, source) in enumerate(cells, 1):
        if kind == "code":
            parts += [f"# cell {number}", *_python(source)]
    return "\n".join(parts) + "\n"


def _python(source: str) -> list[str]:
    lines = source.splitlines()
    first = lines[0].split()[0] if lines and lines[0].split() else ""
    if first.startswith("%%") and first not in _HARMLESS:
        return [f"# {line}" for line in lines]
    return [_MAGIC.sub(r"\1pass  # ", line) for line in lines]
