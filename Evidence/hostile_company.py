"""The attacks of `Evidence/hostile` on the program around its wire: pages of a browser, secrets at rest, programs that are
left behind, files that lead elsewhere. Each gets the command and an empty folder, and returns the broken promises."""

import contextlib
import http.client
import http.server
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

from hostile_families import FAMILIES

SECRET = "wombat-tango-4471"
WAIT = 30


def contract(*operations, schema="{}"):
    """A contract of (path, method, id) or of these with statuses."""
    lines = ["openapi: 3.1.0", "info: {title: Company, version: '1'}", "paths:"]
    for path, method, name, *statuses in operations:
        answers = ", ".join(
            f"'{status}': {{description: d, content: {{application/json: {{schema: {schema}}}}}}}"
            for status in statuses or [200])
        lines.append(f"  {path}: {{{method}: {{operationId: {name}, responses: {{{answers}}}}}}}")
    return "\n".join(lines) + "\n"


class Folder:
    """A project in a folder of its own, and the command in it."""

    def __init__(self, command, path):
        self.command, self.path = command, path
        self.environment = {name: value for name, value in os.environ.items() if name != "CI"}

    def put(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def text(self, name):
        with open(os.path.join(self.path, name), errors="replace") as file:
            return file.read()

    def run(self, *words, **options):
        return subprocess.run([self.command, *words], cwd=self.path, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120, **options)

    @contextlib.contextmanager
    def mock(self, *words, by="serve", end=signal.SIGTERM, descriptors=None):
        """A running mock; afterwards it has `code` and `printed`."""
        mock = Mock()
        limits = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors,) * 2)) if descriptors else None
        with open(os.path.join(self.path, "log"), "w") as log:
            mock.process = subprocess.Popen(
                [self.command, by, *words, "--port", "0", "--color", "never"], cwd=self.path, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, preexec_fn=limits)
        limit = time.monotonic() + WAIT
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", self.text("log"))):
            if time.monotonic() > limit or mock.process.poll() is not None:
                raise OSError(f"the mock did not start: {self.text('log')}")
            time.sleep(0.02)
        mock.port = int(found[1])
        try:
            yield mock
        finally:
            mock.process.send_signal(end)
            mock.code = mock.process.wait(WAIT)
            mock.printed = self.text("log")


