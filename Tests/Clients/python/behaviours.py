#!/usr/bin/env python3
"""Runs Tests/Clients/behaviours.yaml with the client in Python: behaviours.py [--har FILE] [NAME]

Prints each behaviour that fails and the counts; --har writes the requests to the admin API, for `understudy verify --har`.
"""
import http.client
import json
import pathlib
import sys
import threading
import time
from urllib.parse import urlsplit

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Clients/python"))

import understudy_mock as understudy  # noqa: E402

KINDS = [
    ("full", understudy.LaneLimit), ("refused", understudy.MockRefused), ("unreachable", understudy.MockUnreachable),
    ("unsupported", understudy.MockUnsupported), ("start", understudy.MockNotStarted), ("silent", understudy.NoRequest),
    ("failed", understudy.LaneFailed),
]


def read(path):
    """The behaviours: each has a name, the features that it needs, and steps."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("- name: "):
            found.append({"name": line[8:], "needs": [], "steps": []})
        elif line.startswith("  needs: ["):
            found[-1]["needs"] = line[10:-1].split(", ")
        elif line.startswith("    - {"):
            found[-1]["steps"].append((number, json.loads(line[6:])))
        elif line and not line.startswith("#") and line != "  steps:":
            raise SystemExit(f"behaviours.yaml:{number}: not a step: {line}")
    return found


def matches(expected, seen):
    if isinstance(expected, dict):
        if "contains" in expected:
            return seen is not None and expected["contains"] in seen
        if "atLeast" in expected:
            return seen is not None and seen >= expected["atLeast"]
        if "present" in expected:
            return seen is not None
        return isinstance(seen, dict) and all(matches(value, seen.get(name)) for name, value in expected.items())
    if isinstance(expected, list):
        return isinstance(seen, list) and len(seen) == len(expected) and all(map(matches, expected, seen))
    return expected == seen and isinstance(expected, bool) == isinstance(seen, bool)


def send(url, request):
    """One request of an app."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    try:
        body = request.get("body")
        connection.request(
            request.get("method", "GET"), parts.path.rstrip("/") + request["path"], None if body is None else body.encode(),
            request.get("headers", {}))
        response = connection.getresponse()
        content = response.read()
    except (OSError, http.client.HTTPException):
        return {"failed": True, "status": None}
    finally:
        connection.close()
    text = content.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return {"status": response.status, "text": text, "json": value, "headers": {name.lower(): v for name, v in response.getheaders()}}


def verdict(value):
    return {
        "verdict": "passed" if value.passed else "failed", "requests": value.requests, "rules": value.rules,
        "messages": [finding.message for finding in value.findings], "unused": [reply.operation for reply in value.unused]}


def reply_state(state):
    return {
        "number": state.number, "operation": state.operation, "steps": list(state.steps), "answered": state.answered,
        "isOver": state.is_over}


def request_state(request):
    return {
        "method": request.method, "path": request.path, "query": urlsplit(request.target).query, "operation": request.operation,
        "status": request.status, "fields": request.fields, "text": request.text,
        "headers": {name.lower(): value for name, value in request.headers}}


def reply_of(value):
    members = {name: item for name, item in value.items() if name not in ("operation", "method", "path", "when", "steps", "base64")}
    if "base64" in value:
        import base64
        members["body"] = base64.b64decode(value["base64"])
    return members


