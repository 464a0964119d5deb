"""The page without a browser: its callbacks are called as a browser calls them."""

import json

from ogeaug.explore.app import make_app
from ogeaug.explore.gate import Gate


class Here:
    """Computes in this process."""

    def __init__(self, jobs):
        self.jobs, self.calls = jobs, []

    def call(self, job, **values):
        self.calls.append(job)
        return self.jobs[job](**values)


class Asked:
    """A page, and a client that asks it."""

    def __init__(self, jobs, *, host="127.0.0.1", token=None, about=None, first=None):
        self.workers = Here(jobs)
        self.app = make_app(self.workers, Gate(host, token), about, first)
        self.client = self.app.server.test_client()
        self.base = "http://127.0.0.1:8050"

    def get(self, path, **more):
        return self.client.get(path, base_url=self.base, **more)

    def late(self):
        """What is put into the page when it is needed, by its place."""
        (store,) = (
            part["props"]
            for part in self.get("/_dash-layout").json["props"]["children"]
            if part["props"].get("id") == "late"
        )
        return store["data"]

    def callback(self, first):
        """The callback with this first output or first input, as /_dash-dependencies tells it."""
        for found in self.get("/_dash-dependencies").json:
            given = found["inputs"][0]
            if f"{given['id']}.{given['property']}" == first:
                return found
            if found["output"].strip(".").startswith(first):
                return found
        raise AssertionError(f"no callback gives or takes {first}")

    def ask(self, first, values, states=(), match=None):
        """What a callback gives for these inputs, in the order of its outputs."""
        found = self.callback(first)
        texts = found["output"].strip(".").split("...")
        outputs = [one_output(text, match) for text in texts]
        several = found["output"].startswith("..")
        body = {
            "output": found["output"],
            "outputs": outputs if several else outputs[0],
            "inputs": [
                {"id": given["id"], "property": given["property"], "value": value}
                for given, value in zip(found["inputs"], values, strict=True)
            ],
            "state": [
                {"id": match or given["id"], "property": given["property"], "value": value}
                for given, value in zip(found["state"], states, strict=True)
            ],
            "changedPropIds": [f"{found['inputs'][0]['id']}.{found['inputs'][0]['property']}"],
        }
        answer = self.client.post("/_dash-update-component", base_url=self.base, json=body)
        if answer.status_code == 204:
            return None
        assert answer.status_code == 200, answer.text
        return answer.json["response"] | answer.json.get("sideUpdate", {})


def one_output(text, match):
    name, _, prop = text.rpartition(".")
    if name.startswith("{"):
        name = json.loads(name.replace('["MATCH"]', '"MATCH"'))
        name = {key: match[key] if value == "MATCH" else value for key, value in name.items()}
    return {"id": name, "property": prop}
