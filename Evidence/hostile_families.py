"""Families of attacks on redaction, the admin API, lanes and files: each has many generated cases, and every case counts.

A family gets an empty folder (hostile_company.Folder), and returns the number of its cases and the promises that broke."""

import base64
import contextlib
import gzip
import html
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import urllib.parse

JSON = "application/json"
SECRET = "k7Qz-hidden-Xw42"


def quoted(text):
    return urllib.parse.quote(text, safe="")


# How a secret may stand in a body whose exchange has sent it as a token, and in one that nothing else marks.
ECHOES = {
    "plain": SECRET, "in a sentence": f"signed in by {SECRET}.", "percent": quoted(f"a={SECRET}&b"),
    "percent twice": quoted(quoted(f"https://h/x?q={SECRET}")), "base64": base64.b64encode(f"x {SECRET} y".encode()).decode(),
    "base64url": base64.urlsafe_b64encode(f"??? {SECRET} >>>".encode()).decode().rstrip("="),
    "hexadecimal": f"say {SECRET}".encode().hex(), "entities": html.escape(f"<b>'{SECRET}'</b>"),
    "numeric entities": "".join(f"&#{ord(letter)};" for letter in SECRET),
    "JSON": json.dumps({"a": [SECRET]}), "JSON twice": json.dumps(json.dumps({"a": SECRET})),
    "gzip": base64.b64encode(gzip.compress(f"note {SECRET}".encode())).decode(),
}
NAMED = {
    "member": {"password": SECRET}, "camel case": {"clientSecret": SECRET}, "bracket": {"user[api_key]": SECRET},
    "pair": [{"name": "password", "value": SECRET}], "key and value": [{"key": "refresh_token", "value": SECRET}],
    "upper case": [{"Name": "Password", "Value": SECRET}], "list of pairs": [["refresh_token", SECRET], ["page", "2"]],
    "value": {"password": {"value": SECRET}}, "below a value": {"password": {"value": {"text": SECRET}}},
    "list below a value": {"password": {"value": [SECRET]}}, "secrets": {"secrets": {"db": SECRET}},
    "URL": {"next": f"https://h/x?access_token={SECRET}"},
    "encoded URL": {"next": quoted(f"https://h/x?access_token={SECRET}")},
    "URL encoded twice": {"next": quoted(quoted(f"https://h/x?access_token={SECRET}"))},
    "wrong escape": {"next": quoted("https://h/x?q=") + "%ZZ" + quoted(f"&access_token={SECRET}")},
    "user of a URL": {"u": f"https://ann:{SECRET}@h/x"}, "assignment": {"env": f"DB_PASSWORD={SECRET}"},
    "header": {"log": f"Authorization: Bearer {SECRET}"}, "Slack": {"w": f"https://hooks.slack.com/services/T0/B0/{SECRET}"},
    "Slack, upper case": {"w": f"https://HOOKS.SLACK.COM/services/T0/B0/{SECRET}"},
    "Discord": {"w": f"https://discord.com/api/webhooks/12/{SECRET}"},
    "Discord, version": {"w": f"https://canary.discord.com/api/v10/webhooks/12/{SECRET}"},
    "Teams": {"w": f"https://acme.webhook.office.com/webhookb2/{SECRET}"},
    "answer": {"secretAnswer": SECRET}, "gzip": {"blob": base64.b64encode(gzip.compress(json.dumps({"password": SECRET}).encode())).decode()},
}


def redaction(folder, tools):
    """A secret is in no answer of the admin API and in no line of the log, however a body spells it."""
    names = [f"echo{number}" for number in range(len(ECHOES))] + [f"named{number}" for number in range(len(NAMED))]
    bodies = [json.dumps({"note": text}) for text in ECHOES.values()] + [json.dumps(value) for value in NAMED.values()]
    folder.put("api.yaml", tools.contract(("/login", "post", "login"), *[(f"/{name}", "get", name) for name in names]))
    answers = {f"/{name}": (JSON, body) for name, body in zip(names, bodies)}
    answers["/login"] = (JSON, json.dumps({"access_token": SECRET}))
    broken, cases = [], 0
    with tools.server(answers) as (url, _), folder.mock("api.yaml", "--upstream", url) as mock:
        for name in names:
            if name == "named0":
                mock.ask("DELETE", "/__admin/requests")
            if name == "echo0":
                mock.ask("POST", "/login")
            mock.ask("GET", f"/{name}?note={quoted(SECRET)}" if name.startswith("echo") else f"/{name}")
        listed = json.loads(mock.ask("GET", "/__admin/requests?limit=500")[1])["requests"]
        sinks = {"the list": json.dumps(listed), "the recording": mock.ask("GET", "/__admin/requests/har")[1]}
        for request in listed:
            label = request["operation"]
            text = mock.ask("GET", f"/__admin/requests/{request['id']}")[1]
            cases += 1
            if spelled(text):
                broken.append(f"the detail of {label}: {spelled(text)}")
    sinks["the log"] = mock.printed
    for sink, text in sinks.items():
        cases += 1
        if spelled(text):
            broken.append(f"{sink}: {spelled(text)}")
    if cases < len(NAMED):
        broken.append(f"only {cases} exchanges were shown")
    return cases, broken


