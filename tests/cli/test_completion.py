"""Completion, the pager and manual pages, driven in real shells in a pseudo-terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Command, process
from tests.cli.terminal import Terminal, program, terminal

PROMPT = "ready> "
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
BEGIN = {
    "bash": f"PS1='{PROMPT}'; eval \"$(studyattn completion bash)\"; echo be''gun\n",
    "zsh": (
        f"PS1='{PROMPT}'; unsetopt PROMPT_SP; autoload -U compinit; compinit -u -D; "
        "eval \"$(studyattn completion zsh)\"; echo be''gun\n"
    ),
}


@pytest.fixture(scope="module")
def environment(fresh_home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = program(tmp_path_factory.mktemp("shell") / "bin")
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "STUDYATTN_HOME": str(fresh_home),
        "INPUTRC": "/dev/null",
        "LC_ALL": "C.UTF-8",
    }


@pytest.fixture(scope="module", params=SHELLS)
def shell(request: pytest.FixtureRequest, environment: dict[str, str]) -> Iterator[Terminal]:
    """A shell that has loaded the completion; tests of one shell share it."""
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    with terminal(*SHELLS[name], environment=environment) as running:
        running.type(BEGIN[name])
        running.wait_for("begun\n")
        running.wait_for(PROMPT)
        yield running


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("studyattn doc", "doctor "),
        ("studyattn drill start kv-c", "kv-cache "),
        ("studyattn concept show positional-enc", "positional-encoding "),
        ("studyattn settings set theme da", "dark "),
        ("studyattn concept set softmax known-", "known-unknown "),
        ("studyattn due --cou", "--count "),
    ],
)
def test_a_tab_completes_a_word(shell: Terminal, typed: str, completed: str) -> None:
    shell.type(f"{typed}\t")
    begun = typed.rpartition(" ")[2]
    shell.wait_for(typed + completed.removeprefix(begun))
    clear(shell)


def test_a_second_tab_lists_what_there_is(shell: Terminal) -> None:
    shell.type("studyattn drill start so\t\t")
    shell.wait_for("softmax")
    clear(shell)
    shell.type("studyattn drill s\t\t")
    listed = shell.wait_for("start")
    assert "solution" in listed
    clear(shell)


def test_a_manual_page_is_shown(shell: Terminal) -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    shell.type("MANPAGER=cat studyattn man due | cat -s; echo do''ne\n")
    assert ".TH" in shell.wait_for("done\n")  # into a pipe as man reads it
    shell.wait_for(PROMPT)
    shell.type("MANPAGER=cat MANWIDTH=80 studyattn man due; echo do''ne\n")
    shown = shell.wait_for("done\n")
    assert "STUDYATTN-DUE(1)" in shown
    assert "studyattn due --count" in shown
    shell.wait_for(PROMPT)


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
def test_long_text_goes_through_the_pager(shell: Terminal) -> None:
    for command, is_paged in (
        ("PAGER='sed s/^/P>/' studyattn concept list", True),
        ("PAGER='sed s/^/P>/' studyattn concept list --json", False),
        ("PAGER='sed s/^/P>/' studyattn concept list --state known", False),  # it is short
        ("PAGER=no-such-pager studyattn concept list", False),
    ):
        shell.type(f"{command}; echo do''ne\n")
        shown = shell.wait_for("done\n")
        assert ("\nP>" in shown) == is_paged, command
        shell.wait_for(PROMPT)


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
def test_less_stays_on_the_screen_and_ends_with_q(shell: Terminal) -> None:
    if shutil.which("less") is None:
        pytest.skip("less is not installed")
    shell.type("unset PAGER LESS; studyattn concept list\n")
    shell.wait_for("softmax")
    shell.type("q")
    shell.wait_for(PROMPT)


def clear(shell: Terminal) -> None:
    """Take away what was typed. Ctrl-C would reach a shell that is not yet done completing."""
    shell.type("\x15echo cle''ar\n")
    shell.wait_for("clear\n")
    shell.wait_for(PROMPT)


def completed(shell: str, line: str, environment: Mapping[str, str]) -> list[str]:
    """What the program answers a shell that asks what completes the end of `line`."""
    words = line.split(" ")
    asked = {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_STUDYATTN_COMPLETE": f"{shell}_complete",
    }
    done = process(environment={**environment, **asked})
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_titles_are_shown_where_the_shell_can(environment: dict[str, str]) -> None:
    answer = completed("zsh", "studyattn drill start kv-c", environment)
    assert answer == ["plain", "kv-cache", "Decoding with a key-value cache"]


def test_the_home_on_the_line_is_the_one_that_is_asked(environment: dict[str, str]) -> None:
    line = "studyattn --home {} concept show kv-"
    there, missing = environment["STUDYATTN_HOME"], "/nowhere"
    assert completed("bash", line.format(there), {"STUDYATTN_HOME": missing}) == ["plain,kv-cache"]
    assert completed("bash", line.format(missing), environment) == [""]


@pytest.mark.parametrize("broken", ["missing", "no database", "damaged", "a file"])
def test_a_home_that_cannot_be_read_completes_nothing_and_says_nothing(
    tmp_path: Path, broken: str
) -> None:
    home = tmp_path / "home"
    if broken == "a file":
        home.write_text("")
    elif broken != "missing":
        home.mkdir()
    if broken == "damaged":
        (home / "studyattn.db").write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    before = sorted(tmp_path.rglob("*"))
    assert completed("bash", "studyattn concept show s", {"STUDYATTN_HOME": str(home)}) == [""]
    drills = completed("bash", "studyattn drill start kv-c", {"STUDYATTN_HOME": str(home)})
    assert drills == ["plain,kv-cache"]
    assert sorted(tmp_path.rglob("*")) == before


def test_what_completes_needs_neither_sqlalchemy_nor_every_command(
    environment: dict[str, str],
) -> None:
    for line in ("studyattn ", "studyattn concept show s", "studyattn drill start s"):
        asked = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        done = process(
            environment={
                **environment,
                **asked,
                "_STUDYATTN_COMPLETE": "bash_complete",
                "PYTHONPROFILEIMPORTTIME": "1",
            }
        )
        assert "plain," in done.stdout
        for heavy in ("sqlalchemy", "rich", "numpy", "msgspec", "markdown_it", "yaml"):
            assert f" {heavy}\n" not in done.stderr, f"{line!r} imports {heavy}"


def test_fish_completes_with_titles(environment: dict[str, str]) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    script = (
        "studyattn completion fish | source; complete --do-complete 'studyattn drill start kv-'"
    )
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "kv-cache\tDecoding with a key-value cache\n"
    assert done.stderr == ""


def test_the_script_is_for_the_shell_that_is_named_or_used(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert command("completion").out == command("completion", "fish").out
    assert command("completion", "zsh", "--json").json["script"].startswith("#compdef studyattn")
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert "Name the shell" in command("completion").err
