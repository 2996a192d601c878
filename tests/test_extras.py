"""What installs a library in the environment in which the program runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from studyattn.extras import how_to_install, is_installed


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pipx_metadata.json", 'pipx inject studyattn "studyattn[torch]"'),
        ("uv-receipt.toml", f'uv pip install --python {sys.executable} "studyattn[torch]"'),
        ("pyvenv.cfg", f'{sys.executable} -m pip install "studyattn[torch]"'),
    ],
)
def test_the_command_is_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, command: str
) -> None:
    (tmp_path / file).write_text("")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert how_to_install("torch").startswith(f"Install it with `{command}`. ")
    assert "CPU build" in how_to_install("torch")
    assert "CPU build" not in how_to_install("serve")


def test_a_name_that_an_import_hook_refuses_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not is_installed("torch")
    assert is_installed("numpy")
