"""Empty databases in plenty."""

from __future__ import annotations

import pytest

from tests.exchange.homes import Homes


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    return Homes(tmp_path_factory.mktemp("homes"))
