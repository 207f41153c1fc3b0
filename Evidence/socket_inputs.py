"""Hostile bytes for `Evidence/socket-fuzz`, and what a reader of RFC 6455 must make of them."""

import codecs
import json
import struct

from socket_wire import BINARY, CLOSE, PING, PONG, TEXT, frame, head

LIMIT = 100_000
WORDS = ["", "a", "안녕 😀", '{"type":"ping"}', "[]", "null", "\u0000", "2probe", "x" * 125, "x" * 126, "x" * 70_000]


def mutated(chance, data):
    """The bytes with a few random changes."""
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 4, 8])):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = chance.choice([0, 1, 0x7D, 0x7E, 0x7F, 0x80, 0xC0, 0xFF, chance.randrange(256)])
        elif kind == 2:
            del data[at:at + chance.choice([1, 1, 2, 8, 100])]
        elif kind == 3:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.choice([1, 1, 2, 8])))
        elif kind == 4:
            part = data[at:at + chance.randrange(1, 40)]
            data[at:at] = part
        else:
            del data[at:]
    return bytes(data)


def pieces(chance, data):
    """The same bytes, cut at random places."""
    if chance.random() < 0.3:
        return [data]
    cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.choice([1, 2, 5])))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)]) if a < b]


# Frames.


def valid_frames(chance):
    """A conversation of a client that keeps to RFC 6455."""
    found = b""
    for _ in range(chance.randrange(1, 6)):
        mask = bytes(chance.randrange(256) for _ in range(4))
        kind = chance.randrange(6)
        if kind == 0:
            found += frame(chance.choice(WORDS)[:125].encode()[:125], PING, mask=mask)
        elif kind == 1:
            found += frame(bytes(chance.randrange(256) for _ in range(chance.randrange(200))), BINARY, mask=mask)
        elif kind == 2:
            text = chance.choice(WORDS).encode()
            cuts = sorted(chance.randrange(len(text) + 1) for _ in range(chance.randrange(1, 4)))
            parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])]
            for number, part in enumerate(parts):
                found += frame(part, TEXT if number == 0 else 0, 0x80 if number == len(parts) - 1 else 0, mask)
                if chance.random() < 0.3:
                    found += frame(b"between", chance.choice([PING, PONG]), mask=mask)
        else:
            found += frame(chance.choice(WORDS), mask=mask)
    if chance.random() < 0.3:
        code = chance.choice([1000, 1001, 1003, 1007, 1011, 3000, 4999, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000])
        found += frame(struct.pack(">H", code) + chance.choice([b"", b"bye", "끝".encode(), b"\xff"]), CLOSE)
    return found


def read(data, limit=LIMIT):
    """What a server makes of the bytes: messages, payloads of pings, and the code that it closes with or None.

    A close code of 0 is a close frame without a code.
    """
    messages, pings, message, at = [], [], None, 0
    while len(data) - at >= 2:
        first, second = data[at], data[at + 1]
        opcode, isFinal, length = first & 15, first & 0x80, second & 0x7F
        if first & 0x70 or opcode not in (0, TEXT, BINARY, CLOSE, PING, PONG) or not second & 0x80:
            return messages, pings, 1002
        if opcode >= 8 and (not isFinal or length > 125):
            return messages, pings, 1002
        start = at + 2
        if length >= 126:
            size = 2 if length == 126 else 8
            if len(data) < start + size:
                break
            length = int.from_bytes(data[start:start + size], "big")
            start += size
            # RFC 6455, 5.2: the fewest bytes, and a highest bit of 0.
            if length < (126 if size == 2 else 65536) or length >> 63:
                return messages, pings, 1002
        if length > limit:
            return messages, pings, 1009
        if len(data) < start + 4 + length:
            break
        mask, at = data[start:start + 4], start + 4 + length
        payload = bytes(byte ^ mask[index & 3] for index, byte in enumerate(data[start + 4:at])) if any(mask) else data[start + 4:at]
        if opcode == CLOSE:
            return messages, pings, closed(payload)
        if opcode == PING:
            pings.append(payload)
        if opcode >= 8:
            continue
        if (opcode == 0) == (message is None):
            return messages, pings, 1002
        if opcode:
            message, whole, reader = opcode, b"", codecs.getincrementaldecoder("utf-8")()
        if len(whole) + length > limit:
            return messages, pings, 1009
        whole += payload
        if message == TEXT:
            try:
                reader.decode(payload, bool(isFinal))
            except UnicodeDecodeError:
                return messages, pings, 1007
        if isFinal:
            messages.append((message, whole))
            message = None
    return messages, pings, None


