import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  struct VisibilityTests {
    /// A client that reads the journal may be on another event loop than the one whose answer it looks for.
    @Test func `an exchange is seen by every reader once its answer has arrived`() async throws {
      let mock = try ContractFixture(
        ContractFixture.text(
          paths: "  /job: {get: {operationId: readJob, responses: {\"204\": {description: d}}}}\n")
      ).mock()
      let host = MockHost(
        lanes: MemoryLanes(mock.newState()), journal: Journal(segments: 2), admin: AdminSettings(isLocal: true))
      try await serving(
        host.responder(for: mock), configure: { $0.servesLanes = true }, open: { host.journal.open($0) },
        reporting: { host.journal.append($0, from: $1) }
      ) { port, _ in
        let clients = [try RawClient(port: port), try RawClient(port: port)]
        func answer(_ client: RawClient, _ path: String) throws -> RawClient.Response {
          try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
          return try client.response()
        }
        for number in 1...2_500 {
          let (sender, reader) = (clients[number % 2], clients[(number + number / 2) % 2])
          #expect(try answer(sender, "/~a/job").status == 204)
          switch number % 4 {
          case 0:
            let lane = try answer(reader, "/__admin/lanes/a").body
            #expect(lane.contains("\"requests\": \(number)"), "\(number): \(lane)")
          case 1:
            let metrics = try answer(reader, "/__admin/metrics").body
            #expect(metrics.contains("understudy_request_duration_seconds_count \(number)\n"), "\(number)")
          default:
            let list = try answer(reader, "/__admin/requests?after=\(number - 1)").body
            #expect(list.contains("\"id\": \(number),") && list.contains("\"total\": \(number),"), "\(number): \(list)")
          }
        }
      }
    }
  }
}
