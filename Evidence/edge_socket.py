"""A client of Socket.IO 5, as much of it as an edge case needs: it connects, sends an event, and waits for one."""

import json
import os
import socket
import time
import urllib.parse


class Socket:
    """A connection to the default namespace in the lane of a mock, by WebSocket alone."""

    def __init__(self, lane):
        address = urllib.parse.urlsplit(lane.url)
        self.lane, self.bytes = lane, b""
        self.connection = socket.create_connection((address.hostname, address.port), timeout=120)
        self.connection.sendall((
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {address.netloc}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nUnderstudy-Lane: {lane.name}\r\n\r\n").encode())
        head = self.until(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        assert self.text().startswith("0{"), "the handshake of Engine.IO"
        self.send("40")
        assert self.text().startswith("40"), "the namespace"

    def until(self, end):
        while end not in self.bytes:
            self.more()
        head, _, self.bytes = self.bytes.partition(end)
        return head

    def more(self):
        received = self.connection.recv(65536)
        if not received:
            raise ConnectionError("the socket was closed")
        self.bytes += received

    def take(self, count):
        while len(self.bytes) < count:
            self.more()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def text(self):
        """The next message. A frame of the server has no mask (RFC 6455, section 5.1)."""
        kind, size = self.take(2)
        if size == 126:
            size = int.from_bytes(self.take(2), "big")
        payload = self.take(size)
        return payload.decode() if kind & 15 == 1 else self.text()

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2, "big")
        self.connection.sendall(
            b"\x81" + size + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))

    def emit(self, name, argument):
        self.send("42" + json.dumps([name, argument]))
        # The mock has it once its journal shows it.
        end = time.monotonic() + 60
        while name not in self.lane.admin("GET", f"sockets/messages?lane={self.lane.name}").body:
            if time.monotonic() > end:
                raise ConnectionError(f"the mock did not record `{name}`")
            time.sleep(0.02)

    def event(self, name, limit):
        """The argument of the next event with this name, or nothing within so many seconds."""
        self.connection.settimeout(limit)
        try:
            while True:
                text = self.text()
                if text.startswith("42") and json.loads(text[2:])[0] == name:
                    return json.loads(text[2:])[1]
        except TimeoutError:
            return None

    def close(self):
        self.connection.close()
