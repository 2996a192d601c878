"""Libraries that are installed on request alone, and the command that installs one.

The program runs without them; what needs one says so with `how_to_install`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def is_installed(library: str) -> bool:
    """Return whether Python finds the library, without importing it: torch takes seconds."""
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # an import hook may refuse a name
        return False


def how_to_install(library: str) -> str:
    """Return the command that adds `library` to the environment in which this program runs."""
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").exists():
        return f"pipx inject studyattn {library}"
    if (environment / "uv-receipt.toml").exists():
        return f"uv pip install --python {sys.executable} {library}"
    return f"{sys.executable} -m pip install {library}"