class Runner:
    """The mocks and lanes of one behaviour."""

    def __init__(self, shared, on_exchange):
        self.mocks, self.lanes, self.own, self.on_exchange = {"shared": shared}, {}, [], on_exchange
        self.sessions = {}

    def run(self, step):
        action, value = next(iter(step.items()))
        mock = self.mocks.get(step.get("mock", "shared"))
        name = step.get("lane", "a")
        if action == "open":
            settings = {("stop_clock" if key == "stopClock" else key): item for key, item in value.items()}
            self.lanes[name] = lane = mock.lane(**settings)
            return {"name": lane.name, "url": lane.url}
        if action in ("start", "connect", "stop", "version", "operations", "lanes"):
            return getattr(self, "do_" + action)(step.get("mock", "shared"), mock, value)
        return getattr(self, "do_" + action)(self.lanes[name], value)

    def do_start(self, name, _, value):
        port = urlsplit(self.mocks["shared"].url).port if value.get("port") == "taken" else 0
        mock = understudy.Mock.start(
            [str(ROOT / path) for path in value.get("contracts", [])], port=port, arguments=value.get("arguments", []),
            on_exchange=self.on_exchange)
        self.own.append(mock)
        self.mocks[name] = mock

    def do_connect(self, name, mock, value):
        connected = understudy.Mock.connect(value.get("url") or mock.url, timeout=value.get("timeout", 30))
        version = connected.version()
        return {"api": version.api, "program": version.program}

    def do_stop(self, name, mock, value):
        mock.stop()

    def do_version(self, name, mock, value):
        version = mock.version()
        return {"api": version.api, "program": version.program, "features": list(version.features)}

    def do_operations(self, name, mock, value):
        operations = mock.operations()
        return {
            "ids": [operation.id for operation in operations],
            "statuses": [status for operation in operations if operation.id == value for status, _ in operation.cells]}

    def do_lanes(self, name, mock, value):
        return {"names": mock.lanes()}

    def do_request(self, lane, value):
        answers = [send(lane.url, value) for _ in range(value.get("times", 1))]
        return {**answers[-1], "statuses": [answer["status"] for answer in answers]}

    def do_begin(self, lane, value):
        count, end = lane.verdict().requests, time.monotonic() + 20
        threading.Thread(target=send, args=(lane.url, value), daemon=True).start()
        while lane.verdict().requests == count and time.monotonic() < end:
            pass

    def do_socket(self, lane, value):
        path, key = "/socket.io/?EIO=4&transport=polling", (lane.name, value["id"])
        if key not in self.sessions:
            self.sessions[key] = json.loads(send(lane.url, {"path": path})["text"][1:])["sid"]
        path += f"&sid={self.sessions[key]}"
        send(lane.url, {"method": "POST", "path": path, "body": value["packet"]})
        if value["packet"] == "40":
            return send(lane.url, {"path": path})

    def do_force(self, lane, value):
        lane.force(value)

    def do_release(self, lane, _):
        lane.release()

    def do_fault(self, lane, value):
        for item in value:
            lane.fault(*item.split("=", 1))

    def do_delay(self, lane, value):
        for item in value:
            lane.delay(*item.split("=", 1))

    def do_mend(self, lane, _):
        lane.mend()

    def do_play(self, lane, value):
        lane.play(value["scenario"], value["state"]) if isinstance(value, dict) else lane.play(value)

    def do_checks(self, lane, value):
        lane.checks(*value)

    def do_advance(self, lane, value):
        lane.advance(value)

    def do_stopClock(self, lane, _):
        lane.stop_clock()

    def do_limit(self, lane, value):
        lane.limit(value)

    def do_reply(self, lane, value):
        operation = value["operation"] if "operation" in value else (value["method"], value["path"])
        steps = [understudy.Reply(**reply_of(step)) for step in value.get("steps", [])]
        return reply_state(lane.reply(operation, *steps, when=value.get("when"), **reply_of(value)))

    def do_replies(self, lane, _):
        return {"replies": [reply_state(state) for state in lane.replies()]}

    def do_forget(self, lane, _):
        lane.forget_replies()

    def do_next(self, lane, value):
        return request_state(lane.next(value.get("operation"), value.get("within", "5s")))

    def do_sweep(self, lane, value):
        def client(run):
            answer = send(run.url, value)
            if answer.get("status") != 200:
                raise ValueError(answer.get("status"))

        sweep = lane.sweep(client, value.get("within", "5s"), value.get("operations"))
        sweep.expect(throws_for=value.get("throwsFor", []))
        return {
            "count": len(sweep.rows), "rows": [f"{row.operation} {row.variant}: {row.outcome}" for row in sweep.rows],
            "rules": sorted({text.rsplit("[")[-1].rstrip("]") for row in sweep.rows for text in row.violations})}

    def do_pushes(self, lane, value):
        pushes = lane.pushes()
        return {"names": [push["name"] for push in pushes], "json": pushes[-1]["content"] if pushes else None}

    def do_requests(self, lane, value):
        requests = lane.requests(value.get("operation"))
        return {
            "count": len(requests), "operations": [request.operation for request in requests],
            "statuses": [request.status for request in requests],
            "rules": sorted({finding.rule for request in requests for finding in request.findings})}

    def do_expect(self, lane, value):
        lane.expect(value["operation"], value.get("times"), value.get("atLeast"), value.get("atMost"))

    def do_verdict(self, lane, _):
        return verdict(lane.verdict())

    def do_close(self, lane, _):
        return verdict(lane.close())

    def do_reset(self, lane, _):
        lane.reset()

    def do_finish(self, lane, value):
        return verdict(lane.finish(value.get("allow", ())))


