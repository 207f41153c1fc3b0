import UnderstudyTestSupport

/// Random sessions of two users with a backend of `specs/slp.yaml` that remembers them, with requests among them that break
/// the contract, with the sockets of both and a stream.
enum SLPSessions {
  /// The contract with a stream of the messages.
  static func contract() throws -> String {
    try Project.text("specs/slp.yaml").replacing(
      "\npaths:\n",
      with: """

        paths:
          /feed:
            get:
              operationId: readFeed
              responses: {"200": {description: Messages., content: {text/event-stream: {schema: {type: string}}}}}

        """)
  }

  static func start() throws -> PythonServer { try PythonServer(PythonServer.handler(backend)) }

  /// The backend: users by their tokens, a queue, a chat between the two, a shop.
  private static let backend = #"""
    import datetime
    users, queue, messages, penalties, count, sockets = {}, set(), [], {}, [0], {}
    now = [datetime.datetime(2022, 12, 6, 10, 58, 41)]

    def text(self, status, line): self.answer(status, line.encode(), Content_Type="text/html; charset=utf-8")
    def data(self, value, status=200):
        self.answer(status, json.dumps(value, ensure_ascii=False).encode(), Content_Type="application/json; charset=utf-8")
    def do(self):
        import datetime, urllib.parse
        if self.path.startswith("/socket.io/"): return self.socket()
        sent = self.body()
        form = dict(urllib.parse.parse_qsl(sent.decode("utf-8", "replace"), keep_blank_values=True))
        lists = urllib.parse.parse_qs(sent.decode("utf-8", "replace"), keep_blank_values=True)
        me = self.headers.get("idtoken")
        path = self.path.split("?")[0][3:]
        query = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
        if me not in ("token-of-alice", "token-of-bob"): return self.text(401, "Firebase Token Error")
        self.now[0] += datetime.timedelta(seconds=1)
        if (self.command, path) == ("POST", "/user"):
            if any(name not in form for name in ("phoneNumber", "FCMtoken", "nick", "birth", "email", "gender")):
                return self.text(501, "client error")
            if form["nick"] == "고래밥": return self.text(202, "invalid nickname")
            if me in self.users: return self.text(201, "already registered")
            self.users[me] = form
            return self.text(200, "success")
        if me not in self.users: return self.text(406, "not registered")
        if path == "/user" and self.command == "GET": return self.profile(me)
        if path == "/feed":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for m in self.messages: self.wfile.write(b"data: " + json.dumps(m).encode() + b"\n\n")
            self.close_connection = True
            return
        if path == "/user/update_fcm_token":
            if not form.get("FCMtoken"): return self.text(501, "client error")
            self.users[me]["FCMtoken"] = form["FCMtoken"]
            return self.text(200, "success")
        if path == "/queue":
            if self.command == "DELETE":
                if me not in self.queue: return self.text(201, "matched already")
                self.queue.discard(me)
                self.penalties[me] = self.penalties.get(me, 0) + 1
                return self.text(200, "success")
            if "studylist" not in lists or "lat" not in form or "long" not in form: return self.text(501, "client error")
            if self.penalties.get(me, 0) > 1: return self.text(203, "penalty of 1 minute")
            self.queue.add(me)
            return self.text(200, "success")
        if path == "/queue/myQueueState":
            if me not in self.queue: return self.text(201, "normal state")
            other = [user for user in self.queue if user != me]
            if not other: return self.data({"dodged": 0, "matched": 0, "reviewed": 0})
            return self.data({"dodged": 0, "matched": 1, "reviewed": 0, "matchedNick": self.users[other[0]]["nick"],
                              "matchedUid": "hT5wKq9ZrXb3NfUe7LmYc1VsDg42"})
        if path.startswith("/chat/"):
            if self.command == "GET":
                seen = [m for m in self.messages if m["createdAt"] > query.get("lastchatDate", "")]
                return self.data({"payload": seen})
            if "chat" not in form: return self.text(501, "client error")
            if len(self.queue) < 2: return self.text(201, "not matched")
            self.count[0] += 1
            message = {"_id": "638f20617d2e4a90c5b8%04x" % self.count[0], "to": path[6:], "from": me[-5:],
                       "chat": form["chat"], "createdAt": self.now[0].isoformat(timespec="milliseconds") + "Z"}
            self.messages.append(message)
            if path[6:] in self.sockets: self.send(self.sockets[path[6:]], "42" + json.dumps(["chat", message]))
            return self.data(message)
        self.text(404, "what is " + path)
    do_GET = do_POST = do_PUT = do_DELETE = do
    def send(self, file, text):
        body = text.encode()
        size = bytes([len(body)]) if len(body) < 126 else b"\x7e" + len(body).to_bytes(2, "big")
        file.write(b"\x81" + size + body)
        file.flush()
    def socket(self):
        import base64, hashlib
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"),
            ("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())):
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        self.send(self.wfile, '0{"sid":"a1","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":100000}')
        while len(head := self.rfile.read(2)) == 2 and head[0] != 0x88:
            mask = self.rfile.read(4)
            text = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(head[1] & 127))).decode()
            if text == "40": self.send(self.wfile, '40{"sid":"b1"}')
            elif text.startswith("42"):
                self.sockets[json.loads(text[text.index("["):])[1]] = self.wfile
                self.send(self.wfile, "43" + text[2:text.index("[")] + '["joined"]')
    def profile(self, me):
        user = self.users[me]
        self.data({"_id": "637c8d6cd3dd5d2b65b5c0a1", "__v": 0, "uid": "uid-" + me[-5:], "phoneNumber": user["phoneNumber"],
            "email": user["email"], "FCMtoken": user["FCMtoken"], "nick": user["nick"], "birth": user["birth"],
            "gender": int(user["gender"]), "study": "anything", "comment": [], "reputation": [0] * 9, "sesac": 0,
            "sesacCollection": [0], "background": 0, "backgroundCollection": [0], "purchaseToken": [""],
            "transactionId": [""], "reviewedBefore": [], "reportedNum": 0, "reportedUser": [], "dodgepenalty": 0,
            "dodgeNum": 0, "ageMin": 18, "ageMax": 65, "searchable": 1, "createdAt": "2022-11-22T08:50:20.711Z"})
    """#

  /// The steps of a session by a seed: method, path, token, form.
  private static let client = #"""
    import base64, http.client, json, random, socket, sys
    chance = random.Random(int(sys.argv[2]))
    where = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    def user(nick, *left_out):
        form = {"phoneNumber": "%2B821012345678", "FCMtoken": "dXq3vR8kTn2:APA91bGm0s4Yw7uLhQe1ZcKf", "nick": nick,
                "birth": "1997-03-21T00:00:00.000Z", "email": nick + "@example.com", "gender": "0"}
        return "&".join(f"{name}={value}" for name, value in form.items() if name not in left_out)
    steps = [
        ("POST", "/user", "%s", user("dotori")), ("POST", "/user", "%s", user("latte", "FCMtoken")),
        ("POST", "/user", "%s", user("latte", "nick", "gender")), ("POST", "/user", "%s", user("%EA%B3%A0%EB%9E%98%EB%B0%A5")),
        ("GET", "/user", "%s", ""), ("GET", "/user", "nobody", ""), ("PUT", "/user/update_fcm_token", "%s", "FCMtoken=dXq3vR8kTn3:APA91bGm0s4Yw7uLhQe1ZcKf"),
        ("PUT", "/user/update_fcm_token", "%s", ""), ("POST", "/queue", "%s", "lat=37.5&long=126.9&studylist=Swift"),
        ("POST", "/queue", "%s", "lat=37.5&long=126.9&studylist=Swift"), ("POST", "/queue", "%s", "lat=37.5&long=126.9&studylist[]=Swift"),
        ("POST", "/queue", "%s", "lat=37.5"), ("DELETE", "/queue", "%s", ""), ("GET", "/queue/myQueueState", "%s", ""),
        ("GET", "/queue/myQueueState", "%s", ""), ("POST", "/chat/partner", "%s", "chat=hello"),
        ("POST", "/chat/partner", "%s", "chat=late"), ("POST", "/chat/partner", "%s", "text=hello"),
        ("POST", "/chat/other", "%s", "chat=c%2B%2B"), ("POST", "/chat/other", "%s", "chat=c%2B%2B"),
        ("GET", "/chat/partner?lastchatDate=2000-01-01T00:00:00.000Z", "%s", ""),
        ("GET", "/chat/partner?lastchatDate=2022-12-06T10:58:59.000Z", "%s", ""),
        ("GET", "/feed", "%s", ""), ("JOIN", "partner", "", ""), ("JOIN", "other", "", ""),
    ]
    class Socket:
        def __init__(self):
            self.connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
            self.file = self.connection.makefile("rwb")
            self.joins = 0
            self.file.write(b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")
            self.file.flush()
            while self.file.readline().strip(): pass
            self.read()
            self.send("40")
            self.read()
        def send(self, text):
            self.file.write(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text.encode())
            self.file.flush()
        def read(self):
            head = self.file.read(2)
            size = head[1] if head[1] < 126 else int.from_bytes(self.file.read(2), "big")
            return self.file.read(size).decode()
        def join(self, name):
            self.joins += 1
            self.send(f'42{self.joins}["changesocketid","{name}"]')
            return self.read()
    sockets = {}
    # Every session has these: a request that breaks the contract and is refused for another reason, two users, a socket with
    # an event, a stream that grows by an equal message, a 401 in the middle.
    queue, chat, feed = "lat=37.5&long=126.9&studylist=Swift", "chat=c%2B%2B", ("GET", "/feed", "token-of-bob", "")
    sure = {1: ("POST", "/queue", "token-of-alice", "lat=37.5"), 2: ("POST", "/user", "token-of-alice", user("dotori")), 3: ("POST", "/user", "token-of-bob", user("latte")),
            4: ("POST", "/queue", "token-of-alice", queue), 5: ("POST", "/queue", "token-of-bob", queue),
            6: ("JOIN", "partner", "", ""), 7: ("POST", "/chat/partner", "token-of-alice", chat), 8: feed,
            9: ("POST", "/chat/partner", "token-of-alice", chat), 10: feed, 20: ("GET", "/user", "nobody", "")}
    for number in range(40):
        method, path, token, form = sure.get(number) or chance.choice(steps)
        if method == "JOIN":
            if path not in sockets: sockets[path] = Socket()
            print(number, "join", path, "->", sockets[path].join(path))
            continue
        token = token.replace("%s", chance.choice(["token-of-alice", "token-of-bob"]))
        fields = {"idtoken": token}
        if form: fields["Content-Type"] = "application/x-www-form-urlencoded"
        where.request(method, "/v1" + path, form or None, fields)
        answer = where.getresponse()
        body = answer.read().decode()
        kind = answer.headers.get("Content-Type", "")
        kind += f" {answer.headers.get('Cache-Control')}"
        if "json" in kind: body = json.dumps(json.loads(body), sort_keys=True)
        print(number, method, path, token[-5:], form, "->", answer.status, kind, body)
        if method == "POST" and path[6:] in sockets and answer.status == 200:
            packet = sockets[path[6:]].read()
            print(number, "socket", path[6:], "->", packet[:2], json.dumps(json.loads(packet[2:]), sort_keys=True))
    """#

  private struct ClientFailed: Error { let printed: String }

  /// What a session gets from a server, a line for each step.
  static func play(_ seed: Int, with port: Int) throws -> [String] {
    let result = try Command.run(PythonServer.path ?? "", ["-c", client, String(port), String(seed)])
    guard result.code == 0 else { throw ClientFailed(printed: result.output + result.error) }
    return result.output.split(separator: "\n").map(String.init)
  }
}
