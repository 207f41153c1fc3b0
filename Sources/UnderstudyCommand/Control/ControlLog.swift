import ArgumentParser
import UnderstudyMock
import UnderstudyVerification

/// `understudy ctl log`
struct ControlLog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Print the last requests of a running mock, and those to come.", aliases: ["tail"])

  @Flag(name: .shortAndLong, help: "Go on with every request that arrives.")
  var follow = false

  @Option(help: ArgumentHelp("The most requests. (default: 20)", valueName: "number"), transform: (1...10_000).number)
  var limit = 20

  @Flag(help: "Only requests that reached no operation.")
  var unmatched = false

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, ndjson, har }

  @Option(help: ArgumentHelp("text, ndjson for a line of JSON each, or har for a file.", valueName: "format"))
  var format = Format.text

  @OptionGroup var admin: AdminOptions

  func validate() throws {
    if unmatched, format == .har {
      throw ValidationError("`--format har` has requests of all kinds: leave out `--unmatched`, or take ndjson")
    }
    if follow, format == .har { throw ValidationError("`--follow` has no end, and a HAR has one: use ndjson") }
  }

  func run() async throws {
    try await admin.call { client in
      if format == .har {
        return Terminal.standardOutput.write(
          String(decoding: try await client.bytes(.get, "requests/har?limit=\(limit)\(lane)"), as: UTF8.self))
      }
      let list = try await client.send(
        .get, (unmatched ? "requests/unmatched?limit=\(limit)" : "requests?sent=true&limit=\(limit)") + lane)
      let requests = list["requests"]?.elements ?? JSON.array([]).elements
      let sent = unmatched ? nil : try await client.send(.get, "sockets/messages?limit=\(min(limit, 1_000))\(lane)")
      let messages = sent?["messages"]?.elements ?? JSON.array([]).elements
      show(requests.reversed(), messages.reversed())
      let open = unmatched ? nil : try await client.send(.get, "streams")
      var lastOpened = show(opened: open, after: 0, atMost: limit)
      guard follow else { return }
      var reader = ServerSentEvents()
      let last = requests.first { _ in true }?["id"]?.text ?? "0"
      let lastMessage = messages.first { _ in true }?["number"]?.text ?? "0"
      try await client.follow("events?after=\(last)&messages=\(lastMessage)") { piece in
        for event in reader.read(piece) {
          guard let root = try? JSONParser.parse(Array(event.utf8)).root else { continue }
          if !unmatched { lastOpened = show(opened: root, after: lastOpened) }
          for request in root["requests"]?.elements ?? JSON.array([]).elements where isWanted(request) { show(request) }
          for message in root["messages"]?.elements ?? JSON.array([]).elements where isWanted(message) {
            show(message: message)
          }
        }
      }
    }
  }

  /// A filter, where a lane is named.
  private var lane: String { admin.namedLane == nil ? "" : "&lane=\(admin.encodedLane)" }

  private func isWanted(_ request: JSON) -> Bool {
    let lane = admin.namedLane
    return (!unmatched || request["operation"] == nil)
      && (lane == nil || (request["lane"]?.text ?? LaneName.unnamed.text) == lane)
  }

  private func show(_ requests: [JSON], _ messages: [JSON]) {
    var rest = messages[...]
    for request in requests {
      while let message = rest.first, message["time"]?.text ?? "" < request["time"]?.text ?? "" {
        show(message: message)
        rest.removeFirst()
      }
      show(request)
    }
    for message in rest { show(message: message) }
  }

  /// Shows the sockets and streams that have opened, and returns the number of the newest.
  ///
  /// - Parameter last: The number of the newest socket or stream shown so far.
  private func show(opened root: JSON?, after last: Int, atMost limit: Int = .max) -> Int {
    let streams = (root?["streams"]?.elements ?? JSON.array([]).elements).map { ($0["id"]?.int ?? 0, $0) }
    let new = streams.filter { $0.0 > last }.sorted { $0.0 < $1.0 }
    for (number, stream) in new.suffix(limit) where isWanted(stream) {
      // Exchanges have other numbers.
      let members: [(String, JSON)] =
        [("stream", .integer(number))] + stream.members.filter { $0.name != "id" }.map { ($0.name, $0.value) }
      let line = format == .ndjson ? JSONWriter.text(.object(members)) : ExchangeText.line(ofOpened: stream)
      Terminal.standardOutput.write(line + "\n")
    }
    return new.last?.0 ?? last
  }

  private func show(message: JSON) {
    Terminal.standardOutput.write(
      (format == .ndjson ? JSONWriter.text(message) : ExchangeText.line(ofMessage: message)) + "\n")
  }

  private func show(_ request: JSON) {
    Terminal.standardOutput.write((format == .ndjson ? JSONWriter.text(request) : ExchangeText.line(request)) + "\n")
  }
}
