"""What keeps a tree from being released. Building and installing is `make release`'s own check."""

from __future__ import annotations

import pytest

from benchmarks.release import problems

RELEASED = "# Changelog\n\n## 1.2.0 (2026-11-28)\n\n- Something.\n\n## 1.1.0 (2026-10-01)\n"


def test_a_dated_entry_of_the_version_and_no_change_is_a_release() -> None:
    assert list(problems(RELEASED, "", "1.2.0")) == []


@pytest.mark.parametrize(
    ("changelog", "changed", "told"),
    [
        (RELEASED, " M README.md\n", "uncommitted: README.md"),
        (RELEASED.replace("2026-11-28", "unreleased"), "", "has no date for 1.2.0"),
        (RELEASED.replace("1.2.0", "1.3.0"), "", "begins with version 1.3.0"),
        ("# Changelog\n", "", "begins with version none"),
    ],
)
def test_what_is_missing_is_told(changelog: str, changed: str, told: str) -> None:
    (problem,) = problems(changelog, changed, "1.2.0")
    assert told in problem