def spelled(text):
    """A part of a text around the secret, in any of its spellings; `None` without it."""
    spellings = [SECRET, quoted(quoted(SECRET)), SECRET.encode().hex(), "".join(f"&#{ord(letter)};" for letter in SECRET)]
    for run in re.findall(r"[A-Za-z0-9+/_-]{16,}={0,2}", text):
        with contextlib.suppress(ValueError):
            plain = base64.b64decode(run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4))
            if plain[:2] == b"\x1f\x8b":
                with contextlib.suppress(OSError, EOFError):
                    plain = gzip.decompress(plain)
            if SECRET.encode() in plain:
                return f"in base64, {run[:60]}"
    for spelling in spellings:
        if (position := text.find(spelling)) >= 0:
            return text[max(0, position - 40):position + 60]
    return None


def marks(folder, tools):
    """Each of thirty tokens has a mark of its own, the same in the list, the detail and the log."""
    folder.put("api.yaml", tools.contract(("/u", "get", "readU")))
    seen, broken = {}, []
    with folder.mock("api.yaml") as mock:
        for number in list(range(30)) + list(range(30)):
            token = f"token{number:02}Zq8x7"
            mock.ask("GET", f"/u?access_token={token}", Authorization=f"Bearer {token}")
            text = mock.ask("GET", "/__admin/requests?limit=1")[1]
            found = re.search(r"redacted(?:%20| )(\d+)", text)
            detail = mock.ask("GET", f"/__admin/requests/{json.loads(text)['requests'][0]['id']}")[1]
            if not found or f"Bearer [redacted {found[1]}]" not in detail:
                broken.append(f"{token}: {text[:200]}")
            elif seen.setdefault(token, found[1]) != found[1]:
                broken.append(f"{token} is {seen[token]} and {found[1]}")
    logged = re.findall(r"GET /u\?access_token=%5Bredacted%20(\d+)%5D", mock.printed)
    if len(set(seen.values())) != 30 or logged != [*seen.values()] * 2:
        broken.append(f"{len(set(seen.values()))} marks of 30, {logged} in the log")
    return 60, broken


NAMES = ["..", "../x", "../../../x", "/etc/x", "a/b", "a\\b", "a.b", ".", "", " ", "a b", "a\nb", "a\0b", "é", "%2e%2e", "a" * 61,
         "a" * 5000, "CON", "-", "a:b", "*", "~x", "$HOME", "`id`", "a;b", "a|b", "_scenarios/x", "200.json", "\u202eb"]


