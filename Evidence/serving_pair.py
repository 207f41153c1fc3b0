"""Both programs of `Evidence/serving-differential`: what is sent to them, and how what came back is compared."""

import base64
import collections
import datetime
import difflib
import email.utils
import itertools
import json
import math
import os
import pathlib
import re
import select
import signal
import socket
import struct
import subprocess
import time

import serving_requests as requests

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Seconds for a response; and without a byte from either program, until both are taken to hang.
PATIENCE, SILENCE = 20, 0.4
# Seconds by which the clocks of two lanes may differ that were opened one after the other.
TOLERANCE = 0.2
# Printed kinds of differences of a group, and lines of each.
SHOWN, LINES = 8, 24
# Reports that are asked for at once.
BATCH = 25
# Seconds after which a connection is opened again: the program closes idle ones after 60.
IDLE = 30
# The size of a chunk.
SIZE = re.compile(rb"([0-9a-fA-F]{1,8})(?:;[^\r]*)?\r\n")


# Programs and connections.


class Program:
    """One `serve`, whose log goes to a file."""

    def __init__(self, command, words, folder):
        self.log = folder / f"{time.monotonic_ns()}.log"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSTUDY_")}
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [command, "serve", "--port", "0", "--no-watch", "--color", "never", *words], cwd=ROOT, env=environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"listening on http://[^:/]+:(\d+)(?s:.)*ready in", self.text())):
            if time.monotonic() > end or self.process.poll() is not None:
                self.end()
                raise NotStarted(f"{command} {' '.join(words)} did not start:\n{self.text()}")
            time.sleep(0.02)
        self.port = int(found[1])
        # The first number of the journal, and the instant at which the clock stands.
        self.first, self.clock = 0, 0

    def text(self):
        return self.log.read_text(errors="surrogateescape")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class NotStarted(Exception):
    """A program that does not run."""


class Connection:
    """The bytes of one connection to a program."""

    def __init__(self, port):
        self.received, self.end, self.used = b"", None, time.monotonic()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, sent):
        self.used = time.monotonic()
        try:
            self.socket.sendall(sent)
        except OSError:
            pass  # The response may have come, and the connection ended, before all was sent.

    def read(self):
        try:
            piece = self.socket.recv(1 << 20)
            self.end = None if piece else "the end"
        except OSError as error:
            piece, self.end = b"", type(error).__name__
        self.received += piece

    def responses(self, heads):
        """The responses that came, of which `heads` have no body, and where they end; None unless all are complete."""
        at, found = 0, []
        for isHead in heads or ():
            end = response_end(self.received, at, isHead)
            if end is None:
                break
            found.append(self.received[at:end])
            at = end
        if heads and len(found) == len(heads):
            return found, at
        if not self.end:
            return None
        return [*found, self.received[at:] + f"<{self.end}>".encode()], len(self.received)


def response_end(received, start, isHead):
    """The end of the response at `start`, interim responses included; None if it is not complete."""
    while (end := received.find(b"\r\n\r\n", start)) >= 0:
        head, start = received[start:end + 2], end + 4
        # Bytes before it are the body of a response that must not have one.
        status = re.search(rb"HTTP/1\.\d (\d{3})", head)
        if not status or not status[1].startswith(b"1"):
            break
    else:
        return None
    if isHead or status and status[1] in (b"204", b"304"):
        return start
    if length := re.search(rb"(?i)\r\ncontent-length: *(\d+)\r", head):
        return start + int(length[1]) if len(received) >= start + int(length[1]) else None
    return chunks_end(received, start) if re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head) else None


def chunks_end(received, start):
    while line := SIZE.match(received, start):
        start = line.end() + int(line[1], 16) + 2
        if not int(line[1], 16):
            return start if len(received) >= start else None
    return None


