"""The requests of `Evidence/serving-differential`: valid ones of two contracts, damage to them, and preferences."""

import dataclasses
import gzip
import json
import urllib.parse
import zlib

# Only the last user is long enough for a secret that is recognised elsewhere, once a request has had it as its token.
# Where connections race, which request is the first depends on chance: they have the tokens of the others.
USERS = ["u1", "u2", "u3", "x4YzQ0qkVfR2mJtUcP8hLwB1nSd2"]
STATUSES = [200, 201, 202, 203, 204, 205, 400, 401, 404, 406, 415, 422, 500, 501, 503, 304, 999, 0]
MEANINGS = ["success", "penaltyFirst", "notRegistered", "unauthorized", "unknown-user", "alreadyMatched", "nonsense"]
EXAMPLES = ["empty", "fresh", "regular", "plain", "quoted", "none", "matched", "busyEvening", "waiting", "nothing",
            "größe"]
SHORT = USERS[:3]
PLACE = {"lat": "37.5", "long": "126.9"}

# Method, path, and the fields of a form; `U` stands for a user.
SLP = [
    ("GET", "/v1/user", None),
    ("POST", "/v1/user", {"phoneNumber": "+821012345678", "FCMtoken": "dXq3vR8kTn2:APA91b", "nick": "도토리",
                          "birth": "1997-03-21T00:00:00.000Z", "email": "dotori@example.com", "gender": "0"}),
    ("POST", "/v1/user/withdraw", None),
    ("PUT", "/v1/user/update_fcm_token", {"FCMtoken": "dXq3vR8kTn2:APA91b"}),
    ("PUT", "/v1/user/mypage", {"searchable": "1", "ageMin": "20", "ageMax": "35", "gender": "0", "study": "Swift"}),
    ("POST", "/v1/queue", {**PLACE, "studylist": ["Swift", "알고리즘"]}),
    ("DELETE", "/v1/queue", None),
    ("POST", "/v1/queue/search", PLACE),
    ("GET", "/v1/queue/myQueueState", None),
    ("POST", "/v1/queue/studyrequest", {"otheruid": "U"}),
    ("POST", "/v1/queue/studyaccept", {"otheruid": "U"}),
    ("POST", "/v1/queue/dodge", {"otheruid": "U"}),
    ("POST", "/v1/queue/rate/U", {"otheruid": "U", "reputation": list("110100"), "comment": "good & kind"}),
    ("POST", "/v1/chat/U", {"chat": "a&b=c+d 한글"}),
    ("GET", "/v1/chat/U?lastchatDate=2000-01-01T00:00:00.000Z", None),
    ("GET", "/v1/user/shop/myinfo", None),
    ("POST", "/v1/user/shop/item", {"sesac": "1", "background": "2"}),
    ("POST", "/v1/user/shop/ios", {"receipt": "MIIT0wYJ+/8=", "product": "com.memolease.sesac1.sprout1"}),
]
OPERATIONS = ["readUser", "signUp", "withdraw", "updateFCMToken", "updateMyPage", "joinQueue", "leaveQueue",
              "searchQueue", "readQueueState", "requestStudy", "acceptStudy", "dodgeStudy", "rateUser", "sendChat",
              "readChat", "readShopInfo", "wearItems", "buyItem", "findPets", "addPet", "readPet", "reservePet",
              "removePet", "addPhoto", "readHours"]
# Three megabytes that take three kilobytes.
ZEROS = gzip.compress(b"\0" * 3_000_000, mtime=0)
JSON_TYPE = ("Content-Type", "application/json")
FORM_TYPE = ("Content-Type", "application/x-www-form-urlencoded")


@dataclasses.dataclass
class Request:
    """One request. `isRisky` means that its response may break the connection."""

    method: str
    target: str
    fields: list
    body: bytes | None = None
    isChunked: bool = False
    isRisky: bool = False
    version: str = "1.1"

    def without(self, *names):
        self.fields = [field for field in self.fields if field[0].lower() not in names]
        return self

    def add_query(self, text):
        self.target += ("&" if "?" in self.target else "?") + text

    def encoded(self):
        fields = [("Host", "127.0.0.1"), *self.fields]
        if self.isRisky:
            fields.append(("Connection", "close"))
        body = self.body or b""
        if self.isChunked:
            fields.append(("Transfer-Encoding", "chunked"))
            middle = len(body) // 3
            pieces = [piece for piece in (body[:middle], body[middle:], b"") if piece] + [b""]
            body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
        elif self.body is not None and not any(name == "Content-Length" for name, _ in fields):
            fields.append(("Content-Length", str(len(body))))
        head = f"{self.method} {self.target} HTTP/{self.version}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
        # Surrogates stand for bytes that are not UTF-8.
        return head.encode(errors="surrogateescape") + body


