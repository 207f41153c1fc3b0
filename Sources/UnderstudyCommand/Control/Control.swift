import ArgumentParser
import UnderstudyVerification

/// `understudy ctl`: directs a running mock.
struct Control: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Direct a running mock: force answers, play scenarios, move its clock, show its requests.",
    subcommands: [
      ControlForce.self, ControlReply.self, ControlRoute.self, ControlFault.self, ControlRelease.self, ControlPlay.self,
      ControlAdvance.self, ControlReset.self, ControlReload.self, ControlLanes.self, ControlOpen.self,
      ControlClose.self, ControlWebhook.self, ControlVerdict.self, ControlLog.self, ControlShow.self,
    ])
}

/// `understudy ctl force OPERATION=ANSWER`
struct ControlForce: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "force", abstract: "Answer an operation with one cell, from the next request on.")

  @Argument(
    help: ArgumentHelp(
      "readChat=500, joinQueue=penaltyFirst, readChat=200.empty, readChat=500@20%.", valueName: "operation=cell"))
  var replies: [String]

  @Option(
    help: ArgumentHelp("Only for so many requests; for all without it.", valueName: "number"),
    transform: (1...ScenarioSequence.timesLimit).number)
  var times: Int?

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let forced = try replies.map { text -> (String, JSON) in
      guard let equals = text.lastIndex(of: "="), equals > text.startIndex, text.index(after: equals) < text.endIndex
      else {
        throw CommandFailure(.usage, "`\(text)` is incomplete", help: "expected operation=cell, as in readChat=500")
      }
      let answer = String(text[text.index(after: equals)...])
      let (cell, conditions) = FaultConditions.split(answer) ?? (answer, nil)
      return (String(text[..<equals]), .string(cell + (times.map { "*\($0)" } ?? "") + (conditions?.text ?? "")))
    }
    try await ControlState.change(admin, .object(("force", .object(forced))))
  }
}

/// `understudy ctl fault OPERATION=FAULT`
struct ControlFault: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault", abstract: "Break or delay the answers of an operation, from the next request on.")

  @Argument(
    help: ArgumentHelp(
      "readChat=reset, readChat=hang@20%; with --delay readChat=2s. `understudy explain 'fault.*'` lists the faults.",
      valueName: "operation=fault"))
  var faults: [String]

  @Flag(help: "They are delays.")
  var delay = false

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let texts = JSON.array(faults.map { .string($0) })
    try await ControlState.change(admin, .object((delay ? "delay" : "fault", texts)))
  }
}

/// `understudy ctl release`
struct ControlRelease: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", abstract: "Let the mock decide again: forget forced answers, replies, faults and delays.")

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let lane = try await admin.call { client in
      _ = try await client.send(.delete, "lanes/\(admin.encodedLane)/forced")
      _ = try await client.send(.delete, "lanes/\(admin.encodedLane)/replies")
      return try await client.send(.delete, "lanes/\(admin.encodedLane)/faults")
    }
    ControlState.show(lane)
  }
}

/// `understudy ctl play SCENARIO`
struct ControlPlay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a scenario from its beginning, or none.")

  @Argument(help: ArgumentHelp("The scenario; none to stop playing one.", valueName: "scenario"))
  var scenario: String?

  @Option(
    help: ArgumentHelp(
      "The state in which its machine begins; with several machines MACHINE=STATE. Repeatable.", valueName: "state"))
  var state: [String] = []

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let name: JSON = scenario.map { .string($0) } ?? .null
    try await ControlState.change(admin, .object(present: [("scenario", name), ("state", try states())]))
  }

  private func states() throws -> JSON? {
    guard let first = state.first else { return nil }
    if state.count == 1, !first.contains("=") { return .string(first) }
    let named = try state.map { text -> (String, JSON) in
      guard let equals = text.firstIndex(of: "=") else {
        throw CommandFailure(
          .usage, "`--state \(text)` names no machine", help: "expected machine=state where `--state` is repeated")
      }
      return (String(text[..<equals]), .string(String(text[text.index(after: equals)...])))
    }
    return .object(named)
  }
}