def joined(response):
    """A response whose events are in one piece: how they are split depends on when they came from an upstream."""
    head, mark, body = response.partition(b"\r\n\r\n")
    if b"text/event-stream" not in head:
        return response
    at, pieces = 0, b""
    while line := SIZE.match(body, at):
        at = line.end() + int(line[1], 16) + 2
        pieces += body[line.end():at - 2]
    return head + mark + pieces + body[at:]


def receive(ends, heads):
    """The responses of two connections; without `heads` all bytes until the end, or until both are silent."""
    until = time.monotonic() + PATIENCE
    while not all(found := [end.responses(heads) for end in ends]):
        waiting = [end for end, done in zip(ends, found) if not done]
        ready = select.select([end.socket for end in waiting], [], [], 1 if heads else SILENCE)[0]
        for end in waiting:
            if end.socket in ready:
                end.read()
            elif not ready and (time.monotonic() > until or not heads and len(waiting) == len(ends)):
                end.end = "silence"
    for end, (_, at) in zip(ends, found):
        end.received = end.received[at:]
    return [responses for responses, _ in found]


# Comparison.

DATE = re.compile(rb"\r\nDate: [^\r]*")
LENGTH_FIELD = re.compile(rb"\r\nContent-Length: \d+")
# Instants, as text or as seconds, milliseconds or microseconds since 1970.
INSTANT = re.compile(
    rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\b\d\d:\d\d:\d\d(?:\.\d+)?"
    rb"|\b1\d{15}\b|\b1\d{12}\b|\b1\d{9}\b")
TOKEN = re.compile(rb"\beyJ[\w-]+\.([\w-]+)\.")
PATH = re.compile(rb'"/[^"]*"')
# What a report has of the real time: when requests came, and how long they took.
NORMALISATIONS = [
    (re.compile(rb'("microseconds": ?)\d+'), rb"\g<1>0"),
    (re.compile(rb'("(?:startedDateTime|time)": ?)"[^"]*"'), rb'\g<1>""'),
    (re.compile(rb'("(?:time|send|wait|receive|uptimeInSeconds)": ?)\d{1,7}(?:\.\d+)?(?=[,}\s])'), rb"\g<1>0"),
    (re.compile(rb"(?m)^understudy_(request_duration_seconds_(bucket|sum)|connections).*$"), rb""),
    (re.compile(rb"(?m)^\d\d:\d\d:\d\d (.*?) \d+(?:\.\d+)? m?s\b"), rb"\1"),
    # A set, whose order changes from process to process.
    (re.compile(rb'"deleted": \[[^\]]*\]'),
     lambda found: b'"deleted": [%s]' % b", ".join(sorted(PATH.findall(found[0])))),
    (re.compile(rb"ready in \d+(\.\d+)? m?s"), rb""),
    # The format of the state of a lane, which earlier versions do not number.
    (re.compile(rb'(?m)^ *"format": \d+,\n'), rb""),
]


def seconds(instant):
    """Seconds since 1970, or since midnight; not a number for a date that does not exist."""
    text = instant.decode()
    if text.isdigit():
        return int(text) / 10 ** (len(text) - 10)
    try:
        if "GMT" in text:
            return email.utils.parsedate_to_datetime(text).timestamp()
        if "T" in text:
            return datetime.datetime.fromisoformat(text).timestamp()
    except ValueError:
        return math.nan
    hours, minutes, rest = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def slack(instant):
    """How far an instant may be from another; whole seconds are rounded down."""
    return TOLERANCE if b"." in instant or len(instant) in (13, 16) else 1 + TOLERANCE


def claims(token):
    """A token whose claims can be read, so that its times are compared like others."""
    try:
        head = token[0][:-len(token[1]) - 1]
        return head + base64.urlsafe_b64decode(token[1] + b"=" * (-len(token[1]) % 4))
    except ValueError:
        return token[0]


