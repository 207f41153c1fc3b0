"""The ends of the wire of `Evidence/hostile`: the program under attack, a server behind it, and a client."""

import os
import re
import resource
import signal
import socket
import struct
import subprocess
import threading
import time

# Seconds for an answer and for an end: more than a machine under load needs, less than a client waits.
PATIENCE = 15
STOP = 10


class Program:
    """One `serve`, with the lines that it wrote."""

    def __init__(self, command, folder, *words, limits=()):
        def restrict():
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))

        self.lines, self.port = [], None
        self.process = subprocess.Popen(
            [command, "serve", os.path.join(folder, "hostile.yaml"), "--port", "0", "--quiet", "--no-watch",
             "--color", "never", *words],
            cwd=folder, preexec_fn=restrict, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(rb"listening on http://[^:/]+:(\d+)", line):
                self.port = int(found[1])
                break
        if not self.port:
            raise SystemExit(f"{command} did not start: {b''.join(self.lines).decode(errors='replace')}")
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self.reader.start()
        self.isStopped = False

    def is_alive(self):
        return self.process.poll() is None

    def stop(self):
        """Sends one SIGTERM (a second one ends it at once)."""
        if not self.isStopped and self.is_alive():
            self.process.send_signal(signal.SIGTERM)
        self.isStopped = True

    def end(self):
        """Waits for the end; returns the exit status, or None if it did not come in time."""
        self.stop()
        try:
            code = self.process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        self.reader.join(PATIENCE)
        return code


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


class Upstream:
    """A server that answers each request with what `answer(target)` returns: bytes, and whether it closes then."""

    def __init__(self):
        self.answer, self.targets = self.plain, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=500)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    @staticmethod
    def plain(target):
        if target.startswith(b"/slow"):
            time.sleep(0.2)
        return OK, False

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        received = b""
        with client:
            try:
                while True:
                    while b"\r\n\r\n" not in received:
                        received += some(client)
                    head, received = received.split(b"\r\n\r\n", 1)
                    if length := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head):
                        while len(received) < int(length[1]):
                            received += some(client)
                        received = received[int(length[1]):]
                    elif re.search(rb"(?i)\r\ntransfer-encoding:", head):
                        while not re.search(rb"(^|\r\n)0\r\n(.+\r\n)*\r\n$", received):
                            received += some(client)
                        received = b""
                    self.targets.append((head.split(b" ") + [b""])[1])
                    answer, isEnd = self.answer(self.targets[-1])
                    client.sendall(answer)
                    if isEnd:
                        return
            except (OSError, EOFError):
                return


def some(client):
    received = client.recv(65536)
    if not received:
        raise EOFError
    return received


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def answers(received):
    """The final answers that are whole in these bytes: statuses, and whether the connection is said to close."""
    found = []
    while match := re.match(rb"HTTP/1\.1 (\d{3})[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n", received):
        status, head, received = int(match[1]), match[0].lower(), received[match.end():]
        if status < 200:
            continue
        if length := re.search(rb"\r\ncontent-length: (\d+)", head):
            if len(received) < int(length[1]):
                break
            received = received[int(length[1]):]
        elif b"\r\ntransfer-encoding: chunked" in head:
            size = None
            while size != 0 and (line := re.match(rb"([0-9a-fA-F]+)\r\n", received)):
                size = int(line[1], 16)
                received = received[line.end() + size + 2 * (size > 0):]
            end = re.match(rb"(?:[^\r\n]+\r\n)*\r\n", received)
            if size != 0 or not end:
                break
            received = received[end.end():]
        found.append((status, b"\r\nconnection: close" in head))
    return found


def exchange(port, sent, isReset=False):
    """Sends bytes and the end of the connection; returns what came, and whether the server ended it as well."""
    received = b""
    try:
        with connect(port) as client:
            try:
                client.sendall(sent)
                if isReset:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return received, True
                client.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # The answer may be there before all was sent.
            while piece := client.recv(65536):
                received += piece
        return received, True
    except TimeoutError:
        return received, False
    except OSError:
        return received, True
