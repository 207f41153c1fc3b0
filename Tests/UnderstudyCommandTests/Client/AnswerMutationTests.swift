import HTTPTypes
import Synchronization
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Answers with mistakes of every kind: each ends as an answer or as a reason, and none ends the process.
@Suite(.ownQueue)
struct AnswerMutationTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Any, version: "1"}
    paths:
      /a:
        get:
          operationId: a
          responses:
            "200":
              description: d
              headers: {X-N: {schema: {type: integer}}}
              content: {application/json: {schema: {type: object}}}

    """

  private static let originals = [
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-N: 1\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\nETag: \"x\"\r\n\r\n",
    "HTTP/1.0 500 Oops\r\nContent-Type: text/plain\r\n\r\nbroken",
    "HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
  ].map { Array($0.utf8) }

  private static let words = [
    "000", "099", "1000", "101", "100", "-1", "999", "HTTP/9.9", "HTTP/1.1 ", "\r\n", "\n", "\r", "\0", "\u{1B}[2J",
    "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Content-Type: ;;;\r\n", "\r\n\r\n", ": \r\n",
    " folded\r\n", "ffffffffffffffff\r\n", "Content-Encoding: br\r\n", "HTTP/1.1 200 OK\r\n\r\n",
  ].map { Array($0.utf8) }

  /// Replaces, removes, repeats or inserts bytes, one to three times.
  private static func mutant(_ random: inout SeededNumbers) -> [UInt8] {
    var bytes = originals.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let range = start..<min(bytes.count, start + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.replaceSubrange(range, with: range.map { _ in UInt8.random(in: 0...255, using: &random) })
      case 1: bytes.removeSubrange(range)
      case 2: bytes.insert(contentsOf: bytes[range], at: start)
      case 3: bytes.removeSubrange(start...)
      case 4:
        // The status, most often the right place.
        let word = words[Int.random(in: 0..<7, using: &random)]
        if bytes.count > 12 { bytes.replaceSubrange(9..<12, with: word) }
      default: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: start)
      }
    }
    return bytes
  }

  @Test func `each of 2,500 mutated answers is a reply of the proxy`() async throws {
    let count = 2_500
    let next = Mutex((random: SeededNumbers(state: 15), sent: 0))
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      let bytes = next.withLock { state in
        state.sent += 1
        return Self.mutant(&state.random)
      }
      try connection.send(bytes)
      return ""
    }
    let mock = try ContractFixture(Self.contract).mock { options in
      options.upstream = Upstream("http://127.0.0.1:\(server.port)")
      options.onInvalid = .warn
    }
    let request = HTTPRequest(method: .get, scheme: nil, authority: "localhost", path: "/a")
    let client = try UpstreamClient(timeout: .seconds(20))
    let replies = try await withThrowingTaskGroup(of: [Int: Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var statuses: [Int: Int] = [:]
          for _ in 0..<(count / 4) {
            let forward = try #require(mock.reply(to: request, body: []).forward)
            var reply = await forward.reply(by: client.transport, body: Body())
            if case .streamed(_, let body) = reply.content { _ = try? await body.text() }
            _ = reply.end(within: .unlimited)
            statuses[reply.status, default: 0] += 1
          }
          return statuses
        }
      }
      return try await group.reduce(into: [Int: Int]()) { $0.merge($1, uniquingKeysWith: +) }
    }
    await client.shutdown()
    #expect(replies.values.reduce(0, +) == count)
    // No answer is interim, which would leave the client waiting; and those that are not HTTP are the gateway's.
    #expect(replies.keys.allSatisfy { 200...999 ~= $0 })
    #expect(replies[502, default: 0] > count / 10)
    #expect(replies[504] == nil)
  }

  @Test func `each of 2,500 mutated answers is a result of a live run`() async throws {
    let count = 2_500
    let next = Mutex((random: SeededNumbers(state: 7), sent: 0))
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      let bytes = next.withLock { state in
        state.sent += 1
        return Self.mutant(&state.random)
      }
      try connection.send(bytes)
      return ""
    }
    // Few operations: a run plans all of them, and ends long before the last.
    let paths = (0..<20).map { number in
      "  /a\(number): {get: {operationId: a\(number), parameters: [{name: n, in: query, schema: {type: integer}}], "
        + "responses: {\"200\": {description: d, content: {application/json: {schema: {type: object}}}}}}}\n"
    }
    let contract = try ContractFixture(
      "openapi: 3.1.0\ninfo: {title: Any, version: \"1\"}\npaths:\n" + paths.joined()
    ).contract()
    let client = try UpstreamClient(timeout: .seconds(20))
    let statuses = Mutex<Set<Int>>([])
    var rules: Set<String> = []
    // A run gives up after several answers in a row that are none, so it takes several runs.
    var run = 0
    while next.withLock({ $0.sent }) < count {
      let before = next.withLock { $0.sent }
      run += 1
      var settings = LiveSettings(target: try #require(Upstream("http://127.0.0.1:\(server.port)")))
      settings.seed = "\(run)"
      settings.workers = 4
      var report = Report(Report.Run("verify live", contracts: [], startedAt: ""))
      await LiveVerifier([contract], settings: settings) { request, body in
        let (response, body) = try await client.transport(request, body)
        statuses.withLock { _ = $0.insert(response.status.code) }
        return (response, body)
      }
      .verify(into: &report)
      #expect(!report.cases.isEmpty)
      rules.formUnion(report.findings.map(\.rule))
      try #require(next.withLock { $0.sent } > before)
    }
    await client.shutdown()
    // No answer is interim, and one that is not HTTP is a finding about the provider.
    #expect(statuses.withLock { $0 }.allSatisfy { 200...999 ~= $0 })
    #expect(
      rules.isSuperset(of: ["prov.answer.malformed", "resp.status.undocumented", "resp.server-error"]), "\(rules)")
  }
}

/// SplitMix64.
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
