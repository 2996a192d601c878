"""Records the grader in other programs: `python -m docs.make_client_recordings [NAME …]`.

`neovim` plays a drill in a Neovim that runs in tmux, with the language server as
`docs/editors.md` sets it up. `vscode` plays it in VS Code's workbench, `notebook` a notebook of
JupyterLab, and `lecture` the live page of a class, in a Chromium. Where a program is missing, its
recording says so and is not made. What a terminal shows becomes an SVG that plays by itself, and
what a page shows an animated WebP. JupyterLab may live in an environment of its own: `JUPYTER`
names its command. VS Code is npm's code-server: `CODE_SERVER` names its command, and `EXTENSIONS`
the folder into which the extension *Generic LSP Client (v2)* was installed.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image
from rich.text import Text
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from docs.animated_svg import Frame, Line, Run, animate
from studyattn.home import Home
from studyattn.study.profile import open_profile
from studyattn.tui.theme import Look, theme_named
from tests.serve.browser import CHROMEDRIVER, CHROMIUM, chromium

FOLDER = Path(__file__).parent / "screenshots"
COLUMNS, ROWS = 100, 26
PAGE = (1000, 720)
SECONDS = 60
COLOURS = theme_named(Look.DARK).colours
FORGOTTEN = "    scores = q @ k.swapaxes(-1, -2)\n"
MENDED = "    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])\n"
CODE = (
    "import numpy as np\n\n\ndef attention(q, k, v):\n"
    + FORGOTTEN
    + "    weights = np.exp(scores - scores.max(-1, keepdims=True))\n"
    "    return weights / weights.sum(-1, keepdims=True) @ v\n"
)
HANDED_IN = {
    "ada": "def softmax(x):\n    e = np.exp(x - x.max(-1, keepdims=True))\n"
    "    return e / e.sum(-1, keepdims=True)\n",
    "ben": "def softmax(x):\n    e = np.exp(x)\n    return e / e.sum()\n",
    "chi": "def softmax(x):\n    e = np.exp(x)\n    return e / e.sum(-1, keepdims=True)\n",
    "dan": "def softmax(x):\n    e = np.exp(x - x.max())\n    return e / e.sum()\n",
}


class MissingProgramError(Exception):
    """Say which program a recording needs."""


def wait_until(condition: Callable[[], bool], shown: Callable[[], str]) -> None:
    """Wait for what another program does; raises TimeoutError with what is shown then."""
    until = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(shown())
        time.sleep(0.5)


@dataclass
class Tmux:
    """A program in a terminal, and what it showed."""

    server: str
    frames: list[Frame] = field(default_factory=list)

    def ask(self, *words: str) -> str:
        """Return what a command of tmux prints."""
        command = ["tmux", "-f", "/dev/null", "-L", self.server, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def text(self) -> str:
        """Return what the terminal shows."""
        return self.ask("capture-pane", "-p")

    def wait_for(self, words: str) -> None:
        """Wait until the terminal shows the words."""
        wait_until(lambda: words in self.text(), self.text)

    def keys(self, *keys: str) -> None:
        """Press keys by the names that tmux gives them."""
        self.ask("send-keys", *keys)

    def keep(self, seconds: float, caption: str) -> None:
        """Keep what the terminal shows now as a frame."""
        shown = Text.from_ansi(self.ask("capture-pane", "-p", "-e")).split("\n", allow_blank=True)
        lines = tuple(_line(text) for text in list(shown)[:ROWS])
        self.frames.append(Frame(lines, seconds, caption))


def _line(text: Text) -> Line:
    """Return a line of a terminal as runs of one style each."""
    bounds = sorted({0, len(text), *(at for span in text.spans for at in (span.start, span.end))})
    runs = []
    for start, end in pairwise(bounds):
        part = text[start:end]
        fill, ground, bold = COLOURS.text, COLOURS.ground, False
        for span in part.spans:
            style = span.style
            if isinstance(style, str):
                continue
            if style.color is not None and not style.color.is_default:
                fill = style.color.get_truecolor().hex
            if style.bgcolor is not None and not style.bgcolor.is_default:
                ground = style.bgcolor.get_truecolor(foreground=False).hex
            bold = bold or bool(style.bold)
            if style.reverse:
                fill, ground = ground, fill
        runs.append(Run(part.plain, part.cell_len, fill, ground, bold))
    return tuple(runs) or (Run(" ", COLUMNS, COLOURS.text, COLOURS.ground),)


@contextmanager
def tmux(command: str, folder: Path, environment: dict[str, str]) -> Iterator[Tmux]:
    """Run a command in a terminal of its own."""
    terminal = Tmux(f"studyattn-{os.getpid()}")
    given = [word for pair in environment.items() for word in ("-e", "=".join(pair))]
    size = ("-x", str(COLUMNS), "-y", str(ROWS))
    terminal.ask("new-session", "-d", *size, *given, "-c", str(folder), command)
    terminal.ask("set-option", "-g", "status", "off")
    try:
        yield terminal
    finally:
        terminal.ask("kill-server")


def record_neovim(folder: Path, home: Path) -> Path:
    """Record the mistake on its line, what is under the cursor, and the verdict after the mend."""
    if shutil.which("nvim") is None or shutil.which("tmux") is None:
        raise MissingProgramError("needs Neovim and tmux")
    drill, settings = folder / "attention.py", folder / "init.lua"
    drill.write_text(CODE, encoding="utf-8")
    words = [sys.executable, "-m", "studyattn", "--home", str(home), "lsp"]
    command = ", ".join(json.dumps(word) for word in words)
    settings.write_text(
        f"""
