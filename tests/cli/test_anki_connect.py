"""A running Anki: a stand-in that speaks AnkiConnect's protocol, Anki's real core behind it."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from studyattn.exchange.anki.address import ADDRESS
from tests.cli.conftest import Command

FILES = Path(__file__).parent.parent / "exchange" / "documents" / "files"
Answer = Callable[[str, dict[str, Any]], Any]


@contextmanager
def served(answer: Answer, key: str | None = None) -> Iterator[str]:
    """Serve the protocol: a request is action, version, params; an answer result and error."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told: dict[str, Any] = {"result": None, "error": None}
            if asked.get("key") != key:
                told["error"] = "valid api key must be provided"
            elif asked["version"] != 6:
                told["error"] = "an old version was asked for"
            else:
                try:
                    told["result"] = answer(asked["action"], asked.get("params", {}))
                except Exception as error:  # noqa: BLE001 - as the add-on tells them
                    told["error"] = str(error)
            body = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with running(Handler) as address:
        yield address


@contextmanager
def running(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """A server of these answers, at the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def anki(folder: Path) -> tuple[Any, Answer]:
    """Return a collection of the real Anki, and what AnkiConnect does with it."""
    pytest.importorskip("anki.collection", reason="the group interop is not installed")
    from anki.collection import (
        Collection,
        DeckIdLimit,
        ExportAnkiPackageOptions,
        ImportAnkiPackageOptions,
        ImportAnkiPackageRequest,
    )
    from anki.decks import DeckId

    collection = Collection(str(folder / "collection.anki2"))

    def answer(action: str, params: dict[str, Any]) -> Any:
        if action == "version":
            return 6
        if action == "deckNames":
            return [each.name for each in collection.decks.all_names_and_ids()]
        if action == "importPackage":
            options = ImportAnkiPackageOptions(with_scheduling=True)
            request = ImportAnkiPackageRequest(package_path=params["path"], options=options)
            collection.import_anki_package(request)
            return True
        if action == "exportPackage":
            deck = collection.decks.id_for_name(params["deck"])
            collection.export_anki_package(
                out_path=params["path"],
                options=ExportAnkiPackageOptions(
                    with_scheduling=params["includeSched"], legacy=True
                ),
                limit=DeckIdLimit(DeckId(deck or 0)),
            )
            return True
        raise ValueError("unsupported action")

    return collection, answer


def test_cards_go_to_anki_and_its_reviews_come_back(command: Command, tmp_path: Path) -> None:
    collection, answer = anki(tmp_path)
    from anki.scheduler.v3 import CardAnswer

    try:
        command("import", str(FILES / "hashcards.md"), "--yes")
        with served(answer) as address:
            pushed = command("export", "anki", "--to-anki", address)
            assert pushed.status == 0, pushed.err
            assert len(collection.find_cards("deck:studyattn")) >= 3
            (number,) = collection.find_cards('"What is softmax of equal scores?"')
            card = collection.get_card(number)
            card.start_timer()
            states = collection._backend.get_scheduling_states(number)
            answered = collection.sched.build_answer(
                card=card, states=states, rating=CardAnswer.GOOD
            )
            collection.sched.answer_card(answered)
            pulled = command("import", "--from-anki", address)
            assert pulled.status == 0, pulled.err
            assert "1 review added" in pulled.out
            assert "nothing new" in command("import", "--from-anki", address).out
            other = command("import", "--from-anki", address, "--deck", "Latin")
            assert "Anki has no deck 'Latin'" in other.err
    finally:
        collection.close()


def test_what_anki_answers_is_told(command: Command) -> None:
    def refuses(action: str, params: dict[str, Any]) -> Any:
        del params
        if action == "version":
            return 6
        raise ValueError("collection is not available")

    with served(refuses) as address:
        told = command("export", "anki", "--to-anki", address)
        assert told.status == 2
        assert "AnkiConnect reported: collection is not available" in told.err
    assert "Anki does not answer (Connection" in command("import", "--from-anki", address).err
    assert (
        "not an AnkiConnect address" in command("import", "--from-anki", "file:///etc/passwd").err
    )
    assert "no file or folder given" in command("import").err
    with served(lambda *_: False) as address:
        assert "did not import" in command("export", "anki", "--to-anki", address).err
    assert ADDRESS in command("export", "anki", "--help").out


def test_the_key_of_anki_connect_comes_from_the_option_the_environment_or_a_file(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(action: str, params: dict[str, Any]) -> Any:
        asked.append(action)
        return params.get("path") is not None or 6

    key, file = "s3cret of Anki's", tmp_path / "anki.key"
    with served(answer, key) as address:
        told = command("export", "anki", "--to-anki", address)
        assert told.status == 2
        assert "AnkiConnect needs an API key" in told.err
        assert "anki_key_file" in told.err
        told = command("export", "anki", "--to-anki", address, "--key", "wrong")
        assert "AnkiConnect does not accept this API key" in told.err
        assert "wrong" not in told.err
        assert asked == []
        assert command("export", "anki", "--to-anki", address, "--key", key).status == 0
        monkeypatch.setenv("STUDYATTN_ANKI_KEY", key)
        assert command("export", "anki", "--to-anki", address).status == 0
        told = command("import", "--from-anki", address)  # its answer is no list of decks
        assert "Anki has no deck 'studyattn'" in told.err
        monkeypatch.delenv("STUDYATTN_ANKI_KEY")
        command("settings", "set", "anki_key_file", str(file))
        told = command("export", "anki", "--to-anki", address)
        assert "cannot read AnkiConnect's API key (No such file or directory)" in told.err
        file.write_text(f"{key}\n")
        assert command("export", "anki", "--to-anki", address).status == 0
    command("export", "all", "-o", str(tmp_path / "all.jsonl"))
    command("db", "backup")
    assert key not in command("settings", "list").out
    for each in [*tmp_path.rglob("*")]:
        assert each == file or not each.is_file() or key.encode() not in each.read_bytes(), each


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (500, b"", "Anki answered with HTTP 500 (Internal Server Error)"),
        (403, b'{"result": null, "error": "no"}', "Anki answered with HTTP 403 (Forbidden)"),
        (200, b"<html>", "the server there is not AnkiConnect"),
        (200, b"[" * 100_000, "the server there is not AnkiConnect"),
        (200, b"6", "the server there is not AnkiConnect"),
        (0, b"", "Anki does not answer (Remote end closed connection without response)"),
    ],
)
def test_a_wrong_answer_is_told_from_silence(
    command: Command, status: int, body: bytes, told: str
) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if status:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with running(Handler) as address:
        found = command("export", "anki", "--to-anki", address)
        assert found.status == 2
        assert told in found.err
        assert found.err.count("\n") == 1


def test_a_server_that_says_nothing_is_waited_for_and_no_longer(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.exchange.anki.connect._PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        told = command("export", "anki", "--to-anki", address)
    assert "Anki does not answer (timed out)" in told.err
