"""Who may use the server: the token of the address, the hosts it answers to, the cookies it gave.

Pure, but for the random names of visitors. A cookie stands for one browser that came with the
token, and after a log-in for one learner.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Doors:
    """What a request must show."""

    token: str | None  # None: nobody asks for one
    host: str  # that the server listens on
    also: frozenset[str] = frozenset()  # other names of it, such as that of a proxy in front

    def knows_token(self, given: str) -> bool:
        """Compare in a time that does not depend on how much of the token is right."""
        return self.token is None or hmac.compare_digest(given.encode(), self.token.encode())

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


@dataclass(slots=True)
class Visitor:
    """A browser that came with the token."""

    cookie: str
    learner: str | None = None  # who logged in, where learners do


@dataclass(slots=True)
class Visitors:
    """The browsers that the server knows, by cookie; the oldest are forgotten."""

    most: int = 1000
    _by_cookie: dict[str, Visitor] = field(default_factory=dict)

    def new(self) -> Visitor:
        """Make a visitor with a cookie of 256 random bits."""
        visitor = Visitor(secrets.token_urlsafe(32))
        while len(self._by_cookie) >= self.most:
            self._by_cookie.pop(next(iter(self._by_cookie)))
        self._by_cookie[visitor.cookie] = visitor
        return visitor

    def find(self, cookie: str | None) -> Visitor | None:
        return self._by_cookie.get(cookie or "")

    def forget(self, visitor: Visitor) -> None:
        self._by_cookie.pop(visitor.cookie, None)


@dataclass(slots=True)
class FailureLimit:
    """At most so many failures in a span of time, for each key; `clock` gives seconds."""

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
