"""Two clients for each edge case in which a mock has to be set up: by flags, faults, checks or files that change.

As those of `edge_clients`: the user of one ends with a mistake that the mock shows, and the user of the other does not.
"""

import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

import edge_socket
from edge_clients import BEGINNING, CHAT, row
from edge_program import Lane, Mock


@row("E58")
def refusals_in_their_order(mocks):
    flags = [flag for force in ("*=500", "joinQueue=203*1", "joinQueue=204*1") for flag in ("--force", force)]
    texts = {200: "waiting", 203: "blocked for 1 minute", 204: "blocked for 2 minutes", 500: "server error"}

    def client(isSuccess):
        lane, shown = mocks.lane("specs/slp.yaml", *flags), []
        for _ in range(3):
            status = lane.ask("POST", "/v1/queue", [("lat", "37.5"), ("long", "126.9"), ("studylist", "a")]).status
            shown.append(texts[200] if isSuccess(status) else texts[status])
        return ", ".join(shown)
    return "blocked for 1 minute, blocked for 2 minutes, server error", lambda: client(
        lambda status: status // 100 == 2), lambda: client(lambda status: status == 200)


@row("E59")
def chat_read_after_each_message(mocks):
    def client(pause):
        lane = mocks.lane("specs/slp.yaml", "--check", "read-after-send")
        lane.direct({"stopClock": True})
        lane.ask("POST", CHAT, [("chat", "hello")])
        lane.direct({"advance": pause})
        lane.ask("GET", f"{CHAT}?lastchatDate={BEGINNING}")
        rules, verdict = lane.rules()
        return " ".join([verdict, *rules])
    return "passed", lambda: client("100ms"), lambda: client("5s")


def heard(mocks, fault, limit, sends=1):
    """The messages that a client has of so many in the lane with a fault, if it waits so many seconds for each."""
    lane = mocks.lane(fault=f"sockets/chat={fault}")
    connection = edge_socket.Socket(lane)
    connection.emit("changesocketid", "u2")
    for number in range(sends):
        lane.ask("POST", CHAT, [("chat", f"text {number}")])
    found = []
    while len(found) < sends and (message := connection.event("chat", limit)):
        found.append(message)
    connection.close()
    return lane, found


@row("E60")
def message_after_its_response(mocks):
    shown = lambda limit: f"{len(heard(mocks, 'late:1s', limit)[1])} messages"
    return "1 messages", lambda: shown(0.2), lambda: shown(60)


@row("E61")
def message_that_is_held(mocks):
    """An event that `reorder` holds never comes without a second one, which the mock says; REST has the message."""
    def client(reads):
        lane, found = heard(mocks, "reorder", 1)
        shown = lane.admin("GET", f"sockets/messages?lane={lane.name}").body
        held = "(held until the next event)" if '"held"' in shown else ""
        if reads:
            found += json.loads(lane.ask("GET", f"{CHAT}?lastchatDate={BEGINNING}").body)["payload"]
        return f"{'messages' if found else 'nothing'} {held}"
    return "messages (held until the next event)", lambda: client(False), lambda: client(True)


@row("E62")
def many_senders(mocks):
    """Eight senders at once: the events have the order in which the messages were stored, as a later GET shows it."""
    lane = mocks.lane("specs/slp.yaml", "--stateful")
    connection = edge_socket.Socket(lane)
    connection.emit("changesocketid", "u2")
    senders = [f"s{number}" for number in reversed(range(8))]

    def send(sender):
        for number in range(5):
            assert lane.ask("POST", CHAT, [("chat", f"{sender} {number}")], token=sender).status == 200
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(send, senders))
    events = [connection.event("chat", 60) for _ in range(40)]
    connection.close()
    # The time of each message is a millisecond after the one that was stored before it.
    stored = " ".join(message["chat"] for message in sorted(events, key=lambda message: message["createdAt"]))
    shown = lambda messages: " ".join(message["chat"] for message in messages)
    return stored, lambda: shown(sorted(events, key=lambda message: message["from"])), lambda: shown(events)


