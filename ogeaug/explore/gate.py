"""Who may ask the server, and what a browser may do with its answers."""

import hmac
import ipaddress
import re
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Flask, Response, redirect, request

from ogeaug.explore.limits import MOST_AT_ONCE, MOST_BYTES

METHODS = ("GET", "HEAD", "POST")


def content_policy(hashes: Iterable[str]) -> str:
    """The content security policy: scripts are our own files, and the hashes of Dash's.

    Styles may stand in the page, since Plotly and the table write some; pictures may be data,
    since drawings are. No script in a picture or in a user's text is run, nothing is fetched from
    elsewhere, and no other page may hold this one in a frame.

    Example:
        >>> content_policy(["'sha256-x'"]).split("; ")[1]
        "script-src 'self' 'sha256-x'"
    """
    parts = {
        "default-src": ["'none'"],
        "script-src": ["'self'", *hashes],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
    return "; ".join(" ".join([name, *values]) for name, values in parts.items())


def cookie_name(host: str) -> str:
    """The cookie that holds the token: of a port, since a browser gives cookies to all of them.

    Example:
        >>> cookie_name("127.0.0.1:8050"), cookie_name("localhost")
        ('ogeaug_token_8050', 'ogeaug_token_80')
    """
    found = re.search(r":(\d+)$", host)
    return f"ogeaug_token_{found[1] if found else 80}"


class Gate:
    """Refuses other hosts and origins, requests without the token, too large or too many ones.

    A page of another site can send a browser here, under a name of its own that it lets point to
    this machine; the ``Host`` header tells, so only this machine's names and addresses pass.

    Args:
        host: What the server is bound to.
        token: Without it nothing is answered; None for a server of this machine alone.
        most: Requests at once.
    """

    def __init__(self, host: str, token: str | None, *, most: int = MOST_AT_ONCE) -> None:
        self.names = {"localhost", host.lower()}
        self.any_address = token is not None
        if token is not None:
            self.names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
        self.token = token
        self._room = threading.BoundedSemaphore(most)

    def mount(self, server: Flask, policy: Callable[[], str]) -> None:
        """Puts the gate before a Flask server."""
        server.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
        server.before_request(self.check)
        server.after_request(lambda response: self.sign(response, policy()))
        server.wsgi_app = self._limited(server.wsgi_app)  # type: ignore[method-assign]

    def check(self) -> Any:
        """None to go on, or the refusal of the current request."""
        if request.method not in METHODS:
            return _refuse(405, "this server answers GET and POST")
        if not self.knows(request.host):
            return _refuse(403, "this server does not answer to that host name")
        origin = request.headers.get("Origin")
        if origin is not None and origin != f"{request.scheme}://{request.host}":
            return _refuse(403, "this server does not answer to other sites")
        # A link on another page may be followed, and that is all.
        opened = request.path == "/" and request.headers.get("Sec-Fetch-Mode") == "navigate"
        own = request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        if not (own or opened):
            return _refuse(403, "this server does not answer to other sites")
        try:
            request.query_string.decode()
        except UnicodeDecodeError:
            return _refuse(400, "the address is no UTF-8")
        if (request.content_length or 0) > MOST_BYTES:
            return _refuse(413, f"a request has at most {MOST_BYTES:,} bytes")
        return self._check_token()

    def knows(self, host: str) -> bool:
        """Whether a ``Host`` header names this machine.

        Example:
            >>> gate = Gate("127.0.0.1", None)
            >>> gate.knows("127.0.0.1:8050"), gate.knows("evil.example:8050")
            (True, False)
        """
        found = re.fullmatch(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]]+)(:\d+)?", host.lower())
        if found is None:
            return False
        name = found["name"].strip("[]")
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return address.is_loopback or self.any_address or name in self.names

    def sign(self, response: Response, policy: str) -> Response:
        """Adds the headers that bind a browser."""
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return response

    def _check_token(self) -> Any:
        if self.token is None:
            return None
        given = request.args.get("token")
        if given is not None and request.path == "/" and self._is_token(given):
            # Out of the address, so that a link that is passed on does not hold it.
            rest = [pair for pair in parse_qsl(request.query_string.decode()) if pair[0] != "token"]
            answer = redirect("/" + ("?" + urlencode(rest) if rest else ""))
            answer.set_cookie(cookie_name(request.host), given, httponly=True, samesite="Lax")
            return answer
        if self._is_token(request.cookies.get(cookie_name(request.host), "")):
            return None
        return _refuse(401, "open the address that ogeaug explore has printed: it holds a token")

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), str(self.token).encode())

    def _limited(self, answer: Any) -> Any:
        def limited(environ: Any, start: Any) -> Any:
            if not self._room.acquire(blocking=False):
                refusal = _refuse(503, "too many requests at once; try again in a moment")
                return refusal(environ, start)
            try:
                return answer(environ, start)
            finally:
                self._room.release()

        return limited


def _refuse(status: int, text: str) -> Response:
    return Response(text + "\n", status, mimetype="text/plain")
