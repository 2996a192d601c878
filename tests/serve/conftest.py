"""A home that nobody has used, and a server in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.home import Home


@pytest.fixture
def empty_home(tmp_path: Path) -> Home:
    """A home that the app is to make."""
    return Home(tmp_path / "home")