@dataclasses.dataclass
class Cut:
    """The beginning of a request."""

    request: Request
    length: int

    def encoded(self):
        return self.request.encoded()[:self.length]


def slp(chance, operations=SLP, tokens=USERS):
    """A valid request of specs/slp.yaml."""
    method, path, form = chance.choice(operations)
    user = chance.choice(USERS)
    fields = [("idtoken", chance.choice(tokens))]
    request = Request(method, path.replace("U", user) if "/U" in path else path, fields)
    if form is not None:
        pairs = {name: user if value == "U" else value for name, value in form.items()}
        request.body = urllib.parse.urlencode(pairs, doseq=True).encode()
        request.fields.append(FORM_TYPE)
    return request


def petstore(chance):
    """A valid request of specs/petstore.yaml."""
    kind, number = chance.randrange(8), chance.choice([1, 2, 3, 7, 8, 9, 12, 99])
    pet = {"name": chance.choice(["Rex", "Mia", "é", "x" * 40]), "kind": chance.choice(["dog", "cat", "fish"])}
    if chance.random() < 0.5:
        pet["tags"] = chance.sample(["calm", "indoor", "loud"], chance.randrange(3))
    key, owner = ("X-Api-Key", "k"), ("Authorization", "Basic b3duZXI6cHc=")
    if kind == 0:
        query = chance.choice(["", "?status=sold&status=available", "?tags=calm,indoor", "?limit=2",
                               "?limit=1&offset=1", "?status=reserved&limit=100"])
        return Request("GET", "/api/pets" + query, [("Accept-Language", "de")])
    if kind == 1:
        return Request("POST", "/api/pets", [key, JSON_TYPE], json.dumps(pet).encode())
    if kind == 2:
        return Request("GET", f"/api/pets/{number}", [("If-None-Match", '"x"')] if chance.random() < 0.1 else [])
    if kind == 3:
        return Request("POST", f"/api/pets/{number}", [FORM_TYPE],
                       b"customer=Ann&until=2024-02-29&extras=leash&extras=bowl")
    if kind == 4:
        reason = ("X-Reason", chance.choice(["sold", "returned", "mistake"]))
        return Request("DELETE", f"/api/pets/{number}", [owner, reason])
    if kind == 5:
        return Request("POST", f"/api/pets/{number}/photos", [key, ("Content-Type", "multipart/form-data; boundary=b")],
                       multipart(chance))
    return Request("GET", "/api/hours", [("Accept", "application/json")]) if kind == 6 else Request("GET", "/", [])


def multipart(chance):
    parts = [b'Content-Disposition: form-data; name="photo"; filename="a"\r\nContent-Type: image/png\r\n\r\n\x89PNG\0',
             b'Content-Disposition: form-data; name="caption"\r\n\r\n' + b"c" * chance.choice([3, 141])]
    chance.shuffle(parts)
    parts = parts[:chance.choice([1, 2, 2, 2])]
    return b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + chance.choice([b"--b--\r\n", b"--b--", b""])


def either(chance, tokens=USERS):
    return petstore(chance) if chance.random() < 0.4 else slp(chance, tokens=tokens)


# Damage, each to a request that was valid.


def no_credential(chance, request):
    request.without("idtoken", "x-api-key", "authorization")
    if chance.random() < 0.5:
        request.fields.append(("Authorization", chance.choice(["Bearer x", "Basic !!", "Basic", "b3", "Digest a=b"])))


def other_path(chance, request):
    path, mark, query = request.target.partition("?")
    path = chance.choice([path + "/", "/" + path, path.upper(), path[:-1] or "/", path.replace("/v1", ""), "/nix",
                          path + "/x", path.replace("user", "usr"), "/v1/", "*", "/~", "/~a b", "/v1/chat/",
                          path.replace("/", "//")])
    request.target = path + mark + query


