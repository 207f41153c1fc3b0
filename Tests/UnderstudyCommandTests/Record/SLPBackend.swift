import UnderstudyTestSupport

/// The backend of `specs/slp.yaml`, as a student might write it: tokens, a queue, chats and a shop, in memory.
enum SLPBackend {
  static func start() throws -> PythonServer { try PythonServer(PythonServer.handler(program)) }

  private static let program = #"""
    chats = {"full": [{"_id": "638f20617d2e4a90c5b8e5f1", "to": "me", "from": "full", "chat": "안녕하세요",
        "createdAt": "2022-12-06T10:58:41.102Z"}], "empty": []}
    state = {"matched": 0, "queued": False}
    user = {"_id": "637c8d6cd3dd5d2b65b5c0a1", "__v": 0, "uid": "me", "phoneNumber": "+821012345678",
        "email": "dotori@example.com", "FCMtoken": "dXq3vR8kTn2:APA91bGm0s4Yw7uLhQe1ZcKf", "nick": "도토리",
        "birth": "1997-03-21T00:00:00.000Z", "gender": 0, "study": "anything", "comment": [], "reputation": [0] * 9,
        "sesac": 0, "sesacCollection": [0], "background": 0, "backgroundCollection": [0], "purchaseToken": [""],
        "transactionId": [""], "reviewedBefore": [], "reportedNum": 0, "reportedUser": [], "dodgepenalty": 0,
        "dodgeNum": 0, "ageMin": 18, "ageMax": 65, "searchable": 1, "createdAt": "2022-11-22T08:50:20.711Z"}

    def text(self, status, line):
        self.answer(status, line.encode(), Content_Type="text/html; charset=utf-8", X_Request_Id="r-1")
    def data(self, value):
        body = json.dumps(value, ensure_ascii=False).encode()
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            import gzip
            self.answer(200, gzip.compress(body), Content_Type="application/json; charset=utf-8", Content_Encoding="gzip")
        else: self.answer(200, body, Content_Type="application/json; charset=utf-8")
    def let_in(self):
        self.sent = self.body().decode()
        if self.headers.get("idtoken") == "eyJhbGciOiJSUzI1NiJ9.e30.c2ln": return True
        self.text(401, "Firebase Token Error")
    def do_GET(self):
        if not self.let_in(): return
        path = self.path.split("?")[0]
        if path == "/v1/user" or path == "/v1/user/shop/myinfo": self.data(self.user)
        elif path == "/v1/queue/myQueueState":
            if not self.state["queued"]: self.text(201, "normal state")
            elif self.state["matched"]: self.data({"dodged": 0, "matched": 1, "reviewed": 0,
                "matchedNick": "라떼한잔", "matchedUid": "hT5wKq9ZrXb3NfUe7LmYc1VsDg42"})
            else: self.data({"dodged": 0, "matched": 0, "reviewed": 0})
        elif path.startswith("/v1/chat/"): self.data({"payload": self.chats.get(path[9:], [])})
        else: self.text(404, "what is " + path)
    def do_POST(self):
        if not self.let_in(): return
        if self.path == "/v1/queue":
            if "lat=0" in self.sent: self.text(203, "penalty of 1 minute")
            elif "lat=1" in self.sent: self.text(201, "reported too often")
            else:
                self.state["queued"] = True
                self.text(200, "success")
        elif self.path == "/v1/queue/studyaccept":
            self.state["matched"] = 1
            self.text(200, "success")
        elif self.path == "/v1/user/shop/item":
            if "sesac=4" in self.sent: self.text(201, "item not owned")
            else: self.text(200, "success")
        else: self.text(404, "what is " + self.path)
    """#

  static let token = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"

  /// What a client does in one evening; returns the answers in their order.
  static func session(_ url: String) throws -> [String] {
    try [
      send(url, "GET", "/user"), send(url, "GET", "/user", token: nil), send(url, "GET", "/user/shop/myinfo"),
      send(url, "GET", "/chat/full?lastchatDate=2000-01-01T00:00:00.000Z"),
      send(url, "GET", "/chat/empty?lastchatDate=2000-01-01T00:00:00.000Z"),
      send(url, "GET", "/chat/full?lastchatDate=2000-01-01T00:00:00.000Z"),
      send(url, "GET", "/queue/myQueueState"), send(url, "POST", "/queue", "lat=0&long=126.5&studylist=Swift"),
      send(url, "POST", "/queue", "lat=1&long=126.5&studylist=Swift"),
      send(url, "POST", "/queue", "lat=37.5&long=126.5&studylist=Swift"), send(url, "GET", "/queue/myQueueState"),
      send(url, "GET", "/queue/myQueueState"), send(url, "POST", "/queue/studyaccept", "otheruid=full"),
      send(url, "GET", "/queue/myQueueState"), send(url, "POST", "/user/shop/item", "sesac=4&background=2"),
      send(url, "POST", "/user/shop/item", "sesac=0&background=0"),
    ]
  }

  private static func send(
    _ url: String, _ method: String, _ target: String, _ form: String = "", token: String? = token
  ) throws -> String {
    var arguments = ["-sS", "-g", "--compressed", "-X", method, "-w", " %{http_code}", url + "/v1" + target]
    if let token { arguments += ["-H", "idtoken: \(token)"] }
    if !form.isEmpty { arguments += ["-d", form] }
    let output = try Command.run("/usr/bin/curl", arguments).output
    // The layout of JSON is not part of it.
    return "\(method) \(target) " + output.filter { $0 != " " && $0 != "\n" }
  }
}