@row("E63")
def fault_of_another_kind(mocks):
    def start(fault):
        done = subprocess.run(
            [mocks.command, "serve", "specs/slp.yaml", "--port", "0", "--fault", fault], cwd=mocks.root,
            capture_output=True, text=True, timeout=60)
        return done.stderr.strip().splitlines()[-1].strip()
    return "0 messages", lambda: start("sendChat=missed"), lambda: f"{len(heard(mocks, 'missed', 0.5)[1])} messages"


@row("E64")
def socket_at_another_path(mocks):
    def client(target):
        lane = mocks.lane()
        status = lane.ask("GET", f"{target}?EIO=4&transport=polling").status
        return "connected" if status == 200 else lane.last_rules()[1].split("did you mean ")[1].split("`")[1]
    return "connected", lambda: client("/v1/socket.io/"), lambda: client("/socket.io/")


class EditedMock:
    """A stateful mock of a copy of the project, whose files change while it runs."""

    def __init__(self, mocks):
        self.folder = tempfile.TemporaryDirectory(prefix="edge-cases-")
        self.root = pathlib.Path(self.folder.name)
        (self.root / "specs").mkdir()
        for contract in ("petstore", "slp"):
            shutil.copy(mocks.root / f"specs/{contract}.yaml", self.root / "specs")
            shutil.copytree(mocks.root / f"fixtures/{contract}", self.root / f"fixtures/{contract}")
        self.mock = Mock(
            mocks.command, self.root, ["specs/petstore.yaml", "specs/slp.yaml", "--stateful"], watches=True)
        self.lane = Lane(self.mock, "editor", {})

    def pets(self, query="status=available&status=reserved&status=sold"):
        return self.lane.ask("GET", f"/api/pets?{query}")

    def create(self):
        created = self.lane.ask("POST", "/api/pets", '{"name": "Rex", "kind": "dog"}', headers=[
            "X-Api-Key: k", "Content-Type: application/json"])
        assert created.status == 201, created

    def edit(self, file, old, new):
        """Changes a file, and waits until the mock has read it again."""
        path, count = self.root / file, self.mock.printed().count("reloaded after")
        text = path.read_text()
        assert old in text, file
        path.write_text(text.replace(old, new, 1))
        end = time.monotonic() + 60
        while self.mock.printed().count("reloaded after") == count:
            assert time.monotonic() < end, self.mock.printed()
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.mock.stop()
        self.folder.cleanup()


@row("E65")
def files_that_change(mocks):
    """An unrelated file keeps what the client created. A changed schema begins its collection anew, and the log says so."""
    def client(file, old, new):
        with EditedMock(mocks) as edited:
            edited.create()
            edited.edit(file, old, new)
            isThere = any(pet["name"] == "Rex" for pet in json.loads(edited.pets().body))
            isNamed = "pets begin anew" in edited.mock.printed()
            return ("Rex is there" if isThere else "Rex is gone") + (", pets begin anew" if isNamed else "")
    return "Rex is there", lambda: client(
        "specs/petstore.yaml", "enum: [dog, cat, rabbit, bird, fish]", "enum: [dog, cat, rabbit, bird, fish, mouse]"
    ), lambda: client("fixtures/slp/readUser/200.json", "도토리", "개암")


@row("E66")
def items_behind_a_default(mocks):
    def client(query):
        with EditedMock(mocks) as edited:
            edited.create()
            answer = edited.pets(query)
            hidden = answer.headers["understudy-reply"].partition(" hidden ")[0].rpartition(", ")[2]
            return f"{len(json.loads(answer.body))} pets" + (f", {hidden} hidden" if hidden.isdigit() else "")
    return "3 pets", lambda: client(""), lambda: client("status=available&status=reserved&status=sold")
