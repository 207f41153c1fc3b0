import ArgumentParser
import UnderstudyMock
import UnderstudyVerification

/// `understudy journal FILE`: shows what `serve --journal FILE` or `serve --store` wrote.
struct JournalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Show the requests of a journal: a list, one of them, or a file for other tools.")

  @Argument(
    help: ArgumentHelp(
      "What `serve --journal` or `serve --store` wrote: a file, or postgresql://HOST/DATABASE.", valueName: "file"))
  var file: String

  @Option(
    help: ArgumentHelp("Show the request with this number in full.", valueName: "number"),
    transform: (1...Int.max).number)
  var show: Int?

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, ndjson, har, markdown }

  @Option(
    help: ArgumentHelp(
      """
      text; json; ndjson for a line of JSON each; har for a HAR 1.2 file; with --show also markdown, a report of a bug. \
      (default: text)
      """, valueName: "format"))
  var format = Format.text

  @Option(help: ArgumentHelp("Only requests of this operation.", valueName: "id"))
  var operation: String?

  @Option(help: ArgumentHelp("Only requests with this status.", valueName: "code"), transform: (100...599).number)
  var status: Int?

  @Option(help: ArgumentHelp("Only requests with this method.", valueName: "method"))
  var method: String?

  @Option(help: ArgumentHelp("Only requests in this lane.", valueName: "name"))
  var lane: String?

  @Flag(help: "Only requests with findings.")
  var findings = false

  @Flag(help: "Only requests that reached no operation.")
  var unmatched = false

  @Option(
    help: ArgumentHelp("Only the last requests, so many. (default: all)", valueName: "number"),
    transform: (1...Int.max).number)
  var limit: Int?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if format == .markdown, show == nil {
      throw ValidationError("a report is about one request: name it with --show NUMBER")
    }
  }

  func run() async throws {
    let journal = try JournalSource(file)
    var filter = JournalFile.Filter(
      operation: operation, status: status, method: method, lane: lane, onlyFindings: findings,
      onlyUnmatched: unmatched, number: show, limit: limit)
    if show != nil { filter.limit = 1 }
    var count = 0
    let writer = HARWriter(version: Version.current)
    if format == .har { Terminal.standardOutput.write(String(decoding: writer.head, as: UTF8.self)) }
    try journal.forEach(filter) { detail in
      let separator = count > 0 ? HARFormat.separator : []
      count += 1
      Terminal.standardOutput.write(text(of: detail, after: separator))
    }
    if format == .har { Terminal.standardOutput.write(String(decoding: HARFormat.tail(), as: UTF8.self)) }
    try require(count)
  }

  private func text(of detail: JSON, after separator: [UInt8]) -> String {
    switch format {
    case .har:
      String(decoding: separator, as: UTF8.self) + JSONWriter.text(detail["exchange"] ?? .object([]))
    case .ndjson: JSONWriter.text(detail["exchange"] ?? .object([])) + "\n"
    case .json: JSONWriter.text(detail, .pretty) + "\n"
    case .markdown: ExchangeText(detail).markdown
    case .text: show == nil ? ExchangeText.line(detail) + "\n" : ExchangeText(detail).plain
    }
  }

  private func require(_ count: Int) throws {
    guard count == 0, let show else { return }
    let argument = JournalSource.isServer(file) ? "ADDRESS" : ShellQuoting().word(file)
    throw CommandFailure(
      .notLoadable, "\(JournalSource.name(of: file)): it has no request \(show)",
      help: "`understudy journal \(argument)` lists them")
  }
}
