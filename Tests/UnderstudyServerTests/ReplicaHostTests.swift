import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// A mock of several replicas over HTTP.
  struct ReplicaHostTests {
    /// A replica with its server.
    private struct Replica {
      let process: ReplicaProcess
      let host: MockHost
      let server: HTTPServer
      let port: Int

      init(_ store: FakeReplicaStore) async throws {
        process = try ReplicaProcess(store)
        let lanes = process.lanes
        let host = MockHost(
          lanes: lanes, journal: Journal(shared: lanes.replicas?.exchanges), admin: AdminSettings(isLocal: true))
        self.host = host
        var configuration = ServerConfiguration()
        (configuration.port, configuration.servesLanes) = (0, true)
        configuration.lastCall = .milliseconds(10)
        let observer = ExchangeObserver(open: { host.journal.open($0) }, report: { host.journal.append($0, from: $1) })
        server = HTTPServer(
          responder: host.responder(for: process.mock), configuration: configuration, observer: observer)
        port = try await server.start().port
        host.resume(lanes, by: process.mock)
      }

      @discardableResult
      func send(_ method: String, _ target: String, _ body: String = "") throws -> RawClient.Response {
        let client = try RawClient(port: port)
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\n"
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(length)\r\n\(body)")
        return try client.response()
      }

      func json(_ target: String, _ method: String = "GET", _ body: String = "") throws -> JSON {
        let response = try send(method, "/__admin/\(target)", body)
        try #require(200...299 ~= response.status, "\(response.body)")
        return try JSON(parsing: response.body)
      }
    }

    private func serving(
      _ count: Int, of store: FakeReplicaStore = FakeReplicaStore(), _ body: ([Replica]) async throws -> Void
    ) async throws {
      var replicas: [Replica] = []
      for _ in 0..<count { replicas.append(try await Replica(store)) }
      try await body(replicas)
      for replica in replicas {
        replica.host.endStreams()
        await replica.server.shutdown()
        replica.process.lanes.close()
      }
    }

    private func targets(_ list: JSON) -> [String] {
      list["requests"].map { $0.elements.map { $0["target"]?.text ?? "" } } ?? []
    }

    @Test func `every replica lists the requests of all of them, with the same numbers`() async throws {
      try await serving(2) { replicas in
        try replicas[0].send("GET", "/status")
        try replicas[1].send("POST", "/~a/notes", #"{"text":"x"}"#)
        try replicas[1].send("GET", "/nowhere")
        let lists = try replicas.map { try $0.json("requests") }
        #expect(Set(targets(lists[0])) == ["/status", "/~a/notes", "/nowhere"], "\(lists[0])")
        #expect(lists[0] == lists[1])
        #expect(targets(try replicas[0].json("requests?lane=a")) == ["/~a/notes"])
        #expect(targets(try replicas[0].json("requests/unmatched")) == ["/nowhere"])
        #expect(try replicas[0].json("requests/count?body=/text=x")["count"]?.int == 1)
        let id = try #require(lists[0]["requests"].flatMap { Array($0.elements).first?["id"]?.int })
        #expect(try replicas[1].json("requests/\(id)")["exchange"]?["request"]?["url"]?.text.isEmpty == false)
        _ = try replicas[0].json("requests", "DELETE")
        #expect(targets(try replicas[1].json("requests")) == [])
      }
    }

    @Test func `a client that waits at one replica gets a request to another one`() async throws {
      try await serving(2) { replicas in
        async let found = Task.detached { [first = replicas[0]] in
          try first.json("requests?operation=readStatus&wait=20s&limit=1")
        }.value
        try replicas[1].send("GET", "/status")
        #expect(targets(try await found) == ["/status"])
      }
    }

    @Test func `routes for all lanes, and the end of a lane, apply at every replica`() async throws {
      try await serving(2) { replicas in
        #expect(try replicas[1].send("GET", "/health").status == 404)
        _ = try replicas[0].json("routes", "POST", #"{"routes": {"GET /health": 200}}"#)
        #expect(try replicas[1].send("GET", "/health").status == 200)
        _ = try replicas[0].json("lanes", "POST", #"{"name": "t"}"#)
        #expect(try replicas[1].send("GET", "/~t/status").status == 200)
        let verdict = try replicas[1].json("lanes/t", "DELETE")
        #expect(verdict["verdict"]?.text == "passed" && verdict["requests"]?.int == 1)
        #expect(try replicas[0].send("GET", "/~t/status").status == 410)
      }
    }

    @Test func `the verdict of the lane without a name counts all replicas, and is unknown after a loss`() async throws
    {
      let store = FakeReplicaStore()
      try await serving(3, of: store) { replicas in
        for replica in replicas { try replica.send("GET", "/status") }
        let lane = try replicas[0].json("lanes/default")
        #expect(lane["verdict"]?["verdict"]?.text == "passed" && lane["verdict"]?["requests"]?.int == 3, "\(lane)")
        #expect(try replicas[1].json("coverage")["served"]?.int == 1)
        replicas[2].process.database.isCut.withLock { $0 = true }
        store.expire("r3")
        try (replicas[0].host.lanes as? DurableLanes)?.replicas?.bury()
        let verdict = try replicas[1].json("lanes/default")["verdict"]
        #expect(verdict?["verdict"]?.text == "unknown", "\(String(describing: verdict))")
        let reasons = verdict?["reasons"].map { $0.elements.map(\.text) } ?? []
        #expect(reasons.count == 1 && reasons[0].hasPrefix("the replica r3 ended without farewell"), "\(reasons)")
        // A verdict on new requests does not depend on it.
        _ = try replicas[0].json("lanes/default/reset", "POST")
        #expect(try replicas[1].json("lanes/default")["verdict"]?["verdict"]?.text == "passed")
      }
    }
  }
}