/// `understudy ctl advance TIME`
struct ControlAdvance: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "advance", abstract: "Move the clock of a lane forward.")

  @Argument(help: ArgumentHelp("500ms, 5s, 3m or 1h.", valueName: "time"))
  var time: String

  @OptionGroup var admin: AdminOptions

  /// The parser would read `-1h` as options, of which `-h` prints a help page.
  static func check(_ arguments: [String]) throws(CommandFailure) {
    guard arguments.starts(with: ["ctl", "advance"]),
      let time = arguments.first(where: { $0.utf8.first == UInt8(ascii: "-") && $0.dropFirst().first?.isNumber == true }
      )
    else { return }
    throw CommandFailure(
      .usage, "`\(time)` is not a valid time: the clock of a lane only moves forward",
      help: "reset the lane, and advance it from the beginning")
  }

  func run() async throws { try await ControlState.change(admin, .object(("advance", .string(time)))) }
}

/// `understudy ctl reset`
struct ControlReset: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Begin anew: a lane as it opened, or with no lane named also the journal.")

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let lane = try await admin.call { client -> String? in
      guard admin.namedLane != nil else {
        _ = try await client.send(.post, "reset")
        return nil
      }
      return try await client.send(.post, "lanes/\(admin.encodedLane)/reset")["name"]?.text
    }
    Terminal.standardOutput.write("the \(lane.map { "lane `\($0)`" } ?? "mock") begins anew\n")
  }
}

/// `understudy ctl reload`
struct ControlReload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Load the contracts and fixtures again.")

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    _ = try await admin.call { try await $0.send(.post, "reload") }
    Terminal.standardOutput.write("reloaded\n")
  }
}

/// `understudy ctl lanes`
struct ControlLanes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "lanes", abstract: "List the open lanes.")

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let root = try await admin.call { try await $0.send(.get, "lanes") }
    let lanes = root["lanes"]?.elements.map { ($0["name"]?.text ?? "", $0["url"]?.text ?? "") } ?? []
    let width = lanes.map(\.0.count).max() ?? 0
    for (name, url) in lanes {
      Terminal.standardOutput.write("\(name)\(String(repeating: " ", count: width - name.count))  \(url)\n")
    }
  }
}

/// `understudy ctl verdict`
struct ControlVerdict: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verdict", abstract: "Show what the client of a lane broke so far; exit 1 if that is an error.")

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let lane = try await admin.call { try await $0.send(.get, "lanes/\(admin.encodedLane)") }
    try Self.report(lane["verdict"], of: lane["name"]?.text ?? "")
  }

  /// Prints a verdict.
  ///
  /// - Throws: Where it failed, and where nothing was checked.
  static func report(_ verdict: JSON?, of lane: String) throws {
    let result = verdict?["verdict"]?.text ?? ""
    let requests = verdict?["requests"]?.int ?? 0
    let isEmpty = requests == 0 && result == "passed"
    var lines = isEmpty ? [] : ["\(result): \(requests.counted("request")) in the lane `\(lane)`"]
    for finding in verdict?["findings"]?.elements ?? JSON.array([]).elements {
      let times = (finding["count"]?.int).map { $0 > 1 ? " (\($0) times)" : "" } ?? ""
      lines.append(
        "\(finding["severity"]?.text ?? "error"): \(finding["message"]?.text ?? "")\(times) [\(finding["rule"]?.text ?? "")]"
      )
      lines += (finding["requests"]?.elements ?? JSON.array([]).elements).map { "  \($0.text)" }
      if let help = finding["help"]?.string { lines.append("  help: \(help)") }
    }
    let reasons = verdict?["reasons"]?.elements ?? JSON.array([]).elements
    lines += reasons.map { "requests may be missing: \($0.text)" }
    for line in lines { Terminal.standardOutput.write(DiagnosticPrinter.visible(line) + "\n") }
    if requests == 0, result != "unknown" {
      Terminal.standardError.write("no request has reached the lane `\(lane)`: nothing was checked\n")
    }
    if ["failed", "unknown"].contains(result) { throw CommandFailure(.findings) }
    if requests == 0 { throw CommandFailure(.nothingChecked) }
  }
}
