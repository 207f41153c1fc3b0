import Dispatch
import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct JournalTests {
  private func limits(exchanges: Int = 3, bytes: Int = 1 << 20) -> Journal.Limits {
    var limits = Journal.Limits()
    (limits.exchanges, limits.bytes) = (exchanges, bytes)
    return limits
  }

  private func exchange(
    _ path: String = "/notes/1", fields: [String: String] = [:], body: [UInt8] = [], isAboutMock: Bool = false,
    in mock: Mock
  ) -> ServedRequest {
    let secret = ["Authorization": "Bearer top-secret-value"]
    let request = Mock.request(.get, path, secret.merging(fields) { _, new in new })
    var reply = mock.reply(to: request, body: body)
    reply.isAboutMock = isAboutMock
    return ServedRequest(
      startedAt: 1_700_000_000_000_000, microseconds: 420, request: SharedRequest(request), body: body,
      reply: reply, status: reply.status)
  }

  @Test func `the oldest make room for the newest, and numbers go on`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits())
      for _ in 0..<5 { journal.append(exchange(in: mock)) }
      #expect(journal.entries().map(\.number) == [3, 4, 5])
      #expect(journal.entries(after: 4).map(\.number) == [5])
      #expect(journal.entry(2) == nil)
      #expect(journal.entry(6) == nil)
      #expect(journal.entry(5)?.operation == "readNote")
      #expect(journal.size.dropped == 2)
      #expect(journal.totals.exchanges == 5)
      journal.clear()
      #expect(journal.entries().isEmpty && journal.size.bytes == 0)
      journal.append(exchange(in: mock))
      #expect(journal.entries().map(\.number) == [6])
    }
  }

  @Test func `what the client of the lane without a name broke outlives the exchange, until it is restarted`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 2), segments: 2)
      for loop in 0..<2 { journal.append(exchange("/nowhere", in: mock), from: loop) }
      for loop in 0..<6 { journal.append(exchange(in: mock), from: loop) }
      let verdict = mock.verdict(of: mock.newState()).adding(journal.unnamed, journal.entries())
      #expect(verdict.requests == 8 && !verdict.isPassed)
      #expect(verdict.findings.map(\.count) == [2])
      #expect(verdict.findings.first?.diagnostic.notes.last?.message.hasPrefix("GET /nowhere -> ") == true)
      journal.restartUnnamed()
      #expect(journal.unnamed.count == 0)
    }
  }

  @Test func `bodies have a limit together, and the last exchange stays`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 100, bytes: 10_000))
      for _ in 0..<10 { journal.append(exchange(body: Array(repeating: 65, count: 4_000), in: mock)) }
      #expect(journal.size.exchanges < 3 && journal.size.bytes <= 10_000)
      journal.append(exchange(body: Array(repeating: 65, count: 100_000), in: mock))
      #expect(journal.entries().map(\.number) == [11])
    }
  }

  @Test func `exchanges that one reader numbers while another one counts were never dropped`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let sent = exchange(in: mock)
      for _ in 0..<20 {
        let journal = Journal(limits: limits(exchanges: 500))
        let isOver = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
          guard thread == 0 else {
            while !isOver.load(ordering: .relaxed) { #expect(journal.size.dropped == 0) }
            return
          }
          for _ in 0..<500 {
            journal.append(sent)
            _ = journal.entry(1)
          }
          isOver.store(true, ordering: .relaxed)
        }
        #expect(journal.size.exchanges == 500)
      }
    }
  }

  @Test(arguments: [1, 2, 15, 16, 17, 40])
  func `whenever it is read or cleared, it has the same as a plain list`(limit: Int) throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: limit))
      let exchange = exchange(in: mock)
      var (held, count) = ([Int](), 0)
      var random = RepeatableGenerator(state: UInt64(limit))
      for _ in 0..<400 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: #expect(journal.entries().map(\.number) == held)
        case 1: #expect(journal.entry(count)?.number == held.last && journal.entry(count + 1) == nil)
        case 2: #expect(journal.size.exchanges == held.count && journal.size.dropped == count - held.count)
        case 3:
          journal.clear()
          held = []
        case 4:
          count += 1
          held.append(count)
          journal.append(exchange)
          #expect(journal.entries().last?.number == count)
        default:
          for _ in 0..<Int.random(in: 0..<20, using: &random) {
            journal.append(exchange)
            count += 1
            held.append(count)
          }
        }
        held = Array(held.suffix(limit))
      }
      #expect(journal.totals.exchanges == count && journal.totals.requests.values.reduce(0, +) == count)
    }
  }

  /// An exchange that ended at a time, in microseconds.
  private func exchange(endedAt time: Int, in mock: Mock) -> ServedRequest {
    let request = Mock.request(.get, "/notes/1")
    return ServedRequest(
      startedAt: time, microseconds: 0, request: SharedRequest(request), body: [], reply: mock.reply(to: request),
      status: 200)
  }

  @Test func `exchanges of several loops are numbered in the order in which they ended`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 100), segments: 3)
      for (time, loop) in [(1, 0), (4, 0), (7, 0), (2, 1), (5, 1), (3, 2), (6, 2)] {
        journal.append(exchange(endedAt: time, in: mock), from: loop)
      }
      #expect(journal.entries().map(\.served.startedAt) == [1, 2, 3, 4, 5, 6, 7])
      #expect(journal.entries().map(\.number) == [1, 2, 3, 4, 5, 6, 7])
      // One that a loop has late gets the next number: a number never changes.
      journal.append(exchange(endedAt: 0, in: mock), from: 1)
      #expect(journal.entries().map(\.served.startedAt) == [1, 2, 3, 4, 5, 6, 7, 0])
      #expect(journal.entry(8)?.served.startedAt == 0)
    }
  }

  @Test func `an exchange that another thread drops while it is read is missing, or whole`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 1), segments: 2)
      let sent = exchange(in: mock)
      let isOver = Atomic(false)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        guard thread == 0 else {
          while !isOver.load(ordering: .relaxed) {
            guard let number = journal.entries().last?.number, let entry = journal.entry(number) else { continue }
            #expect(entry.number == number)
          }
          return
        }
        for loop in 0..<20_000 {
          journal.append(sent, from: loop)
          // A reader makes room.
          _ = journal.size
        }
        isOver.store(true, ordering: .relaxed)
      }
      #expect(journal.entry(20_000) != nil)
    }
  }

  @Test(arguments: [1, 2, 15, 16, 17, 40])
  func `several segments have the same as a plain list`(limit: Int) throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: limit, bytes: 1 << 30), segments: 3)
      var (held, unread, count, time) = ([Int](), [Int](), 0, 0)
      var random = RepeatableGenerator(state: UInt64(limit))
      for _ in 0..<300 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          held = Array((held + unread).suffix(limit))
          unread = []
          #expect(journal.entries().map(\.served.startedAt) == held)
          #expect(journal.entries().last?.number ?? count == count)
          #expect(journal.size.exchanges == held.count && journal.size.dropped == count - held.count)
        case 1:
          journal.clear()
          (held, unread) = ([], [])
        default:
          for _ in 0..<Int.random(in: 0..<20, using: &random) {
            time += 1
            count += 1
            unread.append(time)
            journal.append(exchange(endedAt: time, in: mock), from: Int.random(in: 0..<3, using: &random))
          }
        }
      }
      #expect(journal.totals.exchanges == count && journal.totals.requests.values.reduce(0, +) == count)
    }
  }

  @Test func `the segments share the bytes`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 100, bytes: 30_000), segments: 3)
      for number in 0..<60 {
        journal.append(exchange(body: Array(repeating: 65, count: 4_000), in: mock), from: number % 3)
      }
      #expect(journal.size.bytes <= 30_000 && journal.size.exchanges == 3)
    }
  }

  @Test func `the fields of a request count as well`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 100, bytes: 10_000))
      let large = exchange(fields: ["User-Agent": String(repeating: "a", count: 9_000)], in: mock)
      for _ in 0..<3 { journal.append(large) }
      #expect(journal.entries().map(\.number) == [3])
    }
  }

  @Test func `exchanges about the mock are left out`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal()
      journal.append(exchange(isAboutMock: true, in: mock))
      #expect(journal.entries().isEmpty && journal.totals.exchanges == 0)
    }
  }

  @Test func `what is shown has no secrets`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal()
      journal.append(exchange("/notes/1?access_token=very-secret-token-of-mine", in: mock))
      let entry = try #require(journal.entry(1))
      var printer = JournalPrinter(Redactor(mock.contracts.map(\.compiled.secrets), style: .marker), version: "1")
      for text in [
        JSONWriter.text(printer.summary(entry).value), JSONWriter.text(printer.detail(entry, by: mock).value),
        String(decoding: printer.har([entry]).value, as: UTF8.self),
      ] {
        #expect(text.contains("/notes/1"), "\(text)")
        #expect(!text.contains("very-secret") && !text.contains("top-secret"), "\(text)")
      }
    }
  }

  @Test func `a summary has what a list shows`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal()
      journal.append(exchange(in: mock))
      journal.append(exchange("/nowhere", in: mock))
      let printer = JournalPrinter(Redactor(), version: "1")
      let entries = journal.entries()
      let first = printer.summary(entries[0]).value
      #expect(first["operation"]?.string == "readNote" && first["status"]?.text == "200", "\(first)")
      #expect(first["microseconds"]?.text == "420" && first["time"]?.string == "2023-11-14T22:13:20.000Z", "\(first)")
      #expect(entries[1].isUnmatched && printer.summary(entries[1]).value["operation"] == nil)
    }
  }

  @Test func `answers that alternate are counted apart`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal()
      let (known, unknown) = (exchange(in: mock).reply, exchange("/nowhere", in: mock).reply)
      for (reply, status) in [(known, 200), (known, 404), (unknown, 404), (known, 404), (known, 200), (unknown, nil)] {
        journal.append(
          ServedRequest(startedAt: 0, microseconds: 0, request: nil, body: nil, reply: reply, status: status))
      }
      let key = try #require(known.operation).key
      let rows = journal.totals.requests.map { "\($0.key.operation) \($0.key.status): \($0.value)" }
      #expect(Set(rows) == ["\(key) 200: 2", "\(key) 404: 2", " 404: 1", " 0: 1"])
    }
  }

  @Test func `numbers are counted by operation, status and rule`() throws {
    try ContractFixture(MockContract.notes).withMock { mock in
      let journal = Journal(limits: limits(exchanges: 1))
      for path in ["/notes/1", "/notes/1", "/nowhere"] { journal.append(exchange(path, in: mock)) }
      var metrics = MetricsText()
      metrics.add(journal.totals)
      let operation = mock.operations.first { $0.id == "readNote" }
      let key = try #require(operation).key
      #expect(
        metrics.text.contains("understudy_requests_total{operation=\"\(key)\",status=\"200\"} 2\n"), "\(metrics.text)")
      #expect(metrics.text.contains("understudy_findings_total{rule=\"req.path.unknown\"} 1\n"), "\(metrics.text)")
      #expect(
        metrics.text.contains("understudy_request_duration_seconds_bucket{le=\"0.00025\"} 0\n"), "\(metrics.text)")
      #expect(metrics.text.contains("understudy_request_duration_seconds_bucket{le=\"0.0005\"} 3\n"), "\(metrics.text)")
      #expect(metrics.text.contains("understudy_request_duration_seconds_bucket{le=\"+Inf\"} 3\n"), "\(metrics.text)")
      #expect(journal.totals.count(of: try #require(operation), status: .code(200)) == 2)
    }
  }

  @Test func `labels are escaped`() {
    var metrics = MetricsText()
    metrics.sample("a", [("b", "x\"y\\z\nw")], "1")
    #expect(metrics.text == "understudy_a{b=\"x\\\"y\\\\z\\nw\"} 1\n")
  }
}
