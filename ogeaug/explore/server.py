"""The server of the page: where it listens, and its end."""

import contextlib
import secrets
import socket
import webbrowser
from collections.abc import Callable
from typing import Any

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from ogeaug.errors import UserError
from ogeaug.explore.app import make_app
from ogeaug.explore.gate import Gate
from ogeaug.explore.records import About, Looked
from ogeaug.explore.state import Shown
from ogeaug.explore.work import Model, make_workers
from ogeaug.explore.workers import Workers

LOCAL = "127.0.0.1"


class Handler(WSGIRequestHandler):
    """Does not log each request, and does not wait for ever for a slow one."""

    timeout = 30

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing: errors go through logging."""


def make_explorer(
    workers: Workers,
    *,
    host: str = LOCAL,
    port: int = 0,
    about: About | None = None,
    first: Looked | None = None,
) -> tuple[BaseWSGIServer, str]:
    """A server that listens, and the address to open.

    Args:
        workers: Who computes.
        host: To bind to. Any but this machine's own address gets a token.
        port: 0 for any that is free.
        about: What the model predicts; None without one.
        first: What the first view shows; None to let the browser ask for it.
    """
    check_port(host, port)
    token = None if host == LOCAL else secrets.token_urlsafe(24)
    app = make_app(workers, Gate(host, token), about, first)
    server = make_server(host, port, app.server, threaded=True, request_handler=Handler)
    shown = socket.gethostname() if host == "0.0.0.0" else host
    query = "" if token is None else f"?token={token}"
    return server, f"http://{shown}:{server.port}/{query}"


def check_port(host: str, port: int) -> None:
    """Refuses an address that cannot be listened on; werkzeug would end the process."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        raise UserError(
            f"cannot listen on {host}, port {port} ({error.strerror or error}); choose another "
            "--port, or --port 0 for any that is free"
        ) from error


def explore(
    model: Model | None = None,
    *,
    host: str = LOCAL,
    port: int = 8050,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serves the page until it is interrupted.

    Args:
        model: To predict with.
        host, port: To listen on.
        browser: Whether to open the page.
        say: Prints the address.
    """
    check_port(host, port)
    workers = make_workers(model)
    try:
        workers.start()
        about = None if model is None else workers.call("about")
        first = workers.call("look", state=Shown())
        server, address = make_explorer(workers, host=host, port=port, about=about, first=first)
        say(f"open {address}  (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)
        with contextlib.closing(server.socket):
            server.serve_forever()
    except KeyboardInterrupt:
        say("ended")
    finally:
        workers.close()
