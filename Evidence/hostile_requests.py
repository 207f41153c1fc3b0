"""The contract of `Evidence/hostile`, and its requests."""

import json

CONTRACT = r"""
openapi: 3.1.0
info: {title: Hostile, version: "1"}
paths:
  /hours:
    get: {operationId: hours, responses: {"200": {description: d, content: {application/json: {schema: true}}}}}
  /slow:
    get: {operationId: slow, responses: {"200": {description: d, content: {application/json: {schema: true}}}}}
  /pets:
    post:
      operationId: addPet
      requestBody:
        content:
          application/json: {schema: {type: object, properties: {name: {type: string, maxLength: 9}}}}
          application/x-www-form-urlencoded: {schema: {type: object, properties: {name: {type: string}}}}
          multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}}}}
      responses: {"201": {description: d}, "422": {description: d}}
  /items: {post: {requestBody: {$ref: "#/components/requestBodies/Items"}, responses: {"200": {description: d}}}}
  /names: {post: {requestBody: {$ref: "#/components/requestBodies/Names"}, responses: {"200": {description: d}}}}
  /twice: {post: {requestBody: {$ref: "#/components/requestBodies/Twice"}, responses: {"200": {description: d}}}}
  /deep:
    get:
      operationId: deep
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/D24"}}}}}
components:
  requestBodies:
    Items: {content: {application/json: {schema: {type: array, items: {type: string, pattern: '^(\w+\s?)*$'}}}}}
    Names:
      content:
        application/json:
          schema: {type: object, propertyNames: {pattern: '^(\w+\s?)*$'}, patternProperties: {'^(\w+\s?)*$': {}}}
    Twice: {content: {application/json: {schema: {$ref: "#/components/schemas/T24"}}}}
  schemas:
    T0: {type: object}
    D0: {type: string}
""" + "".join(
    f'    T{n}: {{allOf: [{{$ref: "#/components/schemas/T{n - 1}"}}, {{$ref: "#/components/schemas/T{n - 1}"}}]}}\n'
    f'    D{n}: {{type: object, required: [p, q], properties: {{p: {{$ref: "#/components/schemas/D{n - 1}"}}, '
    f'q: {{$ref: "#/components/schemas/D{n - 1}"}}}}}}\n'
    for n in range(1, 25)
)


def request(line, *fields, body=b""):
    return b"\r\n".join([line + b" HTTP/1.1", b"Host: t", *fields, b"", body])


BODY = b'{"name":"a"}'
LAST = b"\r\n0\r\n\r\n"
HIDDEN = request(b"GET /hidden")
HOURS = request(b"GET /hours", b"Connection: close")


def pet(*fields, body=BODY):
    return request(b"POST /pets", b"Content-Type: application/json", *fields, body=body)


def frames():
    """Requests of which readers could see the end, or the parts, in different places; each is to be refused."""
    for length in (
        b"+12", b"-12", b"0x0c", b"1 2", b"12,13", b"12;", b"", b"twelve", "\uff11".encode(), b"9" * 30, b"12\x0b",
        b"12\r\nContent-Length: 13", b"0\r\nContent-Length: 12", b"1e1", b"12.0", b"\x0012", b"12\x00",
    ):
        yield pet(b"Content-Length: " + length, body=BODY + HIDDEN)
    for coding in (
        b"xchunked", b"identity", b"chunked, identity", b"chunked, chunked", b"chunked;q=1", b"gzip", b"\x0bchunked",
        b"chunked\x00", b'"chunked"', b"chunk", b"", b",", b"chunked\r\nTransfer-Encoding: identity",
    ):
        for more in ((), (b"Content-Length: 12",)):
            yield pet(b"Transfer-Encoding: " + coding, *more, body=b"0\r\n\r\n" + HIDDEN)
    yield pet(b"Transfer-Encoding: chunked", b"Content-Length: 5", body=b"0\r\n\r\n" + HIDDEN)
    for field in (
        b"Transfer-Encoding : chunked", b"Transfer-Encoding\t: chunked", b" Transfer-Encoding: chunked",
        b"Content-Length : 12", b"X: a\r\n Content-Length: 12", b"X: a\rContent-Length: 12", b"X: a\x00b", b": a", b"X",
        b"Content\x00-Length: 12", b"X\xc3\xa9: a", b"Host: u", b"X: " + b"a" * 100_000, b"X: a\r\n" * 20_000 + b"X: a",
    ):
        yield pet(field, body=HIDDEN)
    for chunk in (
        b"g\r\n", b"-1\r\n", b"0xc\r\n" + BODY + LAST, b"F" * 17 + b"\r\n", b"\r\n", b"c\r\n" + BODY + LAST[2:],
        b"b\r\n" + BODY + LAST, b"c\n" + BODY + LAST.replace(b"\r", b""), b"c;a\nb\r\n" + BODY + LAST,
        b"c\r\r\n" + BODY + LAST,
    ):
        yield pet(b"Transfer-Encoding: chunked", body=chunk + HIDDEN)
    for line in (
        b"GET /hours RTSP/1.0", b"GET /hours HTTP/1.1 ", b"GET  /hours HTTP/1.1", b"GET\t/hours\tHTTP/1.1",
        b"GET /hours", b"GET /hours HTTP/2.0", b"GET /hours HTTP/1.10", b"GET /hours http/1.1", b"GET /ho urs HTTP/1.1",
        b" GET /hours HTTP/1.1", b"GET hours HTTP/1.1", b"GET /\x00 HTTP/1.1", b"G\xc3\x89T /hours HTTP/1.1", b"/hours",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1", b"PRI * HTTP/2.0", b"\x16\x03\x01\x02\x00\x01\x00\x01",
    ):
        yield line + b"\r\nHost: t\r\n\r\n"
    for hosts in (b"", b"Host: a b\r\n", b"Host: a\r\nHost: b\r\n", b"Host: a/b\r\n", b"Host: a@b\r\n"):
        yield b"GET /hours HTTP/1.1\r\n" + hosts + b"\r\n"


