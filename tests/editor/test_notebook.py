"""The magics in a real Jupyter kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from studyattn.cli import run
from studyattn.editor.notebook import heat_map
from studyattn.home import Home
from studyattn.study.practice.attempts import history
from studyattn.study.practice.drills import find_drill
from studyattn.study.profile import open_profile
from studyattn.study.review import browse

PATIENCE = 60
RIGHT = """%%drill softmax
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""
WRONG = RIGHT.replace("e.sum(-1, keepdims=True)", "e.sum()")


class Notebook:
    """A kernel, and what the last cell showed."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client

    def run(self, cell: str) -> dict[str, str]:
        """Run a cell; return its last output by MIME type."""
        shown: dict[str, str] = {}

        def take(message: dict[str, Any]) -> None:
            content = message["content"]
            shown.update(content.get("data", {}))
            if message["msg_type"] == "error":
                shown["error"] = content["evalue"]
            if message["msg_type"] == "stream":
                shown["text"] = shown.get("text", "") + content["text"]

        self._client.execute_interactive(cell, timeout=PATIENCE, output_hook=take)
        return shown


@pytest.fixture
def home(stocked_home: Home) -> Path:
    return stocked_home.root


@pytest.fixture
def notebook(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    monkeypatch.setenv("STUDYATTN_HOME", str(home))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    manager = KernelManager()
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Notebook(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_cell_is_graded_recorded_and_then_defined(home: Path, notebook: Notebook) -> None:
    notebook.run("%load_ext studyattn\nimport numpy as np")
    shown = notebook.run(WRONG)
    assert "line 4: " in shown["text/plain"]  # as the cell counts them, `%%drill` included
    assert "<caption>expected</caption>" in shown["text/html"]
    assert notebook.run("'softmax' in globals()")["text/plain"] == "False"

    shown = notebook.run(RIGHT)
    assert "✓ Passed" in shown["text/plain"]
    assert notebook.run("softmax(np.zeros(4)).tolist()")["text/plain"] == "[0.25, 0.25, 0.25, 0.25]"
    with open_profile(Home(home)) as profile:
        versions = history(profile, find_drill(profile.home, "softmax").guid)
    assert [each.verdict for each in versions] == ["wrong", "passed"]
    assert versions[-1].code.startswith("import numpy as np\n")


def test_cards_are_asked_and_rated_and_errors_are_one_line(home: Path, notebook: Notebook) -> None:
    notebook.run("%load_ext studyattn")
    due = notebook.run("%due")["text/markdown"]
    assert "due**" in due
    assert "multiplied by […]." in due  # no answer
    first = notebook.run("%review")["text/markdown"]
    assert "<details><summary>Answer</summary>" in first
    second = notebook.run("%review good")["text/markdown"]
    assert second.startswith("*good* · ")
    assert second.removeprefix("*good* · ") != first
    with open_profile(Home(home)) as profile:
        assert sum(row.reps for row in browse.items(profile)) == 1
    assert "no such rating" in notebook.run("%review perhaps")["text/markdown"]
    assert "there is no drill" in notebook.run("%drill nothing")["text/markdown"]
    assert notebook.run("%drill softmax --hint")["text/markdown"].startswith("**Hint 1.** ")
    assert "**Hint 1.**" in notebook.run("%drill softmax")["text/markdown"]


def test_a_notebook_is_started_and_graded_as_a_file_too(home: Path, tmp_path: Path) -> None:
    start = ["--home", str(home), "drill", "start", "softmax", "--dir", str(tmp_path)]
    assert run([*start, "--backend", "numpy", "--notebook"]) == 0
    path = tmp_path / "softmax.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert [each["cell_type"] for each in notebook["cells"]] == ["markdown", "code", "code"]
    assert run([*start, "--notebook"]) == 2  # it is never overwritten
    notebook["cells"][-1]["source"] = RIGHT.replace("def", "import numpy as np\n\ndef", 1)
    nbformat.write(notebook, path)
    assert run(["--home", str(home), "drill", "grade", "softmax", str(path)]) == 0


def test_only_small_tables_are_drawn() -> None:
    assert heat_map("x", [[1, -2], [0, float("nan")]]).count("<td") == 4
    assert heat_map("x", 3).count("<td") == 1
    assert heat_map("<x>", [1]).count("&lt;x&gt;") == 1
    for none in ("text", [], [[[1]]], [0] * 401):
        assert heat_map("x", none) == ""
