"""A new collection of the real Anki for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from anki.collection import Collection


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    from anki.collection import Collection  # an optional group

    opened = Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()
