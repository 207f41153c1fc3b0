"""Clients of other authors against `understudy serve Tests/SocketSuites/chat.yaml`.

    python peers.py http://127.0.0.1:4010 [python-socketio] [websockets]

The first name takes the python-socketio that is installed, of version 5 (Engine.IO 4) or 4 (Engine.IO 3).
"""

import json
import os
import queue
import sys
import traceback
import urllib.request

BASE = sys.argv[1]


def send_chat(to, text, sender="u1"):
    request = urllib.request.Request(
        f"{BASE}/v1/chat/{to}", json.dumps({"chat": text}).encode(), {"Content-Type": "application/json", "idtoken": sender})
    with urllib.request.urlopen(request) as response:
        assert response.status == 200, response.status


def check_socketio(transports):
    import socketio

    client = socketio.Client(reconnection=False)
    inbox = queue.Queue()
    client.on("chat", lambda data: inbox.put(("chat", data)))
    client.on("message-back", lambda *data: inbox.put(("message-back", data)))
    client.on("connect", lambda: None, namespace="/admin")
    client.on("disconnect", lambda *_: inbox.put(("disconnect", None)))
    client.connect(BASE, transports=transports, namespaces=["/", "/admin"])
    client.sleep(0.3)
    expected = "polling" if transports == ["polling"] else "websocket"
    assert client.transport() == expected, client.transport()
    # Without attachments: the client reads each message in a thread of its own, and may read them before their packet.
    assert client.call("message", {"text": "안녕 😀"}, timeout=5) is not None
    name, data = inbox.get(timeout=5)
    assert name == "message-back" and data[0] == {"text": "안녕 😀"}, data
    client.emit("changesocketid", f"u-{expected}-{len(transports or [])}")
    client.call("message", 1, timeout=5)
    assert inbox.get(timeout=5) == ("message-back", (1,))
    for number in range(20):
        send_chat(f"u-{expected}-{len(transports or [])}", f"메시지 {number}")
    # python-socketio calls each handler in a thread of its own, so their order is not that of the packets.
    texts = {inbox.get(timeout=5)[1]["chat"] for _ in range(20)}
    assert texts == {f"메시지 {number}" for number in range(20)}, texts
    assert inbox.empty()
    client.emit("leave")
    assert inbox.get(timeout=5)[0] == "disconnect"
    client.disconnect()


def check_refusal():
    import socketio

    client = socketio.Client(reconnection=False)
    try:
        client.connect(BASE, transports=["websocket"], auth={"token": "wrong"})
    except socketio.exceptions.ConnectionError as error:
        assert "Not authorized" in str(error) or "refused" in str(error) or "failed" in str(error), error
    else:
        raise AssertionError("a wrong token was accepted")


def check_websockets():
    from websockets.exceptions import ConnectionClosed, InvalidStatus
    from websockets.sync.client import connect

    url = BASE.replace("http", "ws") + "/ws"
    with connect(url, subprotocols=["other", "chat.v1"], ping_interval=None) as socket:
        assert socket.subprotocol == "chat.v1"
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
        assert json.loads(socket.recv(timeout=5)) == {"type": "hello"}
        socket.send(json.dumps({"type": "ping", "n": 1.50}))
        assert json.loads(socket.recv(timeout=5)) == {"type": "pong", "n": 1.5}
        socket.send(["fragments ", "of ", "a text"])
        assert socket.recv(timeout=5) == "fragments of a text"
        socket.send(b"\x00\xff" * 40_000)
        assert socket.recv(timeout=5) == b"\x00\xff" * 40_000
        for number in range(100):
            socket.send(json.dumps({"type": "ping", "n": number}))
        assert [json.loads(socket.recv(timeout=5))["n"] for _ in range(100)] == list(range(100))
        socket.ping().wait(5)
        socket.send('{"type": "bye"}')
        try:
            socket.recv(timeout=5)
        except ConnectionClosed as error:
            assert (error.rcvd.code, error.rcvd.reason) == (4001, "bye"), error
    with connect(url) as socket:
        socket.recv(timeout=5)
        socket.send('{"type": "lost"}')
        try:
            socket.recv(timeout=5)
        except ConnectionClosed as error:
            assert error.rcvd is None, error
    try:
        connect(url + "?token=wrong")
    except InvalidStatus as error:
        assert error.response.status_code == 403
    else:
        raise AssertionError("a wrong token was accepted")


def main():
    for name in sys.argv[2:] or ["python-socketio", "websockets"]:
        if name == "websockets":
            check_websockets()
            print("ok", name)
            continue
        for transports in (["polling"], ["websocket"], None):
            check_socketio(transports)
            print("ok", name, transports or ["polling", "websocket"])
        import socketio

        if hasattr(socketio, "SimpleClient"):
            check_refusal()
            print("ok", name, "refusal")


try:
    main()
except BaseException:
    traceback.print_exc()
    sys.stderr.flush()
    # The threads of a client that is still connected would keep the process.
    os._exit(1)
