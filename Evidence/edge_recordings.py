"""The edge cases of recordings: two clients for each, against a mock that was recorded from a server of this file."""

import collections
import contextlib
import http.server
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import urllib.parse

from edge_clients import row
from edge_program import Mock

CHAT = "/v1/chat/u2"
SINCE = CHAT + "?lastchatDate=2000-01-01T00:00:00.000Z"


class Server(http.server.BaseHTTPRequestHandler):
    """A queue that refuses one list of studies, a chat whose other side writes the same again, and users."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind):
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        sent = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self.path == "/v1/queue":
            isWhole = sent["studylist"] != ["Swift"]
            self.answer(200 if isWhole else 203, "success" if isWhole else "penalty", "text/html")
        elif self.path == "/v1/user":
            isFree = sent["email"] != ["bob@mail.example.org"]
            self.answer(200 if isFree else 202, "success" if isFree else "taken", "text/html")
        else:
            self.answer(200, json.dumps(self.message("u2", sent["chat"][0])), "application/json; charset=utf-8")

    def message(self, to, chat):
        number = len(self.server.messages)
        return {"_id": f"638f20617d2e4a90c5b8{number:04x}", "to": to, "from": "u1" if to == "u2" else "u2", "chat": chat,
                "createdAt": f"2022-12-06T10:58:{number:02}.000Z"}

    def do_GET(self):
        self.server.messages.append(self.message("u1", "c++"))
        self.answer(200, json.dumps({"payload": self.server.messages}), "application/json; charset=utf-8")


@contextlib.contextmanager
def recorded(mocks, session, *options):
    """A mock of what was recorded while `session` sent its requests; it gets a function that sends one."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.messages = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        program, contract = [str(pathlib.Path(mocks.root, path)) for path in (mocks.command, "specs/slp.yaml")]
        upstream = f"http://127.0.0.1:{server.server_port}"
        recording = subprocess.Popen(
            [program, "record", contract, "--upstream", upstream, "--port", "0", *options],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            url = next(found[1] for line in recording.stderr if (found := re.search(r"listening on (http://\S+)", line)))
            session(lambda *request: ask(url, *request))
            recording.send_signal(signal.SIGINT)
            summary = recording.communicate(timeout=120)[1]
        finally:
            recording.kill()
            server.shutdown()
        scenario = re.search(r" --scenario \S+?(?=;)", summary)
        mock = Mock(program, folder, [contract, *(scenario[0].split() if scenario else [])])
        try:
            yield lambda *request: ask(mock.url, *request)
        finally:
            mock.stop()


Answer = collections.namedtuple("Answer", "status kind body")


def ask(url, method, target, form=()):
    command = ["curl", "-s", "-i", "-m", "60", "-X", method, "-H", "idtoken: t"]
    for name, value in form:
        command += ["--data-urlencode", f"{name}={value}"]
    head, _, body = subprocess.run([*command, url + target], capture_output=True, text=True).stdout.partition("\n\n")
    kind = re.search(r"(?im)^content-type: (.*)$", head)
    return Answer(int(head.split(" ")[1]), kind[1].strip() if kind else "", body)


def join(send, *studies):
    form = [("lat", "37.5"), ("long", "126.9")] + [("studylist", study) for study in studies]
    return send("POST", "/v1/queue", form).status


def sign_up(send, email):
    form = [("phoneNumber", "+821012345678"), ("FCMtoken", "a"), ("nick", "dotori"), ("birth", "1997-03-21T00:00:00.000Z"),
            ("email", email), ("gender", "0")]
    return send("POST", "/v1/user", form).status


@row("E67")
def last_study_lost(mocks):
    def session(send):
        assert [join(send, "Swift", "a"), join(send, "Swift", "b"), join(send, "Swift")] == [200, 200, 203]

    def client(*studies):
        with recorded(mocks, session) as send:
            return join(send, *studies)
    return 200, lambda: client("Swift"), lambda: client("Swift", "b")


@row("E68")
def equal_message_lost(mocks):
    def session(send):
        return [json.loads(send("GET", SINCE).body)["payload"] for _ in range(2)][-1]

    def client(count):
        with recorded(mocks, session) as send:
            return count(session(send))
    return 2, lambda: client(lambda shown: len({message["chat"] for message in shown})), lambda: client(len)


@row("E69")
def replaced_email(mocks):
    def session(send):
        assert [sign_up(send, "ann@mail.example.org"), sign_up(send, "bob@mail.example.org")] == [200, 202]

    def client(*emails):
        with recorded(mocks, session, "--pii", "replace") as send:
            return [sign_up(send, email) for email in emails][-1]
    # A client that takes the refusal for a lost connection sends the same again.
    return 202, lambda: client("ann@mail.example.org"), lambda: client("ann@mail.example.org", "bob@mail.example.org")


@row("E70")
def charset(mocks):
    def session(send):
        return send("POST", CHAT, [("chat", "c++")])

    def client(isJSON):
        with recorded(mocks, session) as send:
            answer = session(send)
            return json.loads(answer.body)["chat"] if isJSON(answer.kind) else "no JSON"
    return ("c++", lambda: client(lambda kind: kind == "application/json"),
            lambda: client(lambda kind: kind.partition(";")[0] == "application/json"))
