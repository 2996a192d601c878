"""The recipes of docs/reminders.md, as they stand there, run where they can run."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.cli.terminal import terminal

PAGE = (Path(__file__).resolve().parent.parent / "docs/reminders.md").read_text("utf-8")
DUE = "7"


def recipes(language: str) -> list[str]:
    """The blocks of a language, in the order of the page."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder in which `studyattn`, for the recipes' sake, knows one number."""
    folder = tmp_path / ".local" / "bin"
    folder.mkdir(parents=True)
    _script(folder / "studyattn", f'[ "$*" = "due --count" ] && echo "${{DUE-{DUE}}}"')
    for name in ("notify-send", "osascript"):
        _script(folder / name, 'echo "told: $*"')
    return tmp_path


def _script(file: Path, line: str) -> None:
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)


def environment(home: Path, due: str = DUE) -> dict[str, str]:
    path = f"{home}/.local/bin{os.pathsep}{os.environ['PATH']}"
    return {"HOME": str(home), "PATH": path, "DUE": due, "LC_ALL": "C.UTF-8"}


def shell_out(command: str, home: Path, due: str = DUE) -> str:
    given = (f"HOME={home}", f"PATH={home}/.local/bin:/usr/bin:/bin", f"DUE={due}")
    done = subprocess.run(
        ["env", "-i", *given, "/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("language", "command"),
    [("bash", ["bash", "--norc", "--noprofile", "-i"]), ("zsh", ["zsh", "-f", "-i"])],
)
@pytest.mark.parametrize(("due", "prompt"), [(DUE, f"{DUE} due > "), ("0", "> ")])
def test_a_prompt_has_the_number_as_long_as_there_is_one(
    home: Path, language: str, command: list[str], due: str, prompt: str
) -> None:
    needs(language)
    (recipe,) = recipes(language)
    (home / "rc").write_text(f"PS1='> '\nPROMPT='> '\n{recipe}")
    plain = "unsetopt PROMPT_SP; " if language == "zsh" else ""
    with terminal(*command, environment=environment(home, due)) as shell:
        shell.type(f"{plain}. ~/rc; echo be''gun\n")
        shell.wait_for("begun\n")
        assert shell.wait_for("> ") == prompt


def test_fish_shows_the_number_on_the_right(home: Path) -> None:
    needs("fish")
    (recipe,) = recipes("fish")
    for due, shown in ((DUE, f"{DUE} due\n"), ("0", ""), ("", "")):
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"{recipe}\nfish_right_prompt"],
            env={**os.environ, **environment(home, due)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.stdout, done.stderr) == (shown, "")


def test_starship_asks_by_commands_that_run(home: Path) -> None:
    (recipe,) = recipes("toml")
    custom = tomllib.loads(recipe)["custom"]["studyattn"]
    assert shell_out(custom["command"], home) == f"{DUE}\n"
    assert shell_out(f"{custom['when']} && echo yes", home) == "yes\n"
    assert shell_out(f"{custom['when']} && echo yes", home, "0") == ""


def test_tmux_shows_the_number_in_its_status_line(home: Path) -> None:
    needs("tmux")
    (recipe,) = recipes("tmux")
    (home / "tmux.conf").write_text(recipe)
    command = ["tmux", "-L", f"studyattn-{os.getpid()}", "-f", str(home / "tmux.conf")]
    with terminal(*command, "new", "cat", environment=environment(home)) as screen:
        try:
            screen.wait_for(f"{DUE} due  ")
        finally:
            subprocess.run([*command, "kill-server"], check=False, timeout=60)


def test_cron_says_something_only_when_something_is_due(home: Path) -> None:
    (line,) = recipes("cron")
    command = line.split(maxsplit=5)[5]
    assert "%" not in command  # cron would end the line there
    assert shell_out(command, home) == f"{DUE} items are due in studyattn\n"
    assert shell_out(command, home, "0") == ""


def test_systemd_takes_the_timer_and_the_service_runs(home: Path, tmp_path: Path) -> None:
    service, timer = recipes("ini")
    (start,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", service, re.MULTILINE)
    command = start.replace("$$", "$")
    assert shell_out(command, home) == f"told: studyattn {DUE} items are due\n"
    assert shell_out(command, home, "0") == ""
    needs("systemd-analyze")
    units = tmp_path / "units"
    units.mkdir()
    for name, text in (("service", service), ("timer", timer)):
        (units / f"studyattn-reminder.{name}").write_text(text)
    checked = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(units / "studyattn-reminder.timer")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )
    assert "studyattn-reminder" not in checked.stderr, checked.stderr
    assert checked.returncode == 0, checked.stderr


def test_launchd_gets_a_property_list_whose_command_runs(home: Path) -> None:
    (recipe,) = recipes("xml")
    agent = plistlib.loads(recipe.encode())
    assert agent["StartCalendarInterval"] == {"Hour": 18, "Minute": 0}
    *shell, command = agent["ProgramArguments"]
    assert shell == ["/bin/sh", "-c"]
    assert f'display notification "{DUE} items are due"' in shell_out(command, home)
    assert shell_out(command, home, "0") == ""
