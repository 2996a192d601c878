"""The documentation is true: its examples run, and what it names exists."""

from __future__ import annotations

import contextlib
import io
import re
import tomllib
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parent.parent
API = sorted((REPOSITORY / "docs" / "api").glob("*.md"))


@pytest.mark.parametrize("page", API, ids=lambda page: page.stem)
def test_the_examples_of_api_pages_print_what_their_comments_say(page: Path) -> None:
    for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), {})  # the page's own example
        expected = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
        assert expected
        assert printed.getvalue().splitlines() == expected


def test_the_hosted_checks_run_the_project_s_own_command_on_every_supported_python() -> None:
    workflow = yaml.safe_load((REPOSITORY / ".github/workflows/ci.yml").read_text("utf-8"))
    job = workflow["jobs"]["test"]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert job["strategy"]["matrix"]["python"][0] == oldest
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert (REPOSITORY / ".ci/run").is_file()


def test_the_hooks_before_a_commit_use_the_project_s_own_tools() -> None:
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [source["repo"] for source in hooks["repos"]] == ["local"]
    for hook in hooks["repos"][0]["hooks"]:
        assert hook["entry"].split()[0].startswith(".venv/bin/")