def fixtures(folder, tools):
    """The editor of fixtures writes below its folder alone, and no page but the console uses it."""
    folder.put("api.yaml", tools.contract(("/u", "get", "readU")))
    folder.put("outside/200.json", "precious")
    os.makedirs(os.path.join(folder.path, "fixtures/api"))
    os.symlink(os.path.join(folder.path, "outside"), os.path.join(folder.path, "fixtures/api/readU"))
    broken, cases = [], 0
    with folder.mock("api.yaml", "-q", "--no-watch") as mock:
        drafts = [{"answer": f"200.{name}"} for name in NAMES] + [{"answer": answer} for answer in (
            "200", "99", "600", "-200", "+200", "2e2", "200.0.1", "../200", "0x1F", "９９９", "", "200\r\nX: y")]
        drafts += [{"operation": name} for name in ("..", "../readU", "readU/../..", "", "api/readU/", "\0", "readU ")]
        drafts += [{"type": kind} for kind in ("a\r\nb", "\0", "x" * 100_000)] + [{"text": "[" * 100_000}, {"text": "\0\ufffe"}]
        for draft in drafts:
            body = {"operation": "readU", "answer": "200.x", "text": "{}", "write": True, "replace": cases % 2 == 0, **draft}
            status, text = mock.ask("POST", "/__admin/fixtures", body)
            cases += 1
            if not 400 <= status < 500 and status not in (200, 201):
                broken.append(f"{status} for {str(draft)[:100]}: {text[:100]}")
        page = {"Origin": f"http://127.0.0.1:{mock.port}", "Sec_Fetch_Site": "same-origin"}
        for fields in (page, {"Origin": "http://evil.test"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
                       {**page, "Understudy_Console": "a" * 26}):
            for method, target in (("GET", "/__admin/fixtures?operation=readU&answer=200"), ("POST", "/__admin/fixtures")):
                status, _ = mock.ask(method, target, {"operation": "readU", "answer": "200.p", "text": "{}", "write": True}, **fields)
                cases += 1
                if status != 403:
                    broken.append(f"{status} for {method} with {fields}")
    inside = {"api.yaml", "log", "outside", "fixtures"}
    if set(os.listdir(folder.path)) - inside or os.listdir(os.path.join(folder.path, "outside")) != ["200.json"]:
        broken.append(f"written: {os.listdir(folder.path)}, {os.listdir(os.path.join(folder.path, 'outside'))}")
    if folder.text("outside/200.json") != "precious":
        broken.append("a file outside was replaced")
    return cases, broken


def accepts(folder, tools):
    """An `Accept` that nothing offers gets the default response with a warning, whatever it says, and 406 by the rule."""
    folder.put("api.yaml", tools.contract(("/u", "get", "readU")))
    values = ["text/html", "image/*", "application/xml;q=1", "text/html, image/png;q=0.9", "*/*;q=0", "application/json;q=0",
              "a/b;q=0.001", "audio/*; q=0.2, audio/basic", "application/vnd.a+json", ",,text/html,,", "text/html;level=1;q=0.3",
              ",".join(f"a{number}/b" for number in range(500))]
    broken, cases = [], 0
    for words, expected in (("", 200), ("rules: {req.accept.unmet: error}\n", 406)):
        if words:
            folder.put("understudy.yaml", words)
        with folder.mock("api.yaml", "-q") as mock:
            for value in values:
                status, _ = mock.ask("GET", "/u", Accept=value)
                detail = mock.ask("GET", "/__admin/requests?limit=1")[1]
                cases += 1
                if status != expected or not re.search(r'"(errors|warnings)": 1', detail):
                    broken.append(f"{status} for {value[:60]!r} with {words}: {detail[:200]}")
    return cases, broken


def console_key(folder, tools):
    """The console's key, with which a page may use the admin API, is in no answer to a page."""
    folder.put("api.yaml", tools.contract(("/a", "get", "getA")))
    broken, cases = [], 0
    with tools.server({"/a": (JSON, "{}"), "/": (JSON, "{}")}) as (url, _):
        for words in ((), ("--upstream", url)):
            with folder.mock("api.yaml", "-q", *words) as mock:
                key = re.search(r'content="([a-z2-7]{26})"', mock.ask("GET", "/__admin/")[1])[1]
                for site, dest, path in itertools.product(
                        ("same-origin", "same-site", "cross-site"), ("document", "empty", "iframe", "object"), ("/", "/__admin/")):
                    status, text = mock.ask("GET", path, Sec_Fetch_Site=site, Sec_Fetch_Dest=dest, Accept="text/html")
                    cases += 1
                    if key in text:
                        broken.append(f"{site} {dest} {path} got the key")
                if words:
                    continue  # The page at `/` is the upstream's.
                typed = mock.ask("GET", "/", Sec_Fetch_Site="none", Sec_Fetch_Dest="document", Accept="text/html")[1]
                cases += 1
                if f"/__admin/?key={key}" not in typed:
                    broken.append("the page at / has no link to the console")
    return cases, broken


def lane_fields(folder, tools):
    """Two fields that name lanes, or a field and a path, are refused or agree; no answer is that of a third lane."""
    folder.put("api.yaml", tools.contract(("/u", "get", "readU", 200, 404, 500)))
    broken, cases = [], 0
    with folder.mock("api.yaml", "-q") as mock:
        for name, status in (("a", 404), ("b", 500)):
            mock.ask("POST", "/__admin/lanes", {"name": name, "force": {"readU": status}})
        for fields, path, wanted in (
                (["a"], "/u", {404}), (["b"], "/u", {500}), (["a", "a"], "/u", {404, 400}), (["a", "b"], "/u", {400}),
                (["b", "a"], "/u", {400}), (["a, b"], "/u", {400}), (["a,b"], "/u", {400}), (["", "a"], "/u", {400, 404}),
                ([" a "], "/u", {404}), (["a"], "/~b/u", {400, 500, 404}), (["a\t"], "/u", {404}), (["a", "B"], "/u", {400}),
                (["../a"], "/u", {400}), (["a" * 65], "/u", {400})):
            with socket.create_connection(("127.0.0.1", mock.port), timeout=20) as client:
                head = "".join(f"Understudy-Lane: {field}\r\n" for field in fields)
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{head}\r\n".encode())
                received = b""
                while piece := client.recv(65536):
                    received += piece
            cases += 1
            status = int(received.split(b" ")[1]) if b" " in received else None
            if status not in wanted:
                broken.append(f"{status} for {fields} at {path}")
    return cases, broken


def pipes(folder, tools):
    """A FIFO, a device or a folder in the place of a file ends with a message, and never blocks."""
    folder.put("api.yaml", tools.contract(("/u", "get", "readU")))
    os.mkfifo(os.path.join(folder.path, "pipe.yaml"))
    os.mkdir(os.path.join(folder.path, "folder.yaml"))
    broken, cases = [], 0
    for path in ("pipe.yaml", "folder.yaml", "/dev/zero", "missing.yaml"):
        for words in (["serve"], ["lint"], ["routes"], ["verify"], ["coverage"], ["diff", "api.yaml"], ["verify", "api.yaml", "--har"],
                      ["record", "api.yaml", "--from"]):
            process = subprocess.Popen(
                [folder.command, *words, path], cwd=folder.path, env=folder.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            cases += 1
            try:
                printed, _ = process.communicate(timeout=30)
                if process.returncode not in (1, 2, 3, 4) or "error" not in printed:
                    broken.append(f"{words} {path}: {process.returncode} {printed[:120]}")
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                broken.append(f"{' '.join(words)} {path} blocks")
    return cases, broken


def refused(folder, tools):
    """What the admin API refuses has no field that lets a page read it."""
    folder.put("api.yaml", tools.contract(("/u", "get", "readU")))
    broken, cases = [], 0
    with folder.mock("api.yaml", "-q") as mock:
        for origin, method, path in itertools.product(
                ("http://evil.test", "null", f"http://127.0.0.1:{mock.port}"), ("GET", "POST", "OPTIONS", "DELETE"),
                ("/__admin/requests", "/__admin/nowhere", "/__admin/lanes/default")):
            with socket.create_connection(("127.0.0.1", mock.port), timeout=20) as client:
                preflight = "Access-Control-Request-Method: DELETE\r\n" if method == "OPTIONS" else ""
                client.sendall(
                    f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{mock.port}\r\nOrigin: {origin}\r\n{preflight}"
                    "Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
                received = b""
                while piece := client.recv(65536):
                    received += piece
            cases += 1
            if b"access-control-allow" in received.lower() or not re.match(rb"HTTP/1.1 [24]\d\d", received):
                broken.append(f"{method} {path} of {origin}: {received[:200]!r}")
    return cases, broken


def strict(folder, tools):
    """`--strict` does not start with a fixture, an event or a scenario that has an error, played or not."""
    wrong = {
        "readU/200.json": "{", "readU/200.yaml": "txt: a", "readU/404.yaml": "status: 404\nbody: [", "readU/200.a.json": "[1",
        "_scenarios/a.yaml": "sequence: {readX: [200]}", "_scenarios/b.yaml": "machine: {states: {}}", "_scenarios/c.yaml": "[",
        "_scenarios/d.yaml": "sequence: {readU: [299.nothing]}",
    }
    folder.put("api.yaml", tools.contract(("/u", "get", "readU", 200, 404)))
    broken = []
    for path, text in wrong.items():
        folder.put(f"fixtures/api/{path}", text)
        process = subprocess.Popen(
            [folder.command, "serve", "api.yaml", "--strict", "--port", "0"], cwd=folder.path, env=folder.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            printed, _ = process.communicate(timeout=30)
            if process.returncode != 1 or os.path.basename(path) not in printed:
                broken.append(f"{path}: {process.returncode} {printed[:200]}")
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            process.communicate()
            broken.append(f"{path}: it starts")
        os.remove(os.path.join(folder.path, f"fixtures/api/{path}"))
    return len(wrong), broken


FAMILIES = {
    "redaction": redaction, "marks": marks, "fixture-editor": fixtures, "accepts": accepts, "console-key": console_key,
    "lane-fields": lane_fields, "pipes": pipes, "refused-admin": refused, "strict": strict,
}
