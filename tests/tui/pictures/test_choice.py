"""What asks tmux for the terminal outside of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studyattn.tui.pictures import choice


async def test_a_tmux_that_never_answers_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "tmux"
    silent.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n")
    silent.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(choice, "_SECONDS", 0.5)
    assert await choice._terminal_outside() == ""
    process = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
