"""The drill screen with a real worker: other editors, hints, history, leaving, ten in a row."""

from __future__ import annotations

import errno
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from textual.content import Content
from textual.widgets import OptionList, Static

from studyattn.grading.verdict import NOT_WRITTEN, CaseResult, Report, Verdict
from studyattn.home import Home
from studyattn.study.practice.attempts import record_attempt
from studyattn.tui.dialogs.dialog import PageScreen, RatingScreen
from studyattn.tui.drill.pages import DrillPage
from studyattn.tui.screens.concept import ConceptScreen
from tests.tui.conftest import OpenApp, app_of, last_line, press, settle, text_of, until
from tests.tui.drills import (
    CONTENT,
    ENDLESS,
    GUID,
    IMPORTING,
    RIGHT,
    SOFTMAX,
    UNSCALED,
    descendants,
    editor,
    graded,
    open_drill,
    resident,
    write_elsewhere,
)
from tests.tui.test_drill_widgets import REPORT

MOST_GROWTH = 50  # megabytes


@pytest.fixture(autouse=True)
def built_in_pack(no_builtin_pack: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)


async def test_the_brief_and_the_attempts_are_beside_a_wide_list(
    stocked_home: Home, open_app: OpenApp
) -> None:
    report = Report("attention", Verdict.ERROR, "numpy", "cpu", (), (), None, None, (), 0.1, 1)
    starter = replace(report, message=f"{NOT_WRITTEN}: three lines, one per step")
    async with open_app(stocked_home, (160, 50)) as pilot:
        await app_of(pilot).database.run_with_profile(
            lambda profile: record_attempt(profile, GUID, UNSCALED, report)
        )
        await app_of(pilot).database.run_with_profile(
            lambda profile: record_attempt(profile, GUID, "# a starter\n", starter)
        )
        await press(pilot, "d")
        drills = pilot.app.screen.query_one(OptionList)
        drills.highlighted = drills.get_option_index("attention")
        await settle(pilot)
        shown = text_of(pilot)
        assert "Write attention for many queries at once." in shown
        assert "21 Nov      ✗ Your code raised an error" in shown
        assert "21 Nov      ✗ Not written yet" in shown


async def test_a_pass_is_taken_back_by_a_question_that_takes_long(
    stocked_home: Home, open_app: OpenApp
) -> None:
    first = "    k, v = k[..., :5000, :], v[..., :5000, :]\n    s = q"
    async with open_app(stocked_home, (160, 50)) as pilot:
        screen = await open_drill(pilot)
        write_elsewhere(stocked_home.drills / "attention.py", RIGHT.replace("    s = q", first))
        await until(pilot, graded(screen, "passed"), settled=False)
        await until(pilot, graded(screen, "wrong"))
        assert "n = 8,192" in text_of(pilot)


async def test_what_another_editor_saves_is_taken_in_and_graded(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home, (160, 50)) as pilot:
        screen = await open_drill(pilot)
        editor(screen).text = "# mine\n"
        path = stocked_home.drills / "attention.py"
        write_elsewhere(path, UNSCALED)
        await until(pilot, graded(screen, "wrong"))
        assert editor(screen).text == UNSCALED
        await press(pilot, "ctrl+z")
        assert editor(screen).text == "# mine\n"  # what was not saved is one undo away
        await press(pilot, "ctrl+y")

        path.unlink()
        await until(pilot, lambda: "the file was deleted" in last_line(pilot))
        path.mkdir()
        await until(pilot, lambda: "a folder has the file's name" in last_line(pilot))
        await press(pilot, "ctrl+s")
        assert "folder" in text_of(pilot)
        path.rmdir()
        await press(pilot, "enter", "ctrl+s")
        await until(pilot, lambda: not screen.is_grading)
        assert path.read_text(encoding="utf-8") == UNSCALED


async def test_a_save_of_a_file_that_the_code_imports_is_graded(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home, (160, 50)) as pilot:
        screen = await open_drill(pilot)
        path = stocked_home.drills / "attention.py"
        write_elsewhere(path, IMPORTING)
        write_elsewhere(path.with_name("softmax.py"), SOFTMAX.format(axis=-2))
        await until(pilot, graded(screen, "wrong"))
        write_elsewhere(path.with_name("softmax.py"), SOFTMAX.format(axis=-1))
        await until(pilot, graded(screen, "passed"))
        assert editor(screen).text == IMPORTING


async def test_escape_ends_a_submission_that_never_ends(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "1")
        editor(screen).text = ENDLESS
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "grading …" in text_of(pilot))
        await press(pilot, "a", "b")  # keys are taken meanwhile
        assert editor(screen).text.startswith("ab")
        await press(pilot, "escape")
        assert not screen.is_grading
        assert "nothing was recorded" in last_line(pilot)
        editor(screen).text = RIGHT
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "passed"))