def is_same(texts, clocks):
    """Whether two texts differ at most in instants that are as far from the clocks of their lanes."""
    if texts[0] == texts[1]:
        return True
    before, after = (TOKEN.sub(claims, text) for text in texts)
    if INSTANT.split(before) != INSTANT.split(after):
        return False
    between = clocks[1] - clocks[0]
    return all(one == other or abs(seconds(other) - seconds(one) - between) <= slack(one)
               for one, other in zip(INSTANT.findall(before), INSTANT.findall(after)))


def relative(text, clock):
    """A text with its instants as seconds after the clock, so that a difference of texts shows no other instants."""
    return INSTANT.sub(lambda found: b"<now%+.0f>" % (seconds(found[0]) - clock), text)


def readable(text):
    """Lines of a response or a report, JSON indented."""
    head, mark, body = text.partition(b"\r\n\r\n") if text.startswith(b"HTTP/") else (b"", b"", text)
    try:
        body = json.dumps(json.loads(body), indent=1, ensure_ascii=False).encode(errors="surrogatepass")
    except ValueError:
        pass
    return (head + mark + body).decode(errors="backslashreplace").replace("\r", "").split("\n")


class Result:
    """What a group has compared."""

    def __init__(self, name):
        self.name, self.requests, self.reports = name, 0, 0
        self.kinds, self.start = collections.Counter(), time.monotonic()

    @property
    def differences(self):
        return self.kinds.total()

    def differ(self, what, words, texts, clocks=(0, 0)):
        """Counts a difference, and prints it if it is the first of its kind."""
        if len({relative(*item) for item in zip(texts, clocks)}) > 1:
            texts = [relative(*item) for item in zip(texts, clocks)]
        lines = [[line[:400] for line in readable(text)] for text in texts]
        shown = list(difflib.unified_diff(*lines, "before", "after", n=3, lineterm=""))
        # The first words of the lines that differ: names of members and fields.
        words_of_lines = {re.split(r"[^-\w]", line[1:].strip(' "{['))[0] for line in shown[2:] if line[0] in "+-"}
        kind = " ".join([what.split("/", 1)[0], *sorted(words_of_lines)])
        self.kinds[kind] += 1
        if self.kinds[kind] == 1 and len(self.kinds) <= SHOWN:
            print(f"\n{self.name}: {what}\n  serve {' '.join(words)}", *shown[:LINES], sep="\n  ", flush=True)

    def __str__(self):
        return (f"{self.name:12} {self.requests:7} requests {self.reports:7} reports {self.differences:5} differences "
                f"{time.monotonic() - self.start:6.1f} s")


# Both programs.


