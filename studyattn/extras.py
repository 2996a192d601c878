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
    index = "--extra-index-url https://download.pytorch.org/whl/cpu"
    if (environment / "pipx_metadata.json").exists():
        command, cpu = f"pipx inject studyattn {wanted}", f"--pip-args='{index}'"
    elif (environment / "uv-receipt.toml").exists():
        command = f"uv pip install --python {sys.executable} {wanted}"
        cpu = "--torch-backend cpu"
    else:
        command, cpu = f"{sys.executable} -m pip install {wanted}", index
    if "torch" not in extras:
        return f"Install it with `{command}`."
    told = f"Install it with `{command} {cpu}`: the CPU build, a fifth of the size."
    return f"{told} For a GPU, leave out `{cpu}`."
