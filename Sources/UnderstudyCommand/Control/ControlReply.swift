import ArgumentParser
import UnderstudyVerification

/// `understudy ctl reply OPERATION`
struct ControlReply: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reply",
    abstract: "Answer an operation with any response, from the next request on.",
    discussion: """
      An answer of the contract by --status, --meaning or --fixture; with a body or a header field it is a response of its \
      own, which the contract need not document.
      """)

  @Argument(help: ArgumentHelp("Its id, or its method and path: readChat, 'GET /chat'.", valueName: "operation"))
  var operation: String

  @Option(help: ArgumentHelp("A status, as 404.", valueName: "status"), transform: (200...599).number)
  var status: Int?

  @Option(help: ArgumentHelp("A meaning of the contract, as penaltyFirst.", valueName: "name"))
  var meaning: String?

  @Option(help: ArgumentHelp("A fixture, as 200.empty.", valueName: "name"))
  var fixture: String?

  @Option(help: ArgumentHelp("A JSON body.", valueName: "json"))
  var json: String?

  @Option(help: ArgumentHelp("A text body.", valueName: "text"))
  var text: String?

  @Flag(help: "Fill the templates in the body and the header fields for each request.")
  var template = false

  @Option(
    name: [.customShort("H"), .long], parsing: .singleValue,
    help: ArgumentHelp("A header field, as 'Retry-After: 2'.", valueName: "field"))
  var header: [String] = []

  @Option(help: ArgumentHelp("A time before the response: 2s.", valueName: "time"))
  var delay: String?

  @Option(
    help: ArgumentHelp("Breaks the response, as `serve --fault` does: reset, hang, reset:body.", valueName: "fault"))
  var fault: String?

  @Option(
    help: ArgumentHelp("Only for so many requests; for all without it.", valueName: "number"),
    transform: (1...ScenarioSequence.timesLimit).number)
  var times: Int?

  @OptionGroup var admin: AdminOptions

  func run() async throws {
    let reply = try await admin.call { try await $0.send(.post, "lanes/\(admin.encodedLane)/replies", try body()) }
    let steps = reply["steps"]?.elements.map(\.text).joined(separator: ", ") ?? ""
    let lines = [
      "lane      \(admin.namedLane ?? "default")",
      "reply     \(reply["operation"]?.text ?? "")=\(steps)" + (times.map { " for \($0.counted("request"))" } ?? ""),
    ]
    if let warning = reply["warning"]?.string {
      Terminal.standardError.write("warning: \(DiagnosticPrinter.visible(warning))\n")
    }
    for line in lines { Terminal.standardOutput.write(DiagnosticPrinter.visible(line) + "\n") }
  }

  private func body() throws -> JSON {
    var members: [(String, JSON?)] = [
      ("operation", .string(operation)), ("status", status.map { .integer($0) }), ("meaning", meaning.map(JSON.string)),
      ("fixture", fixture.map(JSON.string)), ("text", text.map(JSON.string)), ("delay", delay.map(JSON.string)),
      ("fault", fault.map(JSON.string)), ("times", times.map { .integer($0) }),
      ("template", template ? true : nil),
    ]
    if let json {
      do {
        members.append(("json", try JSONParser.parse(Array(json.utf8)).root))
      } catch {
        throw CommandFailure(
          .usage, "`--json` is not JSON: \(error.message)", help: "expected a value, as in --json '{\"chat\": []}'")
      }
    }
    if !header.isEmpty { members.append(("headers", .object(try fields()))) }
    return .object(present: members)
  }

  private func fields() throws -> [(String, JSON)] {
    var values: [(name: String, values: [JSON])] = []
    for field in header {
      guard let colon = field.firstIndex(of: ":"), colon > field.startIndex else {
        throw CommandFailure(
          .usage, "`--header \(field)` has no value", help: "expected a field, as in 'Retry-After: 2'")
      }
      let (name, value) = (
        String(field[..<colon]), JSON.string(String(field[field.index(after: colon)...].drop { $0 == " " }))
      )
      if let known = values.firstIndex(where: { $0.name == name }) {
        values[known].values.append(value)
      } else {
        values.append((name, [value]))
      }
    }
    return values.map { ($0.name, .array($0.values)) }
  }
}
