"""The server of the page: where it listens, and its end."""

import secrets
import socket
import webbrowser
from collections.abc import Callable
from typing import Any

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from ogeaug.errors import UserError
from ogeaug.explore.app import make_app
from ogeaug.explore.gate import Gate
from ogeaug.explore.workers import Workers

LOCAL = "127.0.0.1"


class Handler(WSGIRequestHandler):
    """Does not log each request, and does not wait for ever for a slow one."""

    timeout = 30

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing: errors go through logging."""


def make_explorer(
    workers: Workers, *, host: str = LOCAL, port: int = 0
) -> tuple[BaseWSGIServer, str]:
    """A server that listens, and the address to open.

    Args:
        workers: Who computes.
        host: To bind to. Any but this machine's own address gets a token.
        port: 0 for any that is free.
    """
    token = None if host == LOCAL else secrets.token_urlsafe(24)
    app = make_app(workers, Gate(host, token))
    try:
        with socket.socket() as probe:  # werkzeug would end the process with a text of its own
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
        server = make_server(host, port, app.server, threaded=True, request_handler=Handler)
    except OSError as error:
        raise UserError(
            f"cannot listen on {host}, port {port} ({error.strerror or error}); choose another "
            "--port, or --port 0 for any that is free"
        ) from error
    shown = socket.gethostname() if host == "0.0.0.0" else host
    query = "" if token is None else f"?token={token}"
    return server, f"http://{shown}:{server.port}/{query}"


def explore(
    workers: Workers,
    *,
    host: str,
    port: int,
    browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serves the page until it is interrupted."""
    server, address = make_explorer(workers, host=host, port=port)
    try:
        workers.start()
        say(f"open {address}  (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)
        server.serve_forever()
    except KeyboardInterrupt:
        say("ended")
    finally:
        server.server_close()
        workers.close()
