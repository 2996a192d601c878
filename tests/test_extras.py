"""What installs a library in the environment in which the program runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from studyattn.extras import how_to_install, is_installed

INDEX = "--extra-index-url https://download.pytorch.org/whl/cpu"


@pytest.mark.parametrize(
    ("file", "command", "cpu"),
    [
        ("pipx_metadata.json", "pipx inject studyattn", f"--pip-args='{INDEX}'"),
        ("uv-receipt.toml", f"uv pip install --python {sys.executable}", "--torch-backend cpu"),
        ("pyvenv.cfg", f"{sys.executable} -m pip install", INDEX),
    ],
)
def test_the_command_is_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, command: str, cpu: str
) -> None:
    (tmp_path / file).write_text("")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    told = how_to_install("model,torch")
    assert told.startswith(f'Install it with `{command} "studyattn[model,torch]" {cpu}`: the CPU')
    assert told.endswith(f"For a GPU, leave out `{cpu}`.")
    assert how_to_install("serve") == f'Install it with `{command} "studyattn[serve]"`.'


def test_a_name_that_an_import_hook_refuses_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not is_installed("torch")
    assert is_installed("numpy")