vim.o.termguicolors, vim.o.number, vim.o.ruler, vim.o.signcolumn = true, true, false, "yes"
vim.cmd("colorscheme slate")
for _, group in ipairs({{ "Normal", "SignColumn", "LineNr", "EndOfBuffer" }}) do
  vim.cmd("highlight " .. group .. " guibg=NONE")
end
vim.cmd("highlight NormalFloat guibg=#262a33 guifg=#d7dae0")
vim.cmd("highlight DiagnosticError guifg=#ff8a80")
vim.diagnostic.config({{ virtual_text = false, severity_sort = true }})
vim.api.nvim_create_autocmd("FileType", {{ pattern = "python", callback = function()
  local client = vim.lsp.start_client({{ name = "studyattn", cmd = {{ {command} }} }})
  vim.lsp.buf_attach_client(0, client)
end }})
vim.keymap.set("n", "K", vim.lsp.buf.hover)
vim.keymap.set("n", "D", function() vim.diagnostic.open_float({{ max_width = 92 }}) end)
vim.keymap.set("n", "A", vim.lsp.buf.code_action)
""",
        encoding="utf-8",
    )
    editor = shlex.join(["nvim", "--clean", "-u", str(settings), drill.name])
    with tmux(editor, folder, {"TERM": "tmux-256color"}) as terminal:
        terminal.wait_for("def attention")
        terminal.keep(2, "A drill's file in Neovim, with `studyattn lsp`.")
        terminal.wait_for("E   5")
        terminal.keys("5G", "w")
        terminal.keep(1.5, "The mistake is marked on its line …")
        terminal.keys("D")
        terminal.wait_for("not divided by")
        terminal.keep(7, "… and named, with the smallest input that shows it.")
        terminal.keys("k", "0", "f", "q")
        wait_until(lambda: "not divided" not in terminal.text(), terminal.text)
        terminal.keys("K")
        time.sleep(2)
        terminal.keep(4, "Under the cursor: an argument, and its shape.")
        terminal.keys("j")
        terminal.keys("A")
        time.sleep(2)
        terminal.keep(4, "Actions: the next hint, the change, the lesson.")
        terminal.keys("Escape")
        terminal.keys(r":s/$/ \/ np.sqrt(q.shape[-1])/", "Enter")
        terminal.keep(1, "The line is mended …")
        terminal.keys(":w", "Enter")
        terminal.wait_for("I   4")
        terminal.keys("k")
        terminal.keys("D")
        terminal.wait_for("Diagnostics")
        terminal.keep(4, "… and the drill passes.")
    target = FOLDER / "editor.svg"
    title = "studyattn in Neovim: the mistake on its line, by its name"
    told = animate(terminal.frames, COLOURS.ground, COLOURS.quiet, title)
    target.write_text(told, encoding="utf-8")
    return target


@dataclass
class Film:
    """What the tab of a browser showed."""

    driver: Any
    frames: list[tuple[Image.Image, float]] = field(default_factory=list)

    def keep(self, seconds: float) -> None:
        """Keep what the tab shows now for so long."""
        shown = Image.open(io.BytesIO(self.driver.get_screenshot_as_png())).convert("RGB")
        self.frames.append((shown, seconds))

    def write(self, target: Path) -> Path:
        """Write the frames as one picture that plays again and again."""
        (first, _), *others = self.frames
        first.save(
            target,
            save_all=True,
            append_images=[shown for shown, _ in others],
            duration=[round(seconds * 1000) for _, seconds in self.frames],
            loop=0,
            quality=70,
            method=6,
        )
        return target


@contextmanager
def served(command: Sequence[str], port: int, given: dict[str, str]) -> Iterator[None]:
    """Run a program that serves pages, from when it listens until the end."""
    environment = os.environ | given | {"PYTHONPATH": str(Path(__file__).parents[1])}
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
    try:
        wait_until(lambda: _listens(port), lambda: f"{command[0]} did not start")
        yield
    finally:
        server.terminate()
        server.wait()


@contextmanager
def film(folder: Path) -> Iterator[Film]:
    """Open a Chromium at the size of the pictures."""
    if CHROMIUM is None or CHROMEDRIVER is None:
        raise MissingProgramError("needs Chromium and its driver")
    width, height = PAGE
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    with chromium(folder / "chromium") as browser:
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        yield Film(browser.driver)


def record_vscode(folder: Path, home: Path) -> Path:
    """Record the mistake on its line, the actions, a shape, and the verdict after the mend."""
    code_server, extensions = (
        os.environ.get("CODE_SERVER", "code-server"),
        os.environ.get("EXTENSIONS"),
    )
    if shutil.which(code_server) is None or extensions is None:
        raise MissingProgramError("needs code-server, and its extension in EXTENSIONS")
    (folder / "attention.py").write_text(CODE, encoding="utf-8")
    settings = {
        "glspc.server.command": sys.executable,
        "glspc.server.commandArguments": ["-m", "studyattn", "--home", str(home), "lsp"],
        "glspc.server.languageId": ["python"],
        "editor.minimap.enabled": False,
        "workbench.activityBar.location": "hidden",
        "workbench.startupEditor": "none",
    }
    data = folder.parent / "vscode"
    (data / "User").mkdir(parents=True)
    (data / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    port = _free_port()
    command = [code_server, "--auth=none", f"--bind-addr=127.0.0.1:{port}", "--disable-telemetry"]
    command += ["--disable-update-check", "--disable-workspace-trust", f"--user-data-dir={data}"]
    command += [f"--extensions-dir={extensions}", str(folder)]
    with served(command, port, {}), film(folder.parent) as tab:
        driver = tab.driver

        def press(*keys: str, after: str, says: str = "") -> None:
            ActionChains(driver).send_keys(*keys).perform()
            wait_until(partial(_told, driver, after, says), lambda: driver.title)

        driver.get(f"http://127.0.0.1:{port}/?folder={folder}")
        wait_until(
            partial(_told, driver, ".explorer-viewlet", "attention.py"), lambda: driver.title
        )
        rows = driver.find_elements(By.CSS_SELECTOR, ".explorer-viewlet .monaco-list-row")
        row = next(each for each in rows if "attention.py" in each.text)
        ActionChains(driver).double_click(row).perform()
        wait_until(partial(_told, driver, ".view-lines", "attention"), lambda: driver.title)
        _chord(driver, "b")
        tab.keep(2)
        wait_until(partial(_is_marked, driver, "scores = "), lambda: driver.title)
        tab.keep(2)
        press(Keys.F8, after=".zone-widget", says="not divided by")
        tab.keep(6)
        press(Keys.ESCAPE, Keys.HOME, after=".view-lines")
        _chord(driver, ".")
        wait_until(partial(_told, driver, ".action-widget", "hint"), lambda: driver.title)
        tab.keep(4)
        press(
            Keys.ESCAPE, Keys.END, " / np.sqrt(q.shape[-1])", after=".view-lines", says="np.sqrt("
        )
        _chord(driver, "s")
        wait_until(lambda: not _told(driver, ".squiggly-error", ""), lambda: driver.title)
        wait_until(partial(_told, driver, ".squiggly-info", ""), lambda: driver.title)
        press(Keys.F8, after=".zone-widget", says="Passed")
        tab.keep(4)
        return tab.write(FOLDER / "vscode.webp")


def _told(driver: Any, selector: str, words: str) -> bool:
    """Tell whether one of these parts of the page says the words."""
    shown = driver.find_elements(By.CSS_SELECTOR, selector)
    return any(words in _words(each) for each in shown)


def _is_marked(driver: Any, words: str) -> bool:
    """Tell whether the line that begins with the words is marked as wrong."""
    lines = driver.find_elements(By.CSS_SELECTOR, ".view-line")
    line = next((each for each in lines if _words(each).lstrip().startswith(words)), None)
    marks = driver.find_elements(By.CSS_SELECTOR, ".squiggly-error")
    heights = {each.location["y"] for each in marks}
    return line is not None and line.location["y"] in heights


def _words(element: Any) -> str:
    return str(element.text).replace("\xa0", " ")


def _chord(driver: Any, key: str) -> None:
    ActionChains(driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()
    time.sleep(1)


def record_notebook(folder: Path, home: Path) -> Path:
    """Record a wrong cell and its verdict, the mended cell, and a card, in JupyterLab."""
    jupyter = shutil.which(os.environ.get("JUPYTER", "jupyter"))
    if jupyter is None or not _has_lab(jupyter):
        raise MissingProgramError("needs JupyterLab, or its command in JUPYTER")
    kernels = folder / "jupyter"
    subprocess.run(
        [sys.executable, "-m", "ipykernel", "install", "--prefix", str(kernels), "--name", "study"],
        check=True,
        capture_output=True,
    )
    _write_notebook(folder / "attention.ipynb")
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    command = [jupyter, "lab", "--no-browser", f"--port={port}", "--IdentityProvider.token="]
    command += ["--allow-root", "--ServerApp.disable_check_xsrf=True", f"--notebook-dir={folder}"]
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    given = {
        "STUDYATTN_HOME": str(home),
        "JUPYTER_PATH": str(kernels / "share" / "jupyter"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
    }
    with served(command, port, given), film(folder) as tab:
        driver = tab.driver
        driver.get(f"{address}/doc/tree/attention.ipynb")
        wait_until(lambda: _found(driver, ".jp-Notebook .cm-content"), lambda: driver.title)
        time.sleep(5)
        tab.keep(2)
        _run_cell(driver)
        for cell in range(2, 5):
            _run_cell(driver)
            wait_until(partial(_shows, driver, cell - 1), lambda: driver.title)
            _show_cell(driver, cell)
            tab.keep(5)
        return tab.write(FOLDER / "notebook.webp")


def _has_lab(jupyter: str) -> bool:
    asked = subprocess.run([jupyter, "lab", "--version"], check=False, capture_output=True)
    return asked.returncode == 0


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def _found(driver: Any, selector: str) -> bool:
    return bool(driver.find_elements(By.CSS_SELECTOR, selector))


def _shows(driver: Any, cells: int) -> bool:
    """Tell whether so many cells show what came of them."""
    shown = driver.find_elements(By.CSS_SELECTOR, ".jp-OutputArea-output")
    return sum("Grading" not in each.text for each in shown) >= cells


def _show_cell(driver: Any, number: int) -> None:
    """Scroll to a cell and what came of it."""
    cell = driver.find_elements(By.CSS_SELECTOR, ".jp-Notebook .jp-Cell")[number - 1]
    driver.execute_script("arguments[0].scrollIntoView()", cell)
    time.sleep(1)


def _run_cell(driver: Any) -> None:
    ActionChains(driver).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()


def _write_notebook(path: Path) -> None:
    """Write a notebook of three cells: wrong code, the same mended, and a card."""
    right = CODE.replace(FORGOTTEN, MENDED)
    texts = ["%load_ext studyattn", *(f"%%drill attention\n{code}" for code in (CODE, right))]
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": text,
        }
        for number, text in enumerate([*texts, "%review"])
    ]
    kernel = {"name": "study", "display_name": "study", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4}
    path.write_text(json.dumps(notebook | {"nbformat_minor": 5}), encoding="utf-8")


def record_lecture(folder: Path, home: Path) -> Path:
    """Record the live page of a class, while its students save."""
    lecture, page = folder / "lecture", folder / "live.html"
    lecture.mkdir()
    command = [sys.executable, "-m", "studyattn", "--home", str(home), "class", "watch"]
    command += ["softmax", str(lecture), "--html", str(page)]
    watch = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        with film(folder) as tab:
            for number, (name, code) in enumerate(HANDED_IN.items(), 1):
                (lecture / name).mkdir()
                (lecture / name / "softmax.py").write_text(f"import numpy as np\n\n\n{code}")
                wait_until(partial(_counts, page, number), page.as_uri)
                tab.driver.get(page.as_uri())
                tab.keep(3)
            return tab.write(FOLDER / "lecture.webp")
    finally:
        watch.communicate(b"q")


def _counts(page: Path, number: int) -> bool:
    """Tell whether the live page counts so many submissions."""
    return page.exists() and f"<b>{number}</b> submission" in page.read_text(encoding="utf-8")


RECORDINGS: dict[str, Callable[[Path, Path], Path]] = {
    "neovim": record_neovim,
    "vscode": record_vscode,
    "notebook": record_notebook,
    "lecture": record_lecture,
}


def main(wanted: Sequence[str]) -> None:
    """Make the recordings that are wanted, or all."""
    for name in wanted or RECORDINGS:
        with tempfile.TemporaryDirectory(prefix="studyattn-") as temporary:
            os.environ["HOME"] = temporary
            folder = Path(temporary) / "work"
            folder.mkdir()
            home = Path(temporary) / "home"
            with open_profile(Home(home)):
                pass
            try:
                target = RECORDINGS[name](folder, home)
            except MissingProgramError as problem:
                print(f"{name}: not made, {problem}")
            else:
                print(f"{target}: {target.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main(sys.argv[1:])
