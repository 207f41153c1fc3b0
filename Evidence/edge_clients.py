"""Two clients for each edge case that no request shows: one with the mistake, and one without it.

A function has the id of its row. Both clients get the same answers; the function returns what the user should end with,
and what the user of each client ends with. A program that crashes ends with the name of its exception.
"""

import datetime
import enum
import json
import subprocess

import edge_socket

ROWS = {}
CHAT = "/v1/chat/u2"
BEGINNING = "2000-01-01T00:00:00.000Z"


def row(name):
    def register(function):
        ROWS.setdefault(name, []).append(function)
        return function
    return register


def play(name, mocks):
    """What should be, what was, and whether it was the good client: for both clients of a row."""
    for function in ROWS.get(name, []):
        wanted, bad, good = function(mocks)
        yield wanted, outcome(bad), False
        yield wanted, outcome(good), True


def outcome(client):
    try:
        return client()
    except (LookupError, TypeError, ValueError, AssertionError) as error:
        return f"crash ({type(error).__name__})"


def get(mocks, target, prefer):
    return mocks.lane().ask("GET", target, prefer=prefer)


def post(mocks, target, prefer):
    return mocks.lane().ask("POST", target, prefer=prefer)


@row("E1")
def text_as_json(mocks):
    answer = post(mocks, "/v1/user/withdraw", "code=200, example=plain")

    def bad():
        try:
            return json.loads(answer.body) and "success"
        except ValueError:
            return "failure"
    return "success", bad, lambda: "success" if answer.status == 200 else "failure"


@row("E4")
def state_without_a_model(mocks):
    answer = get(mocks, "/v1/queue/myQueueState", "code=201, example=fullState")
    shown = {200: lambda: "waiting", 201: lambda: "no search"}
    return "no search", lambda: "waiting" if "matched" in json.loads(answer.body) else "no search", shown[answer.status]


@row("E6")
def no_body_on_204(mocks):
    answer = post(mocks, "/v1/queue", "code=204")
    texts = {203: "blocked for 1 minute", 204: "blocked for 2 minutes", 205: "blocked for 3 minutes"}
    return texts[204], lambda: texts[answer.status] if answer.body else "no answer", lambda: texts[answer.status]


@row("E7")
def default_for_payload(mocks):
    answer = get(mocks, f"{CHAT}?lastchatDate={BEGINNING}", "code=500, example=jsonObject")
    def bad():
        return f"{len(json.loads(answer.body).get('payload', []))} messages"
    return "server error", bad, lambda: bad() if answer.status == 200 else "server error"


@row("E8")
def first_chat(mocks):
    payload = json.loads(get(mocks, f"{CHAT}?lastchatDate={BEGINNING}", "code=200, example=empty").body)["payload"]
    return "no messages", lambda: payload[-1]["chat"], lambda: payload[-1]["chat"] if payload else "no messages"


@row("E11")
def week_year(mocks):
    payload = json.loads(get(mocks, f"{CHAT}?lastchatDate={BEGINNING}", "code=200, example=newYear").body)["payload"]
    date = datetime.datetime.fromisoformat(payload[-1]["createdAt"])
    return "01.01.2023", lambda: date.strftime("%d.%m.%G"), lambda: date.strftime("%d.%m.%Y")


@row("E11")
def one_spelling(mocks):
    user = json.loads(get(mocks, "/v1/user", "code=200").body)
    bad = lambda: f"{datetime.datetime.strptime(user['createdAt'], '%Y-%m-%dT%H:%M:%SZ'):%Y}"
    return "2022", bad, lambda: f"{datetime.datetime.fromisoformat(user['createdAt']):%Y}"


@row("E12")
def dates_of_the_login(mocks):
    answer = get(mocks, "/v1/user", "code=200")

    def bad():
        user = json.loads(answer.body)
        for member in ("birth", "createdAt"):
            user[member] = datetime.date.fromisoformat(user[member])
        return "logged in as " + user["nick"]
    return "logged in as 도토리", bad, lambda: "logged in as " + json.loads(answer.body)["nick"]


@row("E13")
def no_partner_yet(mocks):
    state = json.loads(get(mocks, "/v1/queue/myQueueState", "code=200").body)

    def bad():
        try:
            return "matched" if state["matchedUid"] and state["matched"] else "waiting"
        except KeyError:
            return "no search"
    return "waiting", bad, lambda: "matched" if state["matched"] else "waiting"