class Mock:
    def ask(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        return answer.status, text


@contextlib.contextmanager
def server(answers):
    """A server of (media type, text) by path; yields its address and the paths that were asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append(self.path)
            kind, text = answers[self.path.split("?")[0]]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do

    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{running.server_port}", asked
    finally:
        running.shutdown()
        running.server_close()


JSON = "application/json"


def har(url):
    """A recording of one GET."""
    request = {"method": "GET", "url": url, "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [],
               "headersSize": -1, "bodySize": -1}
    response = {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [],
                "content": {"size": 2, "mimeType": JSON, "text": "{}"}, "redirectURL": "", "headersSize": -1,
                "bodySize": -1}
    entry = {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "request": request, "response": response,
             "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0}}
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [entry]}})


def upstream_page(folder):
    """A page of the upstream has the origin of the admin API, and must not use it, nor get the key of the console."""
    folder.put("api.yaml", contract(("/a", "get", "getA")))
    with server({"/a": (JSON, '{"x": 1}')}) as (url, _), folder.mock("api.yaml", "--upstream", url) as mock:
        mock.ask("GET", "/a")
        page = {"Origin": f"http://127.0.0.1:{mock.port}", "Sec_Fetch_Site": "same-origin", "Sec_Fetch_Dest": "empty"}
        got = [mock.ask("GET", "/__admin/requests", **page)[0],
               mock.ask("POST", "/__admin/requests/1/fixture", {"name": "evil"}, **page)[0]]
        _, console = mock.ask("GET", "/__admin/", Sec_Fetch_Site="same-origin", Sec_Fetch_Dest="empty")
        _, window = mock.ask("GET", "/__admin/", Sec_Fetch_Site="same-origin", Sec_Fetch_Dest="document")
        worker, _ = mock.ask("GET", "/a", Service_Worker="script")
        key = re.search(r'content="([a-z2-7]{26})"', mock.ask("GET", "/__admin/")[1])
    return ([] if got == [403, 403] else [f"a page of the upstream got {got}"]) + (
        [] if key and key[1] not in console + window else ["a page can read the key of the console"]) + (
        [] if worker == 403 else [f"a service worker got {worker}"])


def web_page_lanes(folder):
    """A page of another site opens no lane."""
    folder.put("api.yaml", contract(("/u", "get", "readU")))
    with folder.mock("api.yaml", "-q") as mock:
        for number in range(200):
            mock.ask("GET", f"/~x{number}/{'u' if number % 2 else 'nowhere'}", Sec_Fetch_Site="cross-site")
        lanes = json.loads(mock.ask("GET", "/__admin/lanes")[1])
    opened = json.dumps(lanes).count("/~x")
    return [f"{opened} lanes were opened"] if opened else []


def earlier_secret(folder):
    """What an earlier exchange showed to be secret is in no fixture and in no detail of a later one."""
    folder.put("api.yaml", contract(("/login", "post", "login"), ("/note", "get", "note")))
    answers = {"/login": (JSON, json.dumps({"access_token": SECRET})),
               "/note": (JSON, json.dumps({"note": f"signed in by {SECRET}"}))}
    with server(answers) as (url, _), folder.mock("api.yaml", "--upstream", url) as mock:
        mock.ask("POST", "/login", {"user": "a"})
        mock.ask("GET", "/note")
        detail = mock.ask("GET", "/__admin/requests/2")[1]
        saved = mock.ask("POST", "/__admin/requests/2/fixture", {"name": "later"})
    broken = [f"saving answered {saved}"] if saved[0] != 201 else []
    if SECRET in detail:
        broken.append("the detail of the request has it")
    return broken + (["the fixture has it"] if SECRET in folder.text("fixtures/api/note/200.later.json") else [])


def recorded_secrets(folder):
    """Secrets whose names stand beside them, or that are encoded."""
    cases = {
        "pair": [{"name": "password", "value": SECRET}], "object": {"password": {"value": SECRET}},
        "pairs": [["refresh_token", SECRET]], "answer": {"secretAnswer": SECRET},
        "url": {"next": f"https%3A%2F%2Fh%2Fx%3Faccess_token%3D{SECRET}"},
        "hook": {"w": f"https://hooks.slack.com/services/T00000000/B00000000/{SECRET}XXXX"},
    }
    folder.put("api.yaml", contract(*[(f"/{name}", "get", f"get-{name}") for name in cases]))
    answers = {f"/{name}": (JSON, json.dumps(value)) for name, value in cases.items()}
    with server(answers) as (url, _), folder.mock("api.yaml", "--upstream", url, by="record", end=signal.SIGINT) as mock:
        for name in cases:
            mock.ask("GET", f"/{name}")
    broken = [] if mock.code == 0 else [f"record ended with {mock.code}"]
    for name in cases:
        text = folder.text(f"fixtures/api/get-{name}/200.json")
        if SECRET in text:
            broken.append(f"{name}: {text.strip()[:120]}")
    return broken


def passwords(folder):
    """The password of a URL is in no message."""
    folder.put("api.yaml", contract(("/u", "get", "readU")))
    url = f"http://bob:{SECRET}@127.0.0.1:1"
    folder.put("t.har", har(f"{url}/zz"))
    broken = []
    for words in (["verify", "api.yaml", "--har", "t.har"], ["verify", "api.yaml", "--live", url], ["lint", f"{url}/x"],
                  ["fetch", f"{url}/x"], ["serve", "api.yaml", "--upstream", url], ["serve", f"{url}/x"]):
        done = folder.run(*words)
        printed = done.stdout + done.stderr
        if SECRET in printed or "[redacted]@" not in printed or done.returncode == 0:
            broken.append(f"{' '.join(words[:2])}: {done.returncode} {(done.stdout + done.stderr).strip()[:200]}")
    return broken


def left_behind(folder):
    """A command gets no descriptor of the mock, so that what it leaves behind does not keep the port."""
    folder.put("api.yaml", contract(("/u", "get", "readU")))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    first = folder.run("run", "api.yaml", "--port", port, "--", "sh", "-c", "echo ran; (sleep 5 >/dev/null 2>&1 &)")
    second = folder.run("run", "api.yaml", "--port", port, "--", "echo", "ran")
    ends = [(done.returncode, done.stdout) for done in (first, second)]
    return [] if ends == [(0, "ran\n")] * 2 else [f"ended with {ends}: {second.stderr.strip()}"]


def orphans(folder):
    """A process that leaves the group of a swept command ends with the sweep."""
    folder.put("api.yaml", contract(("/u", "get", "readU", 200, 404)))
    mark = f"3{os.getpid()}.25"
    client = f'curl -sf -m 2 "$UNDERSTUDY_BASE_URL/u" >/dev/null || {{ setsid sh -c "echo >> left; exec sleep {mark}" & sleep 30; }}'
    folder.run("sweep", "api.yaml", "--limit", "1s", "--jobs", "4", "--", "sh", "-c", client)
    if not os.path.exists(os.path.join(folder.path, "left")):
        return ["no process has left its group: curl or setsid is missing"]
    left = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{number}/cmdline", "rb") as file:
            if mark.encode() in file.read():
                left.append(int(number))
    for number in left:
        os.kill(number, signal.SIGKILL)
    return [f"{len(left)} processes are left"] if left else []


def removed_journal(folder):
    """A journal that is removed while the mock runs is not reported as kept."""
    folder.put("api.yaml", contract(("/u", "get", "readU")))
    with folder.mock("api.yaml", "-q", "--journal", "j.sqlite") as mock:
        mock.ask("GET", "/u")
        time.sleep(0.3)
        os.remove(os.path.join(folder.path, "j.sqlite"))
        mock.ask("GET", "/u")
    return [] if mock.code == 2 and "missing in j.sqlite" in mock.printed else [f"{mock.code}: {mock.printed[-200:]}"]


def prune_link(folder):
    """`prune` deletes nothing behind a link that leads out of the fixtures."""
    folder.put("api.yaml", contract(("/u", "get", "readU")))
    folder.put("outside/404.json", "precious")
    os.makedirs(os.path.join(folder.path, "fixtures/api"))
    os.symlink(os.path.join(folder.path, "outside"), os.path.join(folder.path, "fixtures/api/oldOp"))
    folder.put("fixtures/api/gone/200.json", "{}")
    done = folder.run("prune", "api.yaml", "--yes")
    broken = [] if os.path.exists(os.path.join(folder.path, "outside/404.json")) else ["a file outside was deleted"]
    if os.path.exists(os.path.join(folder.path, "fixtures/api/gone/200.json")):
        broken.append(f"nothing was pruned: {done.returncode} {(done.stdout + done.stderr).strip()[:200]}")
    return broken


def other_origin(folder):
    """A page that names a contract elsewhere makes the program connect to no other origin."""
    with server({"/internal": (JSON, "{}")}) as (other, asked):
        page = f"<redoc spec-url='{other}/internal'></redoc>"
        with server({"/docs": ("text/html", page)}) as (url, _):
            done = folder.run("lint", f"{url}/docs")
    return [] if done.returncode == 3 and not asked else [f"{done.returncode}, asked for {asked}"]


def forced_again(folder):
    """What is forced in a lane again and again takes the place of what was."""
    folder.put("api.yaml", contract(("/u", "get", "readU", 200, 404)))
    with folder.mock("api.yaml", "-q") as mock:
        sizes = []
        for number in range(300):
            change = {"force": {"readU": 404}, "delay": f"readU={1 + number % 9}ms"}
            sizes.append(len(mock.ask("PATCH", "/__admin/lanes/default", change)[1]))
    return [] if sizes[-1] < sizes[20] + 1_000 else [f"the lane grew from {sizes[20]} to {sizes[-1]} bytes"]


def long_tokens(folder):
    """A token over 4,096 bytes is compared as a whole."""
    folder.put("api.yaml", contract(("/u", "get", "readU", 200, 401)))
    folder.put("fixtures/api/_scenarios/exp.yaml", """machine:
  start: valid
  states:
    valid: {on: {"*": {answer: 401, to: expired, set: {old: "{{request.header.idtoken}}"}}}}
    expired:
      on:
        "*": [{if: {old: "{{request.header.idtoken}}"}, answer: 401}, {status: default, to: refreshed}]
    refreshed: {final: true}
""")
    broken = []
    for size in (4_096, 4_097, 20_000):
        with folder.mock("api.yaml", "--scenario", "exp") as mock:
            statuses = [mock.ask("GET", "/u", idtoken="t" * size)[0] for _ in range(3)]
        if statuses != [401, 401, 401]:
            broken.append(f"{size} bytes: {statuses}")
    return broken


def many_parameters(folder):
    """A URL of 20,000 parameters in a recording takes no longer than others of its size."""
    folder.put("api.yaml", contract(("/a", "get", "getA")))

    times = []
    for count in (2_500, 20_000):
        folder.put("t.har", har("http://h/a?" + "&".join(["n=1"] * count)))
        start = time.monotonic()
        done = folder.run("verify", "api.yaml", "--har", "t.har")
        times.append(time.monotonic() - start)
        if "read 1 exchange" not in done.stdout:
            return [f"{count} parameters were not read: {done.returncode} {(done.stdout + done.stderr).strip()[:200]}"]
    return [] if times[1] < 1 + 16 * times[0] else [f"{times[0]:.2f} s for 2,500 and {times[1]:.2f} s for 20,000"]


def followers(folder):
    """Followers of the journal leave connections to the clients."""
    folder.put("api.yaml", contract(("/u", "get", "readU")))
    with folder.mock("api.yaml", "-q", descriptors=64) as mock:
        feeds = []
        for _ in range(100):
            feed = socket.create_connection(("127.0.0.1", mock.port))
            feed.sendall(b"GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            feeds.append(feed)
        refused = sum(b" 503 " in feed.recv(64) for feed in feeds)
        seen = [mock.ask("GET", "/u")[0] for _ in range(4)]
        for feed in feeds:
            feed.close()
    broken = [] if seen == [200] * 4 else [f"beside 100 followers: {seen}"]
    return broken + ([] if 0 < refused < 100 else [f"{refused} of 100 followers were refused"])


ATTACKS = {
    "upstream-page": upstream_page, "web-page-lanes": web_page_lanes, "earlier-secret": earlier_secret,
    "recorded-secrets": recorded_secrets, "passwords": passwords, "left-behind": left_behind, "orphans": orphans,
    "followers": followers, "removed-journal": removed_journal, "prune-link": prune_link, "other-origin": other_origin,
    "forced-again": forced_again, "long-tokens": long_tokens, "many-parameters": many_parameters,
}


def attack(name, command, folder):
    """Runs an attack or a family of them in an empty folder. Returns whether it held."""
    cases = 1
    try:
        if name in FAMILIES:
            cases, broken = FAMILIES[name](Folder(command, folder), sys.modules[__name__])
        else:
            broken = ATTACKS[name](Folder(command, folder))
    except (OSError, subprocess.SubprocessError) as error:
        broken = [f"{type(error).__name__}: {error}"]
    print(f"{name}: {'BROKEN' if broken else 'held'}, {cases} {'case' if cases == 1 else 'cases'}", flush=True)
    for promise in broken[:10]:
        print(f"  BROKEN: {promise}")
    return not broken
