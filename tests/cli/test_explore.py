"""ogeaug explore: what is told before it starts, and how it ends."""

import socket
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ogeaug.cli import app
from ogeaug.cli import explore as command
from ogeaug.errors import UserError
from ogeaug.explore.server import make_explorer


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "dash" else name)
    found = CliRunner().invoke(app, ["explore", "--no-browser"])
    assert found.exit_code == 1
    assert "pip install 'ogeaug[explore]'" in found.output
    assert "needs dash, which" in found.output


def test_a_port_that_is_taken_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UserError, match="choose another --port"):
            make_explorer(None, port=taken.getsockname()[1])


def test_only_this_machine_unless_a_host_is_given():
    server, address = make_explorer(None)
    server.server_close()
    assert server.server_address[0] == "127.0.0.1"
    assert address == f"http://127.0.0.1:{server.port}/"
    server, address = make_explorer(None, host="0.0.0.0")
    server.server_close()
    assert len(address.partition("?token=")[2]) >= 32


def test_the_server_needs_no_torch():
    """It computes in processes of their own; so the page is there at once."""
    code = (
        "import sys, ogeaug.explore.server, ogeaug.explore.work;"
        "print(*[m for m in ('torch', 'rdkit', 'lightning') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == ""