def closed(payload):
    """The code that answers a close frame with this payload (RFC 6455, 7.4)."""
    if not payload:
        return 0
    if len(payload) == 1:
        return 1002
    code = int.from_bytes(payload[:2], "big")
    if not (code in (1000, 1001, 1002, 1003) or 1007 <= code <= 1014 or 3000 <= code <= 4999):
        return 1002
    try:
        payload[2:].decode()
    except UnicodeDecodeError:
        return 1007
    return code


# Packets.

VALID = ["40/admin,", '42["message",1]', '420["message",{"a":[1,2]}]', '42["other","안녕 😀"]', "430[]", "41",
         '42["message",' + "[" * 200 + "]" * 200 + "]"]
PACKETS = [*VALID, "40", '40/admin,{"token":"a"}', "41/admin,", '42/admin,["message"]',
           '43["a"]', '430["a"]', '44{"message":"no"}', '451-["message",{"_placeholder":true,"num":0}]',
           '461-7[{"_placeholder":true,"num":0}]', '42["connect"]', "42{}", "4", "42", '4211-["a"]', "40{", "2", "3", "1", "6", "0{}",
           "5", "2probe", '42["message",1e999]', '42["\\ud800"]']


def packets(chance):
    """Messages of a client of Socket.IO: some packets, of which one may be changed."""
    found = [chance.choice(VALID if chance.random() < 0.9 else PACKETS) for _ in range(chance.randrange(1, 6))]
    if chance.random() < 0.8:
        at = chance.randrange(len(found))
        found[at] = mutated(chance, found[at].encode()).decode(errors="replace")
    if chance.random() < 0.2:
        found.insert(chance.randrange(len(found) + 1), bytes(chance.randrange(256) for _ in range(chance.randrange(20))))
    return [frame(item, BINARY if isinstance(item, bytes) else TEXT) for item in found]


def payloads(chance, version):
    """Bodies of POST of the polling transport."""
    found = [chance.choice(VALID if chance.random() < 0.9 else PACKETS) for _ in range(chance.randrange(1, 20))]
    if version == 4:
        body = "\x1e".join(found).encode()
    else:
        body = "".join(f"{len(item.encode('utf-16-le')) // 2}:{item}" for item in found).encode()
    if chance.random() < 0.05:
        body += b"4" * (LIMIT + 1)
    return body if chance.random() < 0.2 else mutated(chance, body)


# The list of bad input: a name, bytes after the handshake of `/ws`, and the code that must answer them.

BAD = [
    ("a frame without a mask", frame("a", mask=b""), 1002),
    ("a frame of 1 GB", head(1 << 30) + bytes(4), 1009),
    ("the same with 4 MB of it", head(1 << 30) + bytes(4_000_000), 1009),
    ("a frame of 2^63 bytes", head(1 << 63) + bytes(4), 1002),
    ("a text that is not UTF-8", frame(b"\xff\xfe"), 1007),
    ("a text that ends within a character", frame("끝".encode()[:2]), 1007),
    ("a control frame of 126 bytes", frame(bytes(126), PING), 1002),
    ("a control frame in fragments", frame(b"a", PING, 0), 1002),
    ("a compressed frame (RSV1)", frame("a", first=0xC0), 1002),
    ("a reserved opcode", frame("a", 3), 1002),
    ("a length in more bytes than it needs", b"\x81\xfe\0\5\0\0\0\0aaaaa", 1002),
    ("a continuation of nothing", frame("a", 0), 1002),
    ("a message within another", frame("a", first=0) + frame("b"), 1002),
    ("fragments over the limit", frame(bytes(60_000), BINARY, 0) + frame(bytes(60_000), 0), 1009),
    ("a close frame of one byte", frame(b"a", CLOSE), 1002),
    ("a close frame with the code 1005", frame(struct.pack(">H", 1005), CLOSE), 1002),
]