async def test_quitting_ends_a_submission_that_never_ends(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        editor(screen).text = ENDLESS
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "grading …" in text_of(pilot))
        await pilot.pause(0.5)  # its worker has begun
        quit_at = time.monotonic()
    assert time.monotonic() - quit_at < 4  # seconds; after 5 the app no longer waits for it


async def test_hints_history_solution_and_a_fresh_start(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        starter = editor(screen).text
        await press(pilot, "h")
        assert "hints 1/3" in text_of(pilot)
        await press(pilot, "1")
        editor(screen).text = UNSCALED
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "wrong"))
        await press(pilot, "X")
        assert editor(screen).text == starter
        assert "reset to the starter" in last_line(pilot)
        await press(pilot, "escape", "4", "R")
        assert editor(screen).text == UNSCALED
        await press(pilot, "escape", "u")
        assert editor(screen).text == starter
        session, do = screen.session, app_of(pilot).database.run
        await press(pilot, "exclamation_mark", "escape")
        assert not await do(lambda: session.revealed)
        await press(pilot, "exclamation_mark", "y")
        assert await do(lambda: session.revealed)
        assert isinstance(pilot.app.screen, PageScreen)
        assert "def attention" in text_of(pilot)


async def test_capital_c_copies_a_program_that_shows_the_difference(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "C")
        assert "no wrong answer to show" in last_line(pilot)
        await press(pilot, "1")
        editor(screen).text = UNSCALED
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "wrong"))
        assert "C as Python" in last_line(pilot)
        await press(pilot, "C")
        shown = text_of(pilot)
        assert "from attention import attention" in shown
        assert 'print("yours - expected", result - expected, sep="\\n")' in shown
        assert "from attention import attention" in pilot.app.clipboard
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_f_shows_the_change_that_makes_the_code_right(
    stocked_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.grading.diagnosis.repair.SECONDS", 60.0)  # on a busy machine
    async with open_app(stocked_home, (160, 50)) as pilot:
        screen = await open_drill(pilot)
        write_elsewhere(stocked_home.drills / "attention.py", RIGHT.replace("q.shape", "v.shape"))
        await until(pilot, graded(screen, "wrong"))
        await until(pilot, lambda: "line 6: `v` is the wrong name there." in text_of(pilot))
        assert screen.verdict == "wrong"
        await press(pilot, "escape", "f", "y")
        assert "# line 6, now" in text_of(pilot)
        assert "# right" in text_of(pilot)
        await press(pilot, "escape")
        assert await app_of(pilot).database.run(lambda: screen.session.revealed)


async def test_after_a_pass_the_way_on_is_named_in_the_code_too(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home, (160, 50)) as pilot:
        screen = await open_drill(pilot)
        editor(screen).text = RIGHT
        assert "rate" not in last_line(pilot)
        await press(pilot, "ctrl+s")
        await until(pilot, graded(screen, "passed"))
        assert editor(screen).has_focus
        assert "esc space rate and finish" in last_line(pilot)
        await press(pilot, "escape", "space")
        assert isinstance(pilot.app.screen, RatingScreen)


async def test_leaving_keeps_what_was_written(stocked_home: Home, open_app: OpenApp) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "1")
        editor(screen).text = "# half"
        await press(pilot, "escape", "escape")
        assert not screen.is_attached
        path = stocked_home.drills / "attention.py"
        assert path.read_text(encoding="utf-8") == "# half"
        again = await open_drill(pilot)
        editor(again).text = "# whole"
    assert path.read_text(encoding="utf-8") == "# whole"  # quitting is leaving too


async def test_what_was_typed_outlives_a_killed_app(stocked_home: Home, open_app: OpenApp) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "1")
        editor(screen).text = "# typed"
        draft = stocked_home.drills / ".attention.py.unsaved"
        await until(pilot, draft.exists)
        killed = draft.read_bytes()
    (stocked_home.drills / "attention.py").write_text("# saved", encoding="utf-8")
    os.utime(stocked_home.drills / "attention.py", (1, 1))
    draft.write_bytes(killed)  # as a killed app leaves it
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        assert editor(screen).text == "# typed"
        assert "restored changes that were unsaved when the app ended" in last_line(pilot)
        assert "● not saved" in text_of(pilot)
        await press(pilot, "ctrl+z")
        assert editor(screen).text == "# saved"