class Pair:
    """Both programs with the same arguments, and a connection to each."""

    def __init__(self, run, result, words, sorts=None):
        # Where connections race, requests are sorted by "lanes" or "targets".
        self.sorts = sorts
        self.result, self.words, self.lanes = result, [*words, "--seed", str(run.seed)], []
        self.connections, self.programs = {}, []
        try:
            for command in run.commands:
                self.programs.append(Program(command, self.words, run.folder))
        except NotStarted:
            self.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if not error[0]:
            self.reports(["/__admin/operations", "/__admin/coverage", "/__admin/scenarios"])
        self.end()
        if not error[0] and not self.sorts:
            texts = [program.text().encode(errors="surrogateescape") for program in self.programs]
            self.compare("the log", texts, isReport=True)

    def end(self):
        for program in self.programs:
            program.end()

    def connect(self):
        try:
            return [Connection(program.port) for program in self.programs]
        except OSError:
            self.give_up()

    def give_up(self):
        """Reports the end of a program as a difference."""
        texts = [f"ended: {program.process.poll()}\n{program.text()[-1000:]}" for program in self.programs]
        self.result.differ("a program has ended, or does not answer", self.words,
                           [text.encode(errors="surrogateescape") for text in texts])
        raise NotStarted("a program has ended, or does not answer")

    def connected(self, name):
        """The connections of a client, which are opened again after an end."""
        ends = self.connections.get(name)
        if not ends or any(end.end or time.monotonic() - end.used > IDLE for end in ends):
            self.close(name)
            ends = self.connections[name] = self.connect()
        return ends

    def close(self, name, isReset=False):
        for end in self.connections.pop(name, []):
            if isReset:
                end.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.socket.close()

    def exchange(self, *sent, client="main"):
        """Sends requests to both, in one piece, and compares the responses."""
        if any(request.isRisky for request in sent):
            client = "risky"
        self.send(*sent, client=client)
        self.take(*sent, client=client)
        if any(end.end == "silence" for end in self.connections[client]):
            self.close(client)
            self.settle()

    def send(self, *sent, client):
        self.result.requests += len(sent)
        for end in self.connected(client):
            end.send(b"".join(request.encoded() for request in sent))

    def take(self, *sent, client):
        isRisky = any(request.isRisky for request in sent)
        found = receive(self.connections[client], None if isRisky else [request.method == "HEAD" for request in sent])
        for number, texts in enumerate(itertools.zip_longest(*found, fillvalue=b"<nothing>")):
            request = sent[min(number, len(sent) - 1)].encoded()
            self.compare(f"the response to {request[:700]!r}",
                         [joined(DATE.sub(b"\r\nDate: -", text)) for text in texts])

    def settle(self):
        """Waits until both have noticed the connections that were closed."""
        until = time.monotonic() + PATIENCE
        self.connected("admin")
        opened = [sum(not ends[side].end for ends in self.connections.values()) for side in (0, 1)]
        while time.monotonic() < until:
            found = self.ask("GET", [["/__admin/metrics"]] * 2)
            if all(b"\nunderstudy_connections %d\n" % count in texts[0] for count, texts in zip(opened, found)):
                return
            time.sleep(0.005)

    def compare(self, what, texts, isReport=False):
        self.result.reports += isReport
        texts = self.normal(texts, isReport)
        if not self.are_same(texts):
            self.result.differ(what, self.words, texts, [program.clock for program in self.programs])

    def are_same(self, texts):
        return is_same(texts, [program.clock for program in self.programs])

    def normal(self, texts, isReport):
        """The texts without ports, and reports without what depends on the real time."""
        texts = [text.replace(b":%d" % program.port, b":PORT") for text, program in zip(texts, self.programs)]
        for pattern, replacement in NORMALISATIONS if isReport else ():
            texts = [pattern.sub(replacement, text) for text in texts]
        return texts

    def ask(self, method, paths, body=None):
        """The bodies of the responses of the admin API; `paths` has a list for each program."""
        fields = [("Content-Type", "application/json")] if body is not None else []
        encoded = None if body is None else json.dumps(body).encode()
        ends = self.connected("admin")
        for end, targets in zip(ends, paths):
            end.send(b"".join(requests.Request(method, target, fields, encoded).encoded() for target in targets))
        found = receive(ends, [False] * len(paths[0]))
        if any(end.end for end in ends):
            self.give_up()
        # The lengths of reports follow from the lengths of times.
        return [[LENGTH_FIELD.sub(b"", DATE.sub(b"", text), 1) for text in texts] for texts in found]

    def admin(self, method, path, body=None):
        """A change by the admin API, whose responses are compared."""
        texts = [found[0] for found in self.ask(method, [[path], [path]], body)]
        self.compare(f"{method} {path} {json.dumps(body) if body else ''}", texts, isReport=True)
        return [text.partition(b"\r\n\r\n")[2] for text in texts]

    def reports(self, paths):
        for path in paths:
            self.admin("GET", path)

    # A sequence.

    def begin(self, **lanes):
        """Begins anew, with these lanes beside the default one; clocks stand still."""
        self.admin("DELETE", "/__admin/requests")
        self.admin("POST", "/__admin/reset")
        self.admin("PATCH", "/__admin/lanes/default", {"stopClock": True})
        self.lanes = list(lanes)
        for name, settings in lanes.items():
            opening = {"name": name, "stopClock": True}
            if b'"title"' in self.admin("POST", "/__admin/lanes", {**opening, **settings})[0]:
                # Refused settings are part of the comparison.
                self.admin("POST", "/__admin/lanes", opening)
        paths = [["/__admin/lanes/default?state=true", "/__admin/requests?limit=1"]] * 2
        for program, texts in zip(self.programs, self.ask("GET", paths)):
            lane, journal = (json.loads(text.partition(b"\r\n\r\n")[2]) for text in texts)
            program.clock, program.first = lane["state"]["clock"]["stopped"] / 1e6, journal["meta"]["total"]

    def finish(self):
        """Compares what both report of the sequence, and closes its lanes."""
        self.reports(["/__admin/lanes", "/__admin/lanes/default?state=true", *(f"/__admin/lanes/{name}?state=true" for name in self.lanes)])
        self.reports(["/__admin/metrics", "/__admin/health"])
        self.journal()
        for name in self.lanes:
            self.admin("DELETE", f"/__admin/lanes/{name}")

    def journal(self):
        """Compares every request of the journal with its details, and its entry in the HAR."""
        found = self.ask("GET", [["/__admin/requests?limit=10000", "/__admin/requests/har?limit=10000"]] * 2)
        journals, hars = zip(*([json.loads(text.partition(b"\r\n\r\n")[2]) for text in texts] for texts in found))
        listed = [sorted(reversed(journal["requests"]), key=self.order) for journal in journals]
        self.compare("the totals of the journal", [dump(journal["meta"]) for journal in journals], isReport=True)
        self.entries("a request of the journal", listed)
        self.entries("an entry of the HAR", [sorted(har["log"]["entries"], key=self.order) for har in hars])
        self.details([[entry["id"] for entry in entries] for entries in listed])
        if not self.sorts:
            self.reports(["/__admin/requests/unmatched/near-misses", "/__admin/requests?findings=true&limit=10000"])

    def entries(self, what, lists):
        """Compares two lists, at once if that suffices."""
        texts = [dump([self.numbered(entry, program) for entry in entries])
                 for entries, program in zip(lists, self.programs)]
        if self.are_same(self.normal(texts, isReport=True)):
            self.result.reports += 1
            return
        self.compare(f"the number of: {what}", [dump(len(entries)) for entries in lists], isReport=True)
        for entries in zip(*lists):
            self.compare(what, [dump(self.numbered(*item)) for item in zip(entries, self.programs)], isReport=True)

    def order(self, entry):
        """The order of requests: as they ended, or where connections race, by lane, and perhaps by target."""
        if not self.sorts:
            return ()
        about = entry.get("_understudy", entry)
        url = entry["target"] if "target" in entry else entry["request"]["url"].split("/", 3)[-1]
        if "lane" in about and self.sorts == "lanes":
            return about["lane"], "", ""
        return about.get("lane", ""), url, about["reply"]

    def numbered(self, entry, program):
        """An entry with its number in the sequence, which has no meaning where connections race."""
        return {**entry, "id": 0 if self.sorts else entry["id"] - program.first} if "id" in entry else entry

    def details(self, numbers):
        """Compares the requests of these numbers with all that is held of them."""
        for start in range(0, min(map(len, numbers)), BATCH):
            columns = [column[start:start + BATCH] for column in numbers]
            shortest = min(map(len, columns))
            columns = [column[:shortest] for column in columns]
            found = self.ask("GET", [[f"/__admin/requests/{number}" for number in column] for column in columns])
            for pair, texts in zip(zip(*columns), zip(*found)):
                texts = [text.replace(b'"id": %d,' % number, b'"id": 0,', 1) for text, number in zip(texts, pair)]
                self.compare("a request with its details", texts, isReport=True)


def dump(value):
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")
