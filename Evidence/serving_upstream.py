"""The upstream of `Evidence/serving-differential`: what it answers follows from the field `X-Upstream` of a request."""

import re
import socket
import threading

USER = b'{"uid":"u1","nick":"n"}'
# Heads and bodies; None for the body ends the connection without a response.
ANSWERS = {
    b"ok": (b"200 OK\r\nContent-Type: application/json", b'{"payload":[]}'),
    b"invalid": (b"200 OK\r\nContent-Type: application/json", USER),
    b"text": (b"200 Fine\r\nContent-Type: text/html; charset=utf-8", b"success"),
    b"501": (b"501 Not Implemented\r\nContent-Type: text/html", b"client error"),
    b"401": (b"401 Unauthorized\r\nContent-Type: text/html\r\nWWW-Authenticate: Basic", b"Firebase token error"),
    b"undocumented": (b"418 Teapot\r\nContent-Type: text/plain", b"tea"),
    b"cookie": (b"302 Found\r\nLocation: /v1/user\r\nSet-Cookie: a=b; Path=/v1; Domain=127.0.0.1", b""),
    b"empty": (b"204 No Content", b""),
    b"cached": (b'304 Not Modified\r\nETag: "a"', b""),
    b"malformed": (b"2OO", b""),
    b"cut": (b"200 OK\r\nContent-Type: application/json\r\nContent-Length: 99", b"{"),
    b"close": (None, None),
    b"stream": (b"200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked",
                b"9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n"),
    b"chunked": (b"200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n"),
    b"long": (b"200 OK\r\nContent-Type: application/json", b'{"payload":["' + b"x" * 100_000 + b'"]}'),
}
ENDS = {b"malformed", b"cut", b"close"}


class Upstream:
    """A server without state, so that two programs can share it."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        stream = client.makefile("rb")
        with client, stream:
            try:
                while head := read_request(stream):
                    wanted = re.search(rb"(?i)\r\nx-upstream: *([^\r]*)", head)
                    name = wanted[1] if wanted and wanted[1] in ANSWERS else b"ok"
                    client.sendall(response(name, head.startswith(b"HEAD ")))
                    if name in ENDS:
                        return
            except OSError:
                return


def read_request(stream):
    """The head of the next request, whose body is read as well."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return b""
        head += line
    if length := re.search(rb"(?i)\r\ncontent-length: *(\d+)", head):
        stream.read(int(length[1]))
    elif re.search(rb"(?i)\r\ntransfer-encoding:", head):
        while size := int(stream.readline().split(b";")[0] or b"0", 16):
            stream.read(size + 2)
        while stream.readline().strip():
            pass
    return head


def response(name, isHead):
    head, body = ANSWERS[name]
    if head is None:
        return b""
    if body is not None and not re.search(rb"(?i)length|chunked|^204|^304", head):
        head += b"\r\nContent-Length: %d" % len(body)
    return b"HTTP/1.1 " + head + b"\r\n\r\n" + (b"" if isHead else body)