def odd_target(chance, request):
    request.target += chance.choice(["/\udcff", "/%FF", "/%00", "/%zz", "/é", "?q=\udcc3", "?%FF=1", "#a", "/..",
                                     "/%2e%2e/user", "?a=%F0%9F%98%80", "?=", "?&&", "/%2F", "?lastchatDate=%ED%A0%80",
                                     "?" + "q=1&" * 300])


def other_method(chance, request):
    request.method = chance.choice(["PATCH", "PUT", "TRACE", "PROPFIND", "BREW", "get", "DELETE", "HEAD", "OPTIONS",
                                    "POST"])


def preflight(chance, request):
    request.method = "OPTIONS"
    request.fields += [("Origin", "https://a.example")]
    if chance.random() < 0.8:
        request.fields += [("Access-Control-Request-Method", chance.choice(["GET", "POST", "PATCH", "x y"])),
                           ("Access-Control-Request-Headers", "idtoken, x-other")]


def accept(chance, request):
    request.fields.append(("Accept", chance.choice(
        ["text/csv", "image/png", "application/json;q=0", "*/*;q=0.1", "text/*", "text/plain, text/html;q=0.5", "",
         ";;", "application/xml, application/json;q=0.001", "TEXT/HTML", "application/problem+json"])))


def other_type(chance, request):
    request.without("content-type")
    if chance.random() < 0.8:
        request.fields.append(("Content-Type", chance.choice(
            ["text/plain", "application/xml", "garbage", "application/json; charset=utf-16", "multipart/form-data",
             "application/json", "application/x-www-form-urlencoded; charset=x", "application/vnd.a+json", ";"])))


