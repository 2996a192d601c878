"""Access to the server: the token of the address, the hosts it answers to, the cookies it signs.

Pure, but for random names. A cookie stands for one browser that came with the token, and after a
log-in for one learner. The server signs it and keeps no list of those that it gave: however many
strangers come, nobody's is forgotten.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

_LOOPBACK_NAMES = frozenset({"localhost", "ip6-localhost"})


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches the host (a name or an address, without a port)."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() in _LOOPBACK_NAMES


def new_token() -> str:
    """Return a token of 256 bits for an address."""
    return secrets.token_urlsafe(32)


class Doors(NamedTuple):
    """The proofs that a request must show."""

    token: str | None  # None: nobody asks for one
    host: str  # that the server listens on
    also: frozenset[str] = frozenset()  # other names of it, such as that of a proxy in front

    def knows_token(self, given: str) -> bool:
        """Compare in a time that does not depend on how much of the token is right."""
        return self.token is None or hmac.compare_digest(_bytes(given), self.token.encode())

    def answers_to(self, host_header: str) -> bool:
        """Tell whether the header `Host` names this server.

        A page elsewhere whose name is made to point to 127.0.0.1 (DNS rebinding) sends its own
        name. A server that others reach may have any name: there the token decides.
        """
        host = _name(f"//{host_header}")
        if host is None:
            return False
        if not is_loopback(self.host):
            return not self.also or host in self.also or host == self.host.lower()
        return is_loopback(host) or host in self.also

    @staticmethod
    def is_own_page(origin: str | None, host_header: str) -> bool:
        """Tell whether the header `Origin` is this server's: browsers send it with websockets."""
        if origin is None:
            return False
        parts = urlsplit(origin)
        return parts.scheme in {"http", "https"} and parts.netloc.lower() == host_header.lower()


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


class Owner(NamedTuple):
    """Whose sessions are opened: who logged in, and the mark of the password that was right then.

    A changed password has another mark, so what was opened with the old one is nobody's any more.
    """

    learner: str = ""  # "" where nobody logs in
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that came with the token; another one after each log-in."""

    owner: Owner | None  # None: it has to log in
    id: str = field(default_factory=lambda: secrets.token_hex(16))

    def cookie(self, key: bytes) -> str:
        """Return its cookie, which only the key can have signed."""
        return signed(json.dumps([self.owner, self.id]).encode().hex(), key)


def visitor_of(cookie: str, key: bytes) -> Visitor | None:
    """Return whose cookie this is; None for one that the key did not sign."""
    told = verified(cookie, key)
    if told is None:
        return None
    owner, visitor = json.loads(bytes.fromhex(told))
    return Visitor(None if owner is None else Owner(*owner), visitor)


def signed(text: str, key: bytes) -> str:
    """Return the text with its signature."""
    return f"{text}.{mark(text, key)}"


def verified(text: str, key: bytes) -> str | None:
    """Return what was signed; None for what the key did not sign."""
    told = text.rpartition(".")[0]
    return told if hmac.compare_digest(_bytes(signed(told, key)), _bytes(text)) else None


def mark(text: str, key: bytes) -> str:
    """Return 256 bits that stand for a text, and say nothing of it without the key."""
    return hmac.new(key, _bytes(text), "sha256").hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # as headers are read


@dataclass(slots=True)
class FailureLimit:
    """A limit of failures in a span of time, for each key; `clock` gives seconds."""

    clock: Callable[[], float]
    most: int = 5
    seconds: float = 60.0
    _failures: dict[str, list[float]] = field(default_factory=dict)

    def is_reached(self, key: str) -> bool:
        """Tell whether nothing more may be tried for now."""
        return len(self._recent(key)) >= self.most

    def note(self, key: str) -> None:
        """Count a failure."""
        self._failures[key] = [*self._recent(key), self.clock()]
        if len(self._failures) > 10_000:  # names that nobody has, tried by a program
            for each in list(self._failures):
                if not self._recent(each):
                    del self._failures[each]

    def forgive(self, key: str) -> None:
        """Take the last failure back: it was none."""
        if counted := self._failures.get(key):
            counted.pop()

    def _recent(self, key: str) -> list[float]:
        since = self.clock() - self.seconds
        return [at for at in self._failures.get(key, ()) if at > since]