@row("E25")
def cursor_of_the_partner(mocks):
    def client(newest):
        lane, messages, cursor = mocks.lane(), [], BEGINNING
        for _ in range(2):
            messages += json.loads(lane.ask("GET", f"{CHAT}?lastchatDate={cursor}").body)["payload"]
            cursor = newest(messages)["createdAt"]
        return f"{len(messages)} messages"
    partner = lambda messages: [message for message in messages if message["from"].startswith("hT5w")][-1]
    return "5 messages", lambda: client(partner), lambda: client(lambda messages: messages[-1])


@row("E26")
def status_that_is_not_in_the_enum(mocks):
    status = post(mocks, "/v1/queue", "code=404").status
    texts = enum.Enum("Status", {"success": 200, "reported": 201, "failed": 500})
    return "unknown: 404", lambda: texts(status).name, lambda: {200: "success"}.get(status, f"unknown: {status}")


@row("E27")
def one_enum_for_all(mocks):
    status = mocks.lane().ask("DELETE", "/v1/queue", prefer="code=201").status
    return "already matched", lambda: {200: "done", 201: "already registered"}[status], lambda: {
        200: "left", 201: "already matched"}[status]


@row("E30")
def duplicates(mocks):
    found = json.loads(post(mocks, "/v1/queue/search", "code=200, example=duplicates").body)
    people = [user["uid"] for user in found["fromQueueDB"] + found["fromQueueDBRequested"]]

    def bad():
        assert len(set(people)) == len(people), "a diffable data source takes an item once"
        return f"{len(people)} people"
    return f"{len(set(people))} people", bad, lambda: f"{len(dict.fromkeys(people))} people"


@row("E32")
def transport(mocks):
    def polling():
        lane, target = mocks.lane(scenario="chat-polling-refused"), "/socket.io/?EIO=4&transport=polling"
        target += "&sid=" + json.loads(lane.ask("GET", target).body[1:])["sid"]
        lane.ask("POST", target, "40", headers=["Content-Type: text/plain"])
        return "connected" if lane.ask("GET", target).body.startswith("40") else "refused"

    def websocket():
        edge_socket.Socket(mocks.lane(scenario="chat-polling-refused")).close()
        return "connected"
    return "connected", polling, websocket


def received(mocks, uid, event):
    """What a client with this id has of a message to `u2`, if it listens for this event."""
    lane = mocks.lane()
    connection = edge_socket.Socket(lane)
    connection.emit("changesocketid", uid)
    lane.ask("POST", CHAT, [("chat", "hello")])
    found = connection.event(event, 60 if (uid, event) == ("u2", "chat") else 1)
    connection.close()
    return "a message" if found else "nothing"


@row("E32")
def wrong_id(mocks):
    return "a message", lambda: received(mocks, "myUID", "chat"), lambda: received(mocks, "u2", "chat")


@row("E32")
def wrong_event(mocks):
    return "a message", lambda: received(mocks, "u2", "sesac"), lambda: received(mocks, "u2", "chat")


@row("E33")
def message_without_id(mocks):
    message = json.loads(post(mocks, CHAT, "code=200, example=withoutId").body)
    return "left out", lambda: message["_id"], lambda: message.get("_id", "left out")


@row("E34")
def slow_answer(mocks):
    def client(limit):
        answer = mocks.lane().ask("POST", CHAT, [("chat", "hello")], prefer="code=200, example=slow", limit=limit)
        return "one bubble" if answer.status == 200 else "no bubble"
    return "one bubble", lambda: client(1), lambda: client(120)


@row("E40")
def no_answer(mocks):
    answer = get(mocks, "/v1/user", "code=200, example=closed")
    shown = lambda: f"logged in as {json.loads(answer.body)['nick']}"
    return "offline", shown, lambda: "offline" if answer.failed else shown()


@row("E41")
def pictures(mocks):
    user = json.loads(get(mocks, "/v1/user/shop/myinfo", "code=200, example=itemsOutOfRange").body)
    names = ["sprout 0", "sprout 1", "sprout 2", "sprout 3", "sprout 4"]
    return "sprout 0", lambda: names[user["sesac"]], lambda: names[user["sesac"] if user["sesac"] in range(5) else 0]