def other_body(chance, request):
    body = request.body or b"{}"
    request.body = chance.choice([
        b"", body[:-1], body[: len(body) // 2], body + b"&" + body, b"[" * 2000, b"NaN", b"\xff\xfe",
        b"\xef\xbb\xbf" + body, body.replace(b"Swift", b"%ff"), body.replace(b"1", b"one"),
        body.replace(b"studylist", b"studylist%5B%5D"),
        b'{"name":1,"kind":"dragon","tags":["a","a"],"born":"2024-02-30"}', b'{"name":"a","name":"b","kind":"cat"}',
        b"null", b"[]", b"a=%zz", b"=&=", b"{}", body.replace(b"=", b""),
        b'{"name":"' + b"x" * 41 + b'","kind":"dog"}'])


def long_body(chance, request):
    size = chance.choice([3_000] * 20 + [9_000] * 10 + [70_000] * 2 + [1_500_000])
    request.method, request.target = chance.choice([("POST", "/api/pets"), ("POST", "/v1/chat/u1"),
                                                    ("GET", "/v1/user")])
    isPet = "pets" in request.target
    request.body = b'{"name":"a","kind":"dog","x":"' + b"x" * size + b'"}' if isPet else b"chat=" + b"y" * size
    request.without("content-type").fields.append(JSON_TYPE if isPet else FORM_TYPE)


def coded_body(chance, request):
    body = request.body or b"{}"
    packed = gzip.compress(body, mtime=0)
    coding, request.body = chance.choice([
        ("gzip", packed), ("gzip", packed[:-5]), ("gzip", body), ("deflate", zlib.compress(body)), ("br", body),
        ("x", body), ("gzip, gzip", gzip.compress(packed, mtime=0)), ("identity", body), ("gzip", packed + packed),
        ("gzip", ZEROS)])
    request.fields.append(("Content-Encoding", coding))


def odd_fields(chance, request):
    odd = chance.choice([
        [("Origin", "https://a.example")], [("Cookie", "a=b; c=\"d\"; ;")], [("X-Long", "v" * 9000)],
        [("X-Latin", "\udce9")], [("Range", "bytes=0-3")], [("Expect", "100-continue")],
        [("idtoken", "a"), ("idtoken", "b")], [("Accept-Language", "x_")],
        [("Upgrade", "h2c"), ("Connection", "Upgrade")], [("X-Reason", "none")],
        [("X-Reason", "sold"), ("X-Reason", "sold")], [("Content-Length", "3")], [("Transfer-Encoding", "gzip")],
        [("X-Api-Key", "")], [("Understudy-Lane", "a/b")], [("Connection", "close")], [("Bad Name", "x")],
        [("Expect", "200-ok")], [("Host", "other.example")]])
    request.fields += odd
    # The server may wait for more, or end the connection.
    request.isRisky |= odd[0][0] in ("Content-Length", "Transfer-Encoding", "Upgrade", "Expect")


def chunked(chance, request):
    request.body, request.isChunked = request.body or b"", True


def old_version(chance, request):
    request.version = chance.choice(["1.0", "1.0", "1.1", "2.0", "0.9"])


def query_twins(chance, request):
    name = chance.choice(["__code", "__example", "__dynamic", "__seed", "__status", "__kode"])
    request.add_query(urllib.parse.urlencode({name: chance.choice(STATUSES + MEANINGS + EXAMPLES + ["true", ""])}))


def wrong_values(chance, request):
    request.target = chance.choice([
        "/api/pets?status=gone", "/api/pets?limit=0", "/api/pets?limit=1e2", "/api/pets?tags=a,a", "/api/pets?status=",
        "/api/pets/0", "/api/pets/x", "/api/pets/9223372036854775808", "/api/pets/1.0",
        "/v1/chat/u1?lastchatDate=yesterday", "/v1/chat/u1", "/v1/chat/u1?lastchatDate=2022-12-06T00:00:00.000+0900",
        "/v1/chat/u1?lastchatDate=2000-01-01T00:00:00Z&x=1"])
    request.method, request.body, request.isChunked = "GET", None, False


DAMAGE = [no_credential, other_path, odd_target, other_method, preflight, accept, other_type, other_body, other_body,
          coded_body, odd_fields, chunked, old_version, query_twins, wrong_values, long_body]


def damaged(chance, request, most=2):
    """The request with up to `most` kinds of damage."""
    for damage in chance.choices(DAMAGE, k=chance.randrange(most + 1)):
        damage(chance, request)
    return request


# Preferences.


def preferences(chance):
    """Names and values of preferences, known and unknown."""
    known = {
        "code": lambda: chance.choice(STATUSES[:-4] + MEANINGS + ["4XX", "default"]),
        "example": lambda: chance.choice(EXAMPLES),
        "dynamic": lambda: chance.choice(["true", "false", ""]),
        "seed": lambda: chance.choice([0, 7, "abc", -1, ""]),
        "delay": lambda: chance.choice(["5ms", "1ms..8ms", "0", "2h", "soon"]),
        "kode": lambda: 404, "respond-async": lambda: "", "wait": lambda: 10}
    names = chance.sample(list(known), chance.choice([1, 1, 2, 3]))
    return {name: known[name]() for name in names}


def preferred(chance, request):
    """Adds preferences to a request, in one of their forms."""
    wanted, form = preferences(chance), chance.randrange(4)
    if form == 0:
        request.add_query(urllib.parse.urlencode({"__" + name: value for name, value in wanted.items()}))
    elif form == 1:
        fields = [("x-mock-response-code", wanted.get("code", 401)),
                  ("x-mock-response-name", wanted.get("example", "empty"))]
        request.fields += fields[:chance.choice([1, 2])]
    elif form == 2:
        request.fields += [("Prefer", f"{name}={value}") for name, value in wanted.items()]
    else:
        request.fields.append(("Prefer", ", ".join(f'{name}="{value}"' for name, value in wanted.items())))
    return request


FAULTS = ["delay:5ms", "delay:1ms..9ms", "delay:lognormal:5ms:0.4", "stall:10ms", "bandwidth:100k", "drip:60ms",
          "truncate", "wrong-length:1", "wrong-length:-1", "bad-chunk", "garbage", "html", "invalid-utf8",
          "duplicate-headers", "conflicting-headers"]
FAULTS += [f"{kind}{moment}" for kind in ("close", "reset", "hang")
           for moment in ("", ":start", ":head", ":after-head", ":body", ":end")]
CONDITIONS = ["", "@first:2", "@after:3", "@flap:3:2", "@20%", "@0s..10m", "@10m..20m", "@50%@after:1"]


def fault(chance):
    """A fault, of which those that hang are rare because each takes long."""
    text = chance.choice(FAULTS)
    if text.startswith("hang") and chance.random() < 0.8:
        return "truncate"
    return text + ("+delay:2ms" if chance.random() < 0.1 and "delay" not in text else "")
