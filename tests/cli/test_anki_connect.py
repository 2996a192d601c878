"""A running Anki: a stand-in that speaks AnkiConnect's protocol, Anki's real core behind it."""

from __future__ import annotations

import json
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
def served(answer: Answer) -> Iterator[str]:
    """Serve the protocol: a request is action, version, params; an answer result and error."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told: dict[str, Any] = {"result": None, "error": None}
            if asked["version"] != 6:
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

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
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
        raise ValueError("valid api key must be provided")

    with served(refuses) as address:
        told = command("export", "anki", "--to-anki", address)
        assert told.status == 2
        assert "AnkiConnect reported: valid api key must be provided" in told.err
    assert "Anki does not answer (Connection" in command("import", "--from-anki", address).err
    assert (
        "not an AnkiConnect address" in command("import", "--from-anki", "file:///etc/passwd").err
    )
    assert "no file or folder given" in command("import").err
    with served(lambda *_: False) as address:
        assert "did not import" in command("export", "anki", "--to-anki", address).err
    assert ADDRESS in command("export", "anki", "--help").out
