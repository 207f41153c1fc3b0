"""The built program as a mock on a free port, and requests to it by curl."""

import collections
import json
import pathlib
import re
import subprocess
import tempfile
import time

Answer = collections.namedtuple("Answer", "status body headers failed")


class Mock:
    """A running mock. What it prints goes to a file."""

    def __init__(self, command, root, arguments, watches=False):
        self.log = tempfile.NamedTemporaryFile(prefix="edge-cases-", suffix=".log")
        self.process = subprocess.Popen(
            [command, "serve", *arguments, "--port", "0", *([] if watches else ["--no-watch"])], cwd=root, stdout=self.log,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 300
        while not (address := re.search(r"listening on (http://\S+)[\s\S]*ready in", self.printed())):
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise SystemExit(f"the mock did not start: {' '.join(arguments)}\n{self.printed()}")
            time.sleep(0.02)
        self.url = address[1]

    def printed(self):
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(60)


class Lane:
    """A lane of a running mock, which requests name in a field."""

    def __init__(self, mock, name, opening):
        self.url, self.name = mock.url, name
        answer = self.admin("POST", "lanes", {"name": name, **opening})
        assert answer.status == 201, answer

    def ask(self, method, target, form=None, token="t", headers=(), prefer=None, limit=120):
        """One request by curl. Pairs of a form are encoded by curl; a text is sent as it is."""
        command = ["curl", "-s", "-i", "-m", str(limit), "--path-as-is", "-X", method]
        if not target.startswith("/__admin/"):
            command += ["-H", f"Understudy-Lane: {self.name}"]
        if token is not None:
            command += ["-H", f"idtoken: {token}"]
        for field in list(headers) + ([f"Prefer: {prefer}"] if prefer else []):
            command += ["-H", field]
        if isinstance(form, str):
            command += ["--data-raw", form]
        else:
            for name, value in form or []:
                command += ["--data-urlencode", f"{name}={value}"]
        done = subprocess.run([*command, self.url + target], capture_output=True)
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        while head.startswith(b"HTTP/1.1 1") and body:
            head, _, body = body.partition(b"\r\n\r\n")
        lines = head.decode(errors="replace").split("\r\n")
        fields = dict(line.lower().split(": ", 1)[:1] + line.split(": ", 1)[1:] for line in lines[1:] if ": " in line)
        status = int(lines[0].split(" ")[1]) if lines[0].startswith("HTTP/1.1 ") else 0
        return Answer(status, body.decode(errors="replace"), fields, done.returncode)

    def admin(self, method, target, change=None):
        """A request to the admin API."""
        return self.ask(
            method, f"/__admin/{target}", change and json.dumps(change), None, ["Content-Type: application/json"])

    def direct(self, change):
        answer = self.admin("PATCH", f"lanes/{self.name}", change)
        assert answer.status == 200, answer

    def rules(self):
        """The rules that the client broke, each finding once, and the verdict."""
        verdict = json.loads(self.admin("GET", f"lanes/{self.name}").body)["verdict"]
        return [finding["rule"] for finding in verdict["findings"]], verdict["verdict"]

    def pushes(self):
        """The push messages that the scenario has sent."""
        return json.loads(self.admin("GET", f"lanes/{self.name}").body).get("pushes", [])

    def last_rules(self):
        """The rules that the last request broke, and all that the journal has of it."""
        number = json.loads(self.admin("GET", f"requests?limit=1&lane={self.name}").body)["requests"][0]["id"]
        text = self.admin("GET", f"requests/{number}").body
        return [finding["rule"] for finding in json.loads(text).get("findings", [])], text


class Mocks:
    """One mock for each contract and its options, and a lane for each client."""

    def __init__(self, command, root):
        self.command, self.root, self.running, self.lanes = command, root, {}, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for mock in self.running.values():
            mock.stop()

    def mock(self, *arguments):
        if arguments not in self.running:
            self.running[arguments] = Mock(self.command, self.root, arguments)
        return self.running[arguments]

    def lane(self, *arguments, **opening):
        """A new lane of `serve` with these arguments; `--scenario` belongs to the lane."""
        arguments = list(arguments) or ["specs/slp.yaml"]
        if "--scenario" in arguments:
            place = arguments.index("--scenario")
            opening["scenario"] = arguments[place + 1]
            del arguments[place:place + 2]
        self.lanes += 1
        return Lane(self.mock(*arguments), f"client{self.lanes}", opening)
