import UnderstudyTestSupport

/// Random sessions of two users with a backend of `specs/slp.yaml` that remembers them, with requests among them that break
/// the contract.
enum SLPSessions {
  static func start() throws -> PythonServer { try PythonServer(PythonServer.handler(backend)) }

  /// The backend: users by their tokens, a queue, a chat between the two, a shop.
  private static let backend = #"""
    import datetime
    users, queue, messages, penalties, count = {}, set(), [], {}, [0]
    now = [datetime.datetime(2022, 12, 6, 10, 58, 41)]

    def text(self, status, line): self.answer(status, line.encode(), Content_Type="text/html; charset=utf-8")
    def data(self, value, status=200):
        self.answer(status, json.dumps(value, ensure_ascii=False).encode(), Content_Type="application/json; charset=utf-8")
    def do(self):
        import datetime, urllib.parse
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
            return self.data(message)
        self.text(404, "what is " + path)
    do_GET = do_POST = do_PUT = do_DELETE = do
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
    import http.client, json, random, sys
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
        ("GET", "/chat/partner?lastchatDate=2000-01-01T00:00:00.000Z", "%s", ""),
        ("GET", "/chat/partner?lastchatDate=2022-12-06T10:58:59.000Z", "%s", ""),
    ]
    for number in range(40):
        method, path, token, form = steps[0] if number in (2, 3) else chance.choice(steps)
        token = token.replace("%s", chance.choice(["token-of-alice", "token-of-bob"]))
        fields = {"idtoken": token}
        if form: fields["Content-Type"] = "application/x-www-form-urlencoded"
        where.request(method, "/v1" + path, form or None, fields)
        answer = where.getresponse()
        body = answer.read().decode()
        kind = answer.headers.get("Content-Type", "")
        if "json" in kind: body = json.dumps(json.loads(body), sort_keys=True)
        print(number, method, path, token[-5:], form, "->", answer.status, kind, body)
    """#

  private struct ClientFailed: Error { let printed: String }

  /// What a session gets from a server, a line for each step.
  static func play(_ seed: Int, with port: Int) throws -> [String] {
    let result = try Command.run(PythonServer.path ?? "", ["-c", client, String(port), String(seed)])
    guard result.code == 0 else { throw ClientFailed(printed: result.output + result.error) }
    return result.output.split(separator: "\n").map(String.init)
  }
}