def unusual():
    """Requests with unusual framing that are right."""
    chunked = lambda coding, body: pet(b"Transfer-Encoding: " + coding, body=body)
    return (
        pet(b"Content-Length: 12"), pet(b"CONTENT-LENGTH:12 "), pet(b"Expect: 100-continue", b"Content-Length: 12"),
        chunked(b"chunked", b"C;a=b\r\n" + BODY + b"\r\n0\r\nX: a\r\n\r\n"), b"\r\n" + HOURS,
        chunked(b"chunked", b"c;" + b"a" * 100_000 + b"\r\n" + BODY + LAST),
        b"GET /hours HTTP/1.1\r\nHost: t \r\n\r\n", chunked(b"Chunked", b"00c\r\n" + BODY + b"\r\n00\r\n\r\n"),
    )


def valid():
    """Requests to change."""
    parts = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--b--\r\n'
    form = lambda kind, body: request(
        b"POST /pets", b"Content-Type: " + kind, b"Content-Length: %d" % len(body), body=body)
    return [
        request(b"GET /hours?a=b&c[d]=%20", b"Accept: application/json, */*;q=0.1", b"Cookie: a=b; c=d"),
        pet(b"Content-Length: 12"), pet(b"Transfer-Encoding: chunked", body=b"c\r\n" + BODY + LAST),
        form(b"application/x-www-form-urlencoded", b"name=a%20b"), form(b"multipart/form-data; boundary=b", parts),
        request(b"GET /hours", b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Key: AAAA"),
    ]


def costly():
    """Requests whose verdicts cost much: patterns that backtrack, and a schema of 16 million parts."""
    bad = ["ab " * 30 + f"{number}!" for number in range(210)]
    bodies = [(b"/items", bad), (b"/names", dict.fromkeys(bad, 1)), (b"/twice", 1), (b"/items", bad[:1])]
    return [
        request(b"POST " + path, b"Content-Type: application/json", b"Content-Length: %d" % len(text), body=text)
        for path, body in bodies for text in [json.dumps(body).encode()]
    ]


PIECES = [
    b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b";", b",", b"%", b"%00", b"\xff", b"-1", b"9" * 40, b"0", b"../",
    b"a" * 5000, b"[" * 2000, b"chunked", b"HTTP/1.1 ", b"?__code=999", b"?__seed=\xff", b"\r\nPrefer: code=999",
    b"\r\nContent-Length: 3", b"\r\nTransfer-Encoding: chunked", b"\r\nContent-Encoding: gzip",
    b"\r\nExpect: 100-continue",
]


def mutated(data, chance):
    """The bytes with one change."""
    at = chance.randrange(len(data) + 1)
    to = min(len(data), at + chance.choice((1, 1, 2, 8, 64)))
    kind = chance.randrange(6)
    if kind == 0:
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1:]
    if kind == 1:
        return data[:at] + data[to:]
    if kind == 2:
        return data[:at] + data[at:to] * chance.choice((2, 3, 200)) + data[to:]
    if kind == 3:
        return data[:at]
    return data[:at] + chance.choice(PIECES) + data[at if kind == 4 else to:]