def problem(runner, step):
    """What a step has shown that it should not; None if it is as the list has it."""
    expected = step.get("error")
    try:
        for _ in range(step.get("repeat", 1)):
            seen = runner.run(step) or {}
    except understudy.UnderstudyError as error:
        if expected is None:
            return f"unexpected {type(error).__name__}: {error}"
        kind = next(name for name, type_ in KINDS if isinstance(error, type_))
        if kind != expected["kind"]:
            return f"expected the error {expected['kind']}, but it was {kind}: {error}"
        if "status" in expected and getattr(error, "status", None) != expected["status"]:
            return f"expected the status {expected['status']}, but it was {getattr(error, 'status', None)}: {error}"
        missing = [part for part in expected.get("contains", []) if part not in str(error)]
        return f"the message lacks {missing}: {error}" if missing else None
    if expected is not None:
        return f"expected the error {expected['kind']}, but there was none"
    wrong = {name: seen.get(name) for name, value in step.get("see", {}).items() if not matches(value, seen.get(name))}
    return f"observed {json.dumps(wrong, ensure_ascii=False)}" if wrong else None


def har(exchanges):
    def fields(pairs):
        return [{"name": name, "value": value} for name, value in pairs]

    return {"log": {"version": "1.2", "creator": {"name": "behaviours", "version": "1"}, "entries": [{
        "startedDateTime": "2026-01-01T00:00:00Z", "time": 1,
        "request": {
            "method": one.method, "url": "http://127.0.0.1:4010" + one.url[one.url.index("/", 8):], "httpVersion": "HTTP/1.1",
            "cookies": [], "queryString": [], "headersSize": -1,
            "headers": fields([("Content-Type", "application/json")] if one.request_body is not None else []),
            "bodySize": len(one.request_body or b""),
            **({"postData": {"mimeType": "application/json", "text": one.request_body.decode()}} if one.request_body is not None else {}),
        },
        "response": {
            "status": one.status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "",
            "headers": fields(one.headers), "headersSize": -1, "bodySize": len(one.body),
            "content": {"size": len(one.body), "mimeType": dict(one.headers).get("Content-Type", ""), "text": one.body.decode()},
        },
        "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0},
    } for one in exchanges]}}


def main(arguments):
    recording = arguments[arguments.index("--har") + 1] if "--har" in arguments else None
    only = [name for name in arguments if not name.startswith("--") and name != recording]
    exchanges = []
    passed, failed, skipped = 0, 0, {}
    with understudy.Mock.start(
        [ROOT / "specs/slp.yaml", ROOT / "specs/petstore.yaml"], fixtures=ROOT / "fixtures", on_exchange=exchanges.append
    ) as shared:
        features = shared.version().features
        for behaviour in read(ROOT / "Tests/Clients/behaviours.yaml"):
            if only and not any(name in behaviour["name"] for name in only):
                continue
            lacking = [feature for feature in behaviour["needs"] if feature not in features]
            if lacking:
                skipped[lacking[0]] = skipped.get(lacking[0], 0) + 1
                continue
            runner = Runner(shared, None)
            wrong = None
            for line, step in behaviour["steps"]:
                wrong = problem(runner, step)
                if wrong:
                    print(f"FAILED {behaviour['name']}\n  behaviours.yaml:{line}: {wrong}")
                    break
            for mock in runner.own:
                mock.stop()
            failed, passed = failed + bool(wrong), passed + (not wrong)
        left = [name for name in shared.lanes() if name != "default"]
        if left and not failed and not only:
            failed += 1
            print(f"FAILED lanes are left: {', '.join(left)}")
    why = "".join(f", {count} without `{feature}`" for feature, count in sorted(skipped.items()))
    print(f"Python {sys.version.split()[0]}: {passed} behaviours passed, {failed} failed, {sum(skipped.values())} skipped{why}")
    if recording:
        pathlib.Path(recording).write_text(json.dumps(har(exchanges)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
