"""Libraries that are installed on request alone, and the command that installs them.

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


def how_to_install(extras: str) -> str:
    """Say how to add `extras`, such as "model,torch", to the environment of this program."""
    environment, wanted = Path(sys.prefix), f'"studyattn[{extras}]"'
    if (environment / "pipx_metadata.json").exists():
        command = f"pipx inject studyattn {wanted}"
    elif (environment / "uv-receipt.toml").exists():
        command = f"uv pip install --python {sys.executable} {wanted}"
    else:
        command = f"{sys.executable} -m pip install {wanted}"
    smaller = " Without a GPU, install PyTorch's CPU build first: a fifth of the size."
    return f"Install it with `{command}`.{smaller if 'torch' in extras else ''}"
