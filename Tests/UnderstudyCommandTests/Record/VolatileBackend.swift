import UnderstudyTestSupport

/// A server whose answers change in every run, though nothing is changed: ids, times, counters, random names, members that
/// come and go.
enum VolatileBackend {
  static let contract = ContractFixture.text(
    paths: """
        /status:
          get:
            operationId: readStatus
            responses:
              "200":
                description: The status.
                content: {application/json: {schema: {properties: {mode: {enum: [idle, busy]}}}}}
        /orders:
          post:
            operationId: addOrder
            requestBody: {content: {application/json: {schema: {type: object, properties: {item: {type: string}}}}}}
            responses: {"201": {description: Added., content: {application/json: {}}}}
        /orders/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          get: {operationId: readOrder, responses: {"200": {description: An order., content: {application/json: {}}},
            "404": {description: None., content: {application/json: {}}}}}
          delete: {operationId: removeOrder, responses: {"204": {description: Gone.},
            "404": {description: None., content: {application/json: {}}}}}

      """)

  static func start() throws -> PythonServer {
    try PythonServer(
      PythonServer.handler(
        #"""
        orders, hits = {}, [0]
        def json(self, status, value, **fields):
            self.answer(status, json.dumps(value).encode(), Content_Type="application/json", **fields)
        def lost(self): self.json(404, {"error": "none"})
        def do_GET(self):
            import datetime, random
            if self.path == "/requests": return self.json(200, self.hits[0])
            self.hits[0] += 1
            if self.path == "/status":
                status = {"hits": self.hits[0], "now": datetime.datetime.now(datetime.timezone.utc).isoformat(),
                    "mode": "busy" if self.hits[0] % 2 else "idle", "workers": {"w-%x" % random.getrandbits(40): 1}}
                if self.hits[0] % 3: status["error"] = None
                self.json(200, status, ETag='"%d"' % random.getrandbits(60))
            else:
                order = self.orders.get(self.path[8:])
                self.json(200, order) if order else self.lost()
        def do_POST(self):
            import datetime, uuid
            id, trace = str(uuid.uuid4()), str(uuid.uuid4())
            now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            self.orders[id] = {"id": id, "item": json.loads(self.body())["item"], "trace": trace, "createdAt": now}
            self.json(201, self.orders[id], Location="/orders/" + id)
        def do_DELETE(self):
            if self.orders.pop(self.path[8:], None): self.answer(204)
            else: self.lost()
        """#))
  }

  /// What a client does; returns the id of its order.
  @discardableResult
  static func session(_ url: String) throws -> String {
    func send(_ arguments: String...) throws -> String {
      try Command.run("/usr/bin/curl", ["-sS"] + arguments).output
    }
    for _ in 0..<3 { _ = try send(url + "/status") }
    let order = try send("-H", "Content-Type: application/json", "-d", #"{"item": "book"}"#, url + "/orders")
    let id = String(order.firstMatch(of: /"id": ?"([^"]+)"/)?.output.1 ?? "none")
    _ = try send(url + "/orders/\(id)")
    _ = try send("-X", "DELETE", url + "/orders/\(id)")
    _ = try send(url + "/orders/\(id)")
    return id
  }
}