@row("E43")
def optionals(mocks):
    message = json.loads(post(mocks, CHAT, "code=200, example=withoutId").body)
    user = json.loads(get(mocks, "/v1/user", "code=200, example=renamed").body)

    members = [(message, "_id"), (user, "FCMtoken"), (user, "transactionId")]
    values = [answer.get(member) for answer, member in members]
    lacking = ", ".join(member for answer, member in members if member not in answer)
    return "an error: no _id, FCMtoken, transactionId", lambda: f"success, with {values}", lambda: (
        f"an error: no {lacking}" if lacking else "success")


@row("E49")
def too_young(mocks):
    """Users are 17 on the day itself: a client that compares years alone sends them a day earlier."""
    today = datetime.datetime.now(datetime.timezone.utc)
    tomorrow = today + datetime.timedelta(days=1)

    def client(day):
        birth = f"{day.year - 17}-{day:%m-%d}T00:00:00.000Z"
        lane = mocks.lane()
        status = lane.ask("POST", "/v1/user", [
            ("phoneNumber", "+821012345678"), ("FCMtoken", "t"), ("nick", "도토리"), ("birth", birth),
            ("email", "a@example.com"), ("gender", "0")]).status
        return f"{status} {' '.join(lane.rules()[0])}"
    return "200 ", lambda: client(tomorrow), lambda: client(today)


@row("E53")
def reported_and_retried(mocks):
    def client(isReported):
        lane, callbacks = mocks.lane(scenario="token-expires"), []
        for token in ("old", "new"):
            answer = lane.ask("GET", "/v1/user", token=token)
            if answer.status == 401 and isReported:
                callbacks.append("log-in failed")
            if answer.status == 200:
                callbacks.append("logged in")
        return ", then ".join(callbacks)
    return "logged in", lambda: client(True), lambda: client(False)


@row("E54")
def offline_at_launch(mocks):
    def client(isPatient):
        lane = mocks.lane(scenario="offline-launch")
        try:
            json.loads(lane.ask("GET", "/v1/user").body)
        except ValueError:
            if isPatient:
                lane.ask("GET", "/v1/user")
            else:
                lane.ask("POST", "/v1/user", [
                    ("phoneNumber", "+821012345678"), ("FCMtoken", "t"), ("nick", "도토리"),
                    ("birth", "1997-03-21T00:00:00.000Z"), ("email", "a@example.com"), ("gender", "0")])
        return " ".join(lane.rules()[0]) or "passed"
    return "passed", lambda: client(False), lambda: client(True)


@row("E54")
def sent_or_not(mocks):
    def client(isSentAgain):
        lane = mocks.lane(scenario="sent-or-not")
        if lane.ask("POST", CHAT, [("chat", "hello")]).failed:
            if isSentAgain:
                lane.ask("POST", CHAT, [("chat", "hello")])
            lane.ask("GET", f"{CHAT}?lastchatDate={BEGINNING}")
        return " ".join(lane.rules()[0]) or "passed"
    return "passed", lambda: client(True), lambda: client(False)


@row("E55")
def renamed_members(mocks):
    found = json.loads(post(mocks, "/v1/queue/search", "code=200, example=renamed").body)

    def good():
        try:
            return f"{len(found['fromQueueDB'])} people"
        except KeyError as error:
            return f"the answer lacks {error}"
    return "the answer lacks 'fromQueueDB'", lambda: f"{len(found.get('fromQueueDB') or [])} people", good


@row("E56")
def numbers_of_pushes(mocks):
    lane = mocks.lane(scenario="accepted-by-push")
    lane.ask("POST", "/v1/queue/studyrequest", [("otheruid", "u2")])
    push = lane.pushes()[-1]["content"]
    return "opens the chat", lambda: "opens the chat" if push.get("studyAccepted") == 1 else "nothing happens", lambda: (
        "opens the chat" if push.get("studyAccepted") == "1" else "nothing happens")


@row("E56")
def pushes_by_their_schema(mocks):
    def check(*files, text=None):
        done = subprocess.run(
            [mocks.command, "schema", "check", "specs/slp.yaml#/components/schemas/Push", *files], cwd=mocks.root,
            input=text, capture_output=True, text=True)
        return {0: "valid", 1: "invalid"}.get(done.returncode, done.stderr)
    files = sorted(str(file) for file in (mocks.root / "fixtures/slp/_push").glob("*.json"))
    number = '{"matched": 1, "Nick": "a", "Uid": "b", "body": "c"}'
    return "valid", lambda: check("-", text=number), lambda: check(*files)