async def test_the_learners_own_editor_is_given_the_file(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        commands: list[list[str]] = []

        def launch(app: object, command: list[str]) -> None:
            commands.append(command)
            Path(command[-1]).write_text(RIGHT, encoding="utf-8")

        app_of(pilot)._launcher = launch  # type: ignore[assignment]  # takes any app
        await app_of(pilot).database.run_with_profile(
            lambda profile: profile.change_setting("editor", "ed -s")
        )
        await press(pilot, "e")
        await until(pilot, graded(screen, "passed"))
        assert commands == [["ed", "-s", str(stocked_home.drills / "attention.py")]]


@pytest.mark.usefixtures("own_servers")
async def test_ten_drills_leave_no_process_and_little_memory(
    stocked_home: Home, open_app: OpenApp
) -> None:
    names = sorted(path.name for path in (CONTENT / "attention" / "drills").iterdir())[:10]
    stocked_home.drills.mkdir(parents=True)
    for name in names[1:]:  # the other one starts with torch, which takes longer
        (stocked_home.drills / f"{name}.py").write_text("# backend: numpy\n", encoding="utf-8")
    async with open_app(stocked_home) as pilot:
        before, began = descendants(), resident()
        for name in names:
            screen = await open_drill(pilot, name)
            await until(pilot, lambda: descendants() > before)
            await press(pilot, "escape")
            await until(pilot, lambda screen=screen: not screen.is_attached)  # type: ignore[misc]  # bound now
        await until(pilot, lambda: descendants() <= before)
        assert resident() - began <= MOST_GROWTH


async def test_python_is_coloured(stocked_home: Home, open_app: OpenApp) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        screen.open_page(DrillPage.CODE)
        await settle(pilot)
        code = editor(screen)
        assert code.is_syntax_aware
        lines = [code.get_line(row) for row in range(code.document.line_count)]
        row = next(i for i, line in enumerate(lines) if line.plain.startswith("def "))
        styles = {seg.text: seg.style for seg in code.render_line(row)}
        coloured = {text: style for text, style in styles.items() if text.strip() == "def"}
        plain = {text: style for text, style in styles.items() if text.strip() == "("}
        assert coloured
        assert next(iter(coloured.values())) != next(iter(plain.values()), None)


def refuse(*_: object, **__: object) -> object:
    """As a folder on a read-only file system does."""
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


async def test_code_that_can_be_saved_nowhere_is_in_the_history(
    stocked_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "1")
        editor(screen).text = "# mine"
        monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
        await press(pilot, "ctrl+s")
        assert "Read-only file system" in text_of(pilot)
        assert "not saved" in text_of(pilot).splitlines()[0]
        await press(pilot, "enter", "escape", "escape")
        assert not screen.is_attached  # one can leave, and nothing is lost
        told = [each.message for each in pilot.app._notifications]
        assert any("Your code is in the drill's history" in message for message in told)
        again = await open_drill(pilot)
        again.open_page(DrillPage.HISTORY)
        await press(pilot, "enter")
        assert "# mine" in text_of(pilot)


async def test_a_drill_that_cannot_be_opened_can_be_left(
    stocked_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        assert "Nothing was changed" in text_of(pilot)
        await press(pilot, "enter", "ctrl+s", "h", "r", "u", "escape")
        assert not screen.is_attached


async def test_two_apps_on_one_drill_see_each_others_saves(
    stocked_home: Home, open_app: OpenApp
) -> None:
    async with open_app(stocked_home) as here, open_app(stocked_home) as there:
        one, other = await open_drill(here), await open_drill(there)
        editor(one).text = RIGHT
        editor(other).text = "# theirs"
        await press(here, "ctrl+s")
        await until(there, graded(other, "passed"))
        assert editor(other).text == RIGHT
        await until(here, graded(one, "passed"))
        drill = await other.controller.read()
        said = {(each.verdict, each.code) for each in drill.history}
        assert said == {(None, "# theirs"), ("passed", RIGHT)}
        assert len(drill.history) == 2  # the same save, seen twice


async def test_a_verdict_fits_its_pane_at_every_size(stocked_home: Home, open_app: OpenApp) -> None:
    cases = tuple(CaseResult(f"case {n}", False, f"{'x' * 90}{n}") for n in range(120))
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        for size in ((76, 24), (80, 24), (104, 90), (110, 90), (160, 50)):
            screen._report = None
            await pilot.resize_terminal(*size)
            screen.open_page(DrillPage.VERDICT)
            await settle(pilot)
            screen._report = replace(REPORT, cases=cases)
            screen.draw()  # as when it arrives: what was there before needed no scroll bar
            await settle(pilot)
            shown = screen.query_one("#verdict", Static).content
            assert isinstance(shown, Content)
            room = screen.query_one("#right").scrollable_content_region.width
            assert max(line.cell_length for line in shown.split("\n")) <= room


async def test_g_opens_the_explanation_of_the_chosen_drill(
    stocked_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(stocked_home) as pilot:
        await press(pilot, "d")
        before = text_of(pilot)
        await press(pilot, "g")
        assert isinstance(pilot.app.screen, ConceptScreen)
        await press(pilot, "escape")
        assert text_of(pilot) == before


async def test_the_explanation_leaves_unsaved_code_as_it_is(
    stocked_home: Home, open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: CONTENT)
    async with open_app(stocked_home) as pilot:
        screen = await open_drill(pilot)
        await press(pilot, "1", "x", "y", "escape")
        code = editor(screen).text
        assert screen.controller.is_dirty
        await press(pilot, "g")
        assert isinstance(pilot.app.screen, ConceptScreen)
        await press(pilot, "escape")
        assert pilot.app.screen_stack[-1] is screen
        assert editor(screen).text == code
        assert screen.controller.is_dirty
