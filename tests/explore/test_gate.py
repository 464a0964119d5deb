"""Who may ask, and what answers are bound by."""

import threading

import pytest
from flask import Flask

from ogeaug.explore.gate import Gate, content_policy
from ogeaug.explore.limits import MOST_BYTES

HERE = "http://127.0.0.1:8050"


def server(host="127.0.0.1", token=None, **more):
    flask = Flask("test")
    gate = Gate(host, token, **more)
    gate.mount(flask, lambda: content_policy(["'sha256-abc'"]))
    flask.add_url_rule("/", "index", lambda: "page", methods=["GET", "POST"])
    flask.add_url_rule("/data", "data", lambda: "data")
    return flask


def status(path="/", base=HERE, host="127.0.0.1", token=None, method="GET", **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    client = server(host, token).test_client()
    return client.open(path, base_url=base, method=method, headers=names).status_code


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.0.0.2"])
def test_names_of_this_machine_pass(name):
    assert status(base=f"http://{name}:8050") == 200


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.7", "a b"]
)
def test_other_names_do_not(name):
    """DNS rebinding: a name of another site that points here is another name."""
    assert status(Host=name) == 403


def test_other_origins_do_not_pass():
    assert status(Origin=HERE) == 200
    for origin in (
        "http://evil.example",
        "null",
        "http://127.0.0.1:9999",
        "https://127.0.0.1:8050",
    ):
        assert status(Origin=origin) == 403, origin
        assert status(Origin=origin, method="POST") == 403, origin


def test_another_site_may_link_here_and_nothing_else():
    assert status(Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate") == 200
    assert status(Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors") == 403
    assert status("/data", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate") == 403
    assert status("/data", Sec_Fetch_Site="same-site", Sec_Fetch_Mode="cors") == 403
    assert status("/data", Sec_Fetch_Site="same-origin", Sec_Fetch_Mode="cors") == 200


def test_methods_that_nobody_needs_are_refused():
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        assert status(method=method) == 405


def test_a_large_body_is_refused_before_it_is_read():
    client = server().test_client()
    answer = client.post("/", base_url=HERE, data=b"x" * (MOST_BYTES + 1))
    assert answer.status_code == 413


def test_headers_bind_the_browser():
    headers = server().test_client().get("/", base_url=HERE).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self' 'sha256-abc'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    refused = server().test_client().get("/", headers={"Host": "evil.example"})
    assert "Content-Security-Policy" in refused.headers


def test_without_the_token_nothing_is_answered():
    for path in ("/", "/data", "/?token=wrong", "/data?token=secret"):
        assert status(path, base="http://10.0.0.7:8050", host="0.0.0.0", token="secret") == 401


def test_an_address_that_is_no_utf8_is_no_fault_of_the_server():
    client = server("0.0.0.0", "secret").test_client()
    raw = {"QUERY_STRING": "token=secret&a=\xff"}  # as WSGI hands over a byte
    answer = client.get("/", base_url="http://10.0.0.7:8050", environ_overrides=raw)
    assert answer.status_code == 400


def test_the_token_goes_from_the_address_into_a_cookie():
    client = server("0.0.0.0", "secret").test_client()
    base = "http://10.0.0.7:8050"
    answer = client.get("/?text=C%26C&token=secret", base_url=base)
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/?text=C%26C"
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("ogeaug_token_8050=secret;")
    assert "HttpOnly" in cookie
    assert client.get("/data", base_url=base).text == "data"
    assert client.get("/data", base_url=base, headers={"Host": "evil.example"}).status_code == 403


def test_two_servers_of_a_machine_do_not_share_a_cookie():
    """A browser sends cookies to every port of a host."""
    jar = ""
    for port, token in ((8050, "first"), (8051, "second")):
        base = f"http://127.0.0.1:{port}"
        client = server("0.0.0.0", token).test_client(use_cookies=False)
        answer = client.get(f"/?token={token}", base_url=base)
        jar += answer.headers["Set-Cookie"].split(";")[0] + "; "
    for port, token in ((8050, "first"), (8051, "second")):
        client = server("0.0.0.0", token).test_client(use_cookies=False)
        base, given = f"http://127.0.0.1:{port}", {"Cookie": jar}
        assert client.get("/data", base_url=base, headers=given).text == "data"


def test_too_many_at_once_are_refused_and_room_is_given_back():
    flask = server(most=1)
    inside, go_on = threading.Event(), threading.Event()

    def slow():
        inside.set()
        go_on.wait(10)
        return "slow"

    flask.add_url_rule("/slow", "slow", slow)
    found = []
    thread = threading.Thread(
        target=lambda: found.append(flask.test_client().get("/slow", base_url=HERE).text)
    )
    thread.start()
    assert inside.wait(10)
    assert flask.test_client().get("/", base_url=HERE).status_code == 503
    go_on.set()
    thread.join()
    assert found == ["slow"]
    assert flask.test_client().get("/", base_url=HERE).status_code == 200
