"""The language server as a process of its own, spoken to by a client and by a real Neovim."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from studyattn.home import Home
from studyattn.study.practice.attempts import history
from studyattn.study.practice.drills import find_drill
from studyattn.study.profile import open_profile

RIGHT = """import numpy as np

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""
WRONG = RIGHT.replace("e.sum(-1, keepdims=True)", "e.sum()")
PATIENCE = 60


@pytest.fixture
def home(stocked_home: Home) -> Path:
    return stocked_home.root


class Editor:
    """A client with one file open."""

    def __init__(self, client: LanguageClient, path: Path) -> None:
        self.client, self.uri = client, path.as_uri()
        self.shown: list[list[types.Diagnostic]] = []
        self.told: list[str] = []
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda params: self.shown.append(list(params.diagnostics))
        )
        client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.told.append(params.message))

    def open(self, code: str) -> None:
        item = types.TextDocumentItem(self.uri, "python", 1, code)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def write(self, code: str, *, save: bool) -> None:
        self.shown.clear()
        document = types.VersionedTextDocumentIdentifier(2, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(code)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        if save:
            saved = types.TextDocumentIdentifier(self.uri)
            self.client.text_document_did_save(types.DidSaveTextDocumentParams(saved))

    async def until(self, wanted: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not wanted():  # noqa: ASYNC110 - what is awaited is told by many messages
                await asyncio.sleep(0.02)

    def says(self, words: str) -> bool:
        return any(words in each.message for each in (self.shown[-1:] or [[]])[0])

    async def offers(self) -> list[types.Command]:
        place = types.Position(0, 0)
        asked = types.CodeActionParams(
            types.TextDocumentIdentifier(self.uri),
            types.Range(place, place),
            types.CodeActionContext([]),
        )
        found = await self.client.text_document_code_action_async(asked)
        return [each for each in found or [] if isinstance(each, types.Command)]

    async def take(self, title: str) -> None:
        (chosen,) = [each for each in await self.offers() if each.title.startswith(title)]
        await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(chosen.command, chosen.arguments)
        )

    async def hover(self, line: int, column: int) -> str:
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(self.uri), types.Position(line, column))
        )
        told = found and found.contents
        return told.value if isinstance(told, types.MarkupContent) else ""


@asynccontextmanager
async def editing(home: Path, path: Path) -> AsyncIterator[Editor]:
    client = LanguageClient("test", "1")
    editor = Editor(client, path)
    await client.start_io(sys.executable, "-m", "studyattn", "--home", str(home), "lsp", "--stdio")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    yield editor
    await client.shutdown_async(None)
    client.exit(None)
    server = client._server
    assert server is not None
    async with asyncio.timeout(PATIENCE):
        assert await server.wait() == 0


async def test_a_drill_is_graded_recorded_and_rated_in_an_editor(
    home: Path, tmp_path: Path
) -> None:
    async with editing(home, tmp_path / "softmax.py") as editor:
        editor.open(WRONG)
        await editor.until(lambda: editor.says("`e.sum()`"))
        (shown,) = editor.shown[-1]
        assert shown.range.start.line == 4
        assert _attempts(home) == []  # opening records nothing
        assert (await editor.hover(2, 6)).startswith("**")

        await editor.take("Show hint 1")
        await editor.until(lambda: bool(editor.told))
        assert editor.told[-1].startswith("Hint 1 of 3: ")
        await editor.take("Show the change")
        await editor.until(lambda: editor.says("Right: `"))

        editor.write(WRONG, save=True)
        editor.write(RIGHT, save=True)
        await editor.until(lambda: editor.says("✓ Passed"))
        await editor.until(lambda: len(_attempts(home)) == 2)
        assert _attempts(home) == ["wrong", "passed"]
        titles: list[str] = []
        while not any(each.startswith("Rate") for each in titles):
            titles = [each.title for each in await editor.offers()]
        assert "again (suggested)" in titles[0]  # what was right had been looked at
        await editor.take("Rate the drill good")
        await editor.until(lambda: "Rated good" in editor.told[-1])


async def test_what_is_typed_is_graded_but_not_recorded(home: Path, tmp_path: Path) -> None:
    async with editing(home, tmp_path / "softmax.py") as editor:
        editor.open(WRONG)
        editor.write(RIGHT, save=False)
        await editor.until(lambda: editor.says("✓ Passed"))
        assert _attempts(home) == []


async def test_what_is_saved_is_recorded_though_the_editor_closes_the_file_and_ends(
    home: Path, tmp_path: Path
) -> None:
    async with editing(home, tmp_path / "softmax.py") as editor:
        editor.open(WRONG)
        editor.write(RIGHT, save=True)
        editor.write(WRONG, save=False)  # an edit after the save does not cancel it
        document = types.TextDocumentIdentifier(editor.uri)
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    assert _attempts(home) == ["passed"]


async def test_other_files_and_untouched_starters_show_nothing(home: Path, tmp_path: Path) -> None:
    async with editing(home, tmp_path / "softmax.py") as editor:
        editor.open("print('softmax of another program')\n")
        assert await editor.hover(0, 0) == ""
        assert await editor.offers() == []
        assert editor.shown == []
    path = home / "drills" / "softmax.py"
    brief = find_drill(Home(home), "softmax").brief
    async with editing(home, path) as editor:
        editor.open(brief.starter_code("numpy"))
        await editor.until(lambda: bool(editor.shown))
        assert editor.shown == [[]]


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim_shows_the_mistake_on_its_line(home: Path, tmp_path: Path) -> None:
    path, found, script = tmp_path / "softmax.py", tmp_path / "found.json", tmp_path / "init.lua"
    path.write_text(WRONG)
    command = json.dumps([sys.executable, "-m", "studyattn", "--home", str(home), "lsp"])
    script.write_text(f"""
        vim.cmd("edit " .. {json.dumps(str(path))})
        local id = vim.lsp.start_client({{
            name = "studyattn", cmd = vim.json.decode({json.dumps(command)}),
        }})
        vim.lsp.buf_attach_client(0, id)
        vim.wait({PATIENCE} * 1000, function()
            local shown = vim.diagnostic.get(0)[1]
            return shown and shown.message:find("`e.sum()`", 1, true)
        end, 50)
        vim.fn.writefile({{ vim.json.encode(vim.diagnostic.get(0)) }}, {json.dumps(str(found))})
        vim.cmd("qall!")
    """)
    subprocess.run(
        ["nvim", "--headless", "--clean", "-u", str(script)], check=True, timeout=2 * PATIENCE
    )
    (shown,) = json.loads(found.read_text())
    assert shown["lnum"] == 4
    assert shown["source"] == "studyattn"
    assert "`e.sum()`" in shown["message"]


def _attempts(home: Path) -> list[str | None]:
    with open_profile(Home(home)) as profile:
        guid = find_drill(profile.home, "softmax").guid
        return [each.verdict for each in history(profile, guid)]
