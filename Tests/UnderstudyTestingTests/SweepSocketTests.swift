import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

private struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// Sweeps of clients that read a stream, or listen to a socket.
@Suite(.understudy("Tests/SocketSuites/chat.yaml"), .enabled(if: Command.hasCurl, "skipped: no curl"))
struct SweepSocketTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

  // MARK: - Streams

  /// The data of all events up to the last one.
  ///
  /// - Parameter patience: How long it waits, in seconds.
  private static func words(_ url: String, patience: Int) async throws -> Int {
    let result = try await Command.curl(["-N", url + "/v1/stream", "-f", "-m", "\(patience)"])
    guard result.code == 0 else { throw Failure(description: "curl \(result.code)") }
    let events = result.output.split(separator: "\n").filter { $0.hasPrefix("data:") }.map { String($0.dropFirst(6)) }
    guard events.last == "[DONE]" else { throw Failure(description: "no end") }
    return events.count
  }

  @Test func `a client with a limit turns every stream into a value or an error`() async throws {
    let sweep = try await lane.sweep("readStream", within: .seconds(120)) { lane in
      try await Self.words(lane.baseURL.absoluteString, patience: 30)
    }
    let streams = sweep.rows.filter { $0.variant.hasPrefix("stream-") }
    #expect(
      streams.map(\.description) == [
        "readStream stream-whole", "readStream stream-empty", "readStream stream-short", "readStream stream-error",
        "readStream stream-malformed", "readStream stream-stall", "readStream stream-cut", "readStream stream-lost",
      ])
    #expect(
      streams.map(\.outcome) == [
        .returned("3"), .threw("no end"), .threw("no end"), .threw("no end"), .returned("3"), .threw("curl 28"),
        .threw("curl 18"), .threw("curl 18"),
      ], "\(sweep)")
    // The other rows are about the same stream.
    #expect(try sweep["readStream", "drip"].outcome == .returned("3"), "\(sweep)")
    #expect(try sweep["readStream", "truncated-body"].outcome == .threw("no end"), "\(sweep)")
    #expect(try sweep["readStream", "reset body"].outcome == .threw("curl 56"), "\(sweep)")
    try sweep.expect(.noHang, .nothingSwallowed, .throwsFor("stream-stall", "stream-cut", "stream-error"))
  }

  @Test func `a client without a limit hangs in a stream that stalls`() async throws {
    let sweep = try await lane.sweep("readStream", within: .seconds(30)) { lane in
      try await Self.words(lane.baseURL.absoluteString, patience: 60)
    }
    #expect(sweep.rows.filter { $0.outcome == .hung }.map(\.variant) == ["stream-stall"], "\(sweep)")
  }

  // MARK: - Events

  /// A listener of chats, which ends when nothing comes for a while.
  private static func chats(
    _ url: String, knows isKnown: (_ id: String, _ seen: Set<String>) -> Bool
  ) async throws
    -> [String]
  {
    let polling = url + "/socket.io/?EIO=4&transport=polling"
    guard let id = try await Command.curl([polling]).output.split(separator: "\"").dropFirst(3).first else {
      throw Failure(description: "no session")
    }
    let session = "\(polling)&sid=\(id)"
    _ = try await Command.curl([session, "-d", "40"])
    var (packets, texts, seen) = ([String](), [String](), Set<String>())
    while true {
      let result = try await Command.curl([session, "-m", "1"])
      guard result.code == 0 else { break }
      packets += result.output.split(separator: "\u{1E}").map(String.init)
    }
    _ = try await Command.curl([session, "-d", "1"])
    for packet in packets where packet.hasPrefix("42[\"chat\"") {
      guard let values = try? JSONSerialization.jsonObject(with: Data(packet.dropFirst(2).utf8)) as? [Any],
        let chat = values.dropFirst().first as? [String: Any], let id = chat["_id"] as? String,
        let text = chat["chat"] as? String
      else { throw Failure(description: "not a chat") }
      if !isKnown(id, seen) { texts.append(text) }
      seen.insert(id)
    }
    return texts
  }

  private static let once: Set<Sweep.Kind> = ["event-duplicate", "event-extra-keys", "event-two-arguments"]

  @Test func `a client that knows what it has shown shows a chat that comes twice once`() async throws {
    let sweep = try await lane.sweep(within: .seconds(120)) { lane in
      try await Self.chats(lane.baseURL.absoluteString) { id, seen in seen.contains(id) }
    }
    #expect(
      sweep.rows.map(\.description) == [
        "EVENT message-back event-duplicate", "EVENT message-back event-late",
        "EVENT message-back event-two-arguments", "EVENT message-back event-malformed",
        "EVENT message-back event-renamed", "EVENT chat event-duplicate", "EVENT chat event-late",
        "EVENT chat event-missing /_id", "EVENT chat event-missing /chat", "EVENT chat event-missing /to",
        "EVENT chat event-missing /from", "EVENT chat event-missing /createdAt", "EVENT chat event-extra-keys",
        "EVENT chat event-numeric /_id", "EVENT chat event-numeric /chat", "EVENT chat event-numeric /to",
        "EVENT chat event-numeric /from", "EVENT chat event-numeric /createdAt", "EVENT chat event-two-arguments",
        "EVENT chat event-malformed", "EVENT chat event-renamed",
      ], "\(sweep)")
    for row in sweep.rows where row.operation == "EVENT chat" && Self.once.contains(row.kind) {
      guard case .returned(let texts) = row.outcome else {
        Issue.record("\(row): \(row.outcome)")
        continue
      }
      #expect(texts.split(separator: ",").count == 1 && texts != "[]", "\(row): \(texts)")
    }
    #expect(try sweep["EVENT chat", "event-renamed"].outcome == .returned("[]"))
    #expect(try sweep["EVENT chat", "event-missing /_id"].outcome == .threw("not a chat"))
    try sweep.expect(.noHang, .returnsFor("event-duplicate", "event-extra-keys"))
    // Nothing of a sweep remains in the test.
    #expect(try await lane.verdict().requests == 0)
  }

  @Test func `a client that shows each event shows a chat twice`() async throws {
    let sweep = try await lane.sweep(within: .seconds(120)) { lane in
      try await Self.chats(lane.baseURL.absoluteString) { _, _ in false }
    }
    guard case .returned(let texts) = try sweep["EVENT chat", "event-duplicate"].outcome else {
      Issue.record("\(sweep)")
      return
    }
    #expect(texts.split(separator: ",").count == 2, "\(texts)")
  }
}
