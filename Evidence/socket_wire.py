"""The program, frames and small clients of the `Evidence/socket-*` tests in Python.

The clients are raw: a frame is a few bytes of Python, so that thousands of them fit into one process.
"""

import asyncio
import base64
import json
import os
import re
import resource
import socket
import struct
import subprocess
import threading

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
KEY = base64.b64encode(b"understudy wire!").decode()


class Program:
    """One `serve` on a free port, which ends with the `with` block."""

    def __init__(self, command, contract, *words, folder=None):
        self.command, self.contract, self.words, self.folder = command, contract, words, folder

    def __enter__(self):
        self.lines = []
        self.process = subprocess.Popen(
            [self.command, "serve", self.contract, "--port", "0", "--quiet", "--no-watch", "--color", "never", *self.words],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace")
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(r"listening on http://[^:/]+:(\d+)", line):
                self.port = int(found[1])
                # What it writes later must be read, or it waits.
                threading.Thread(target=self.drain, daemon=True).start()
                return self
        self.process.wait()
        raise SystemExit(f"{self.command} did not start: {''.join(self.lines)}")

    def drain(self):
        for line in self.process.stderr:
            self.lines = self.lines[-200:] + [line]

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def is_alive(self):
        return self.process.poll() is None

    def memory(self):
        """Its resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def processor_time(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def processor_nanoseconds(self):
        """As `processor_time`, finer, of the threads that run."""
        used = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                with open(f"/proc/{self.process.pid}/task/{thread}/schedstat") as file:
                    used += int(file.read().split()[0])
            except FileNotFoundError:
                pass
        return used

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def raise_descriptors(count):
    """Lets this process, and those that it starts, open so many files; returns how many it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        count = min(count, hard)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    return max(soft, count)


def frame(payload, opcode=TEXT, first=0x80, mask=b"\0\0\0\0"):
    """A frame of a client. The default mask leaves its payload as it is."""
    payload = payload.encode() if isinstance(payload, str) else payload
    if mask != b"\0\0\0\0" and mask:
        payload = bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))
    return head(len(payload), opcode, first, bool(mask)) + (mask or b"") + payload


def head(length, opcode=TEXT, first=0x80, masked=True):
    flag = 0x80 if masked else 0
    if length < 126:
        return bytes([first | opcode, flag | length])
    if length < 65536:
        return bytes([first | opcode, flag | 126]) + struct.pack(">H", length)
    return bytes([first | opcode, flag | 127]) + struct.pack(">Q", length)


def frames(data):
    """The whole frames of a server at the beginning of these bytes, as opcodes with payloads, and the rest."""
    found, at = [], 0
    while len(data) - at >= 2:
        length, start = data[at + 1] & 0x7F, at + 2
        if length == 126 and len(data) >= at + 4:
            length, start = struct.unpack_from(">H", data, at + 2)[0], at + 4
        elif length == 127 and len(data) >= at + 10:
            length, start = struct.unpack_from(">Q", data, at + 2)[0], at + 10
        elif length >= 126:
            break
        if len(data) < start + length:
            break
        found.append((data[at] & 15, data[start:start + length]))
        at = start + length
    return found, data[at:]


def upgrade(target, fields=""):
    return (f"GET {target} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n{fields}\r\n").encode()


def socketio(lane=None):
    """The target of a WebSocket for Socket.IO."""
    return (f"/~{lane}" if lane else "") + "/socket.io/?EIO=4&transport=websocket"


class Client(asyncio.Protocol):
    """A Socket.IO client over a WebSocket that answers pings, and calls `event(list)` for each event."""

    def __init__(self, target, event=None, lost=None):
        self.target, self.event, self.lost = target, event, lost
        self.buffer, self.isOpen, self.isLost, self.code = b"", False, False, None
        self.joined = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(upgrade(self.target))

    def data_received(self, data):
        self.buffer += data
        if not self.isOpen:
            if b"\r\n\r\n" not in self.buffer:
                return
            answer, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
            if b" 101 " not in answer.split(b"\r\n")[0]:
                self.fail(answer.split(b"\r\n")[0].decode())
                return
            self.isOpen = True
        found, self.buffer = frames(self.buffer)
        for opcode, payload in found:
            self.receive(opcode, payload)

    def receive(self, opcode, payload):
        if opcode == CLOSE:
            self.code = struct.unpack(">H", payload[:2])[0] if payload else 1005
            self.transport.write(frame(payload[:2], CLOSE))
        elif opcode == PING:
            self.transport.write(frame(payload, PONG))
        elif payload[:2] == b"42":
            if self.event:
                self.event(values(payload[2:]))
        elif payload[:2] == b"43":
            if self.event:
                self.event(["<ack>", payload[2:].decode()])
        elif payload[:1] == b"0":
            self.send("40")
        elif payload[:1] == b"2":
            self.send("3")
        elif payload[:2] == b"40":
            if not self.joined.done():
                self.joined.set_result(None)
        elif payload[:2] == b"44":
            self.fail(payload.decode())

    def fail(self, reason):
        if not self.joined.done():
            self.joined.set_exception(ConnectionError(reason))
        self.transport.abort()

    def connection_lost(self, _):
        self.isLost = True
        if not self.joined.done():
            self.joined.set_exception(ConnectionError("the connection ended"))
            self.joined.exception()
        if self.lost:
            self.lost(self)

    def send(self, text):
        if not self.transport.is_closing():
            self.transport.write(frame(text))

    def emit(self, *values):
        self.send("42" + json.dumps(values, separators=(",", ":"), ensure_ascii=False))

    @classmethod
    async def connect(cls, port, target, event=None, lost=None):
        """A client that has joined the namespace `/`."""
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(lambda: cls(target, event, lost), "127.0.0.1", port)
        await asyncio.wait_for(client.joined, 60)
        return client


def values(text):
    """The name and the arguments of an event."""
    try:
        return json.loads(text)
    except ValueError:
        return ["<malformed>", text.decode(errors="replace")]


class Poster:
    """A REST client on one connection."""

    @classmethod
    async def connect(cls, port):
        self = cls()
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        return self

    async def request(self, method, target, body=None, fields=""):
        """The status and the body of the answer."""
        content = b"" if body is None else json.dumps(body).encode()
        self.writer.write(
            f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n{fields}\r\n".encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int((re.search(rb"(?i)content-length: (\d+)", answer) or [0, 0])[1])
        return int(answer.split(b" ")[1]), await self.reader.readexactly(length)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")
