"""Many requests at once: none is lost, and the memory stays as it is."""

import json
import threading
import urllib.request

import psutil
import pytest

from tests.explore.browser import served
from tests.torture import tries

CLIENTS = 8


@pytest.fixture(scope="module")
def server():
    with served() as found:
        yield found


def find_look(address):
    with urllib.request.urlopen(address + "_dash-dependencies") as answer:
        found = json.load(answer)
    (look,) = (item for item in found if item["output"].startswith("..molecule.figure"))
    names = look["output"].strip(".").split("...")
    outputs = [dict(zip(("id", "property"), name.rsplit(".", 1), strict=True)) for name in names]
    return {"output": look["output"], "outputs": outputs, "changedPropIds": ["seen-look.data"]}


def memory(process):
    """Of the server and the processes that compute."""
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    return sum(member.memory_info().rss for member in family)


@pytest.mark.torture
def test_requests_of_eight_clients(server):
    address, process = server
    request = find_look(address)

    def ask(number):
        text = "C" * (1 + number % 20)
        inputs = [{"id": "seen-look", "property": "data", "value": {"text": text, "seed": number}}]
        content = json.dumps(request | {"inputs": inputs}).encode()
        head = {"Content-Type": "application/json"}
        post = urllib.request.Request(address + "_dash-update-component", content, head)
        with urllib.request.urlopen(post, timeout=120) as answer:
            found = json.load(answer)["response"]
        assert len(found["molecule"]["figure"]["data"][0]["x"]) == len(text)

    def together(count):
        lost = []

        def client(first):
            for number in range(first, count, CLIENTS):
                try:
                    ask(number)
                except Exception as error:
                    lost.append(f"{number}: {error!r}")

        threads = [threading.Thread(target=client, args=(first,)) for first in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert lost == []

    together(tries(24, 200))
    if tries(0, 1):  # by now both processes have loaded all that they load
        before = memory(process)
        together(200)
        grown = (memory(process) - before) / 2**20
        print(f"{before / 2**20:.0f} MiB, {grown:+.1f} MiB after 200 more requests")
        assert grown < 30
