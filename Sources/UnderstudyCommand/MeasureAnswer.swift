import ArgumentParser
import HTTPTypes
import SourceText
import Understudy

/// `understudy measure-answer SPEC PATH`: what the mock alone spends on one request, without a socket.
///
/// Hidden: it serves `make bench`, and `valgrind --tool=callgrind`, which counts instructions.
struct MeasureAnswer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what the mock spends on a request.", shouldDisplay: false)

  @Argument var contract: String
  /// With its base path and query.
  @Argument var path: String
  @Option var method = "GET"
  @Option(name: .customLong("header"), help: "`name: value`, repeatable.")
  var headers: [String] = []
  @Option(help: "The body as text.")
  var body = ""
  @Option var fixtures = "fixtures"
  @Option(help: "How often to ask.")
  var times = 100_000

  func run() throws {
    let (loaded, diagnostics) = Contract.load(contract, fixtures: fixtures)
    guard let loaded else { throw CommandFailure(.notLoadable, diagnostics.first?.message) }
    let mock = Mock(contracts: [loaded])
    guard let method = HTTPRequest.Method(method) else { throw CommandFailure(.usage, "`\(method)` is no method") }
    var request = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
    for header in headers {
      let parts = header.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
        throw CommandFailure(.usage, "`--header \(header)` is no `name: value`")
      }
      request.headerFields.append(HTTPField(name: name, value: String(parts[1])))
    }
    let bytes = Array(body.utf8)
    let first = mock.reply(to: request, body: bytes)
    let clock = ContinuousClock()
    let start = clock.now
    var statuses = 0
    for _ in 0..<max(1, times) { statuses &+= mock.reply(to: request, body: bytes).status }
    let spent = (clock.now - start) / max(1, times)
    Terminal.standardOutput.write(
      "\(method.rawValue) \(path): \(first.status), \(first.reason), \(first.diagnostics.count) findings, "
        + "\((spent / .microseconds(1) * 100).rounded() / 100) us a request\n")
    // Whoever cheats on the loop above gets caught here.
    guard statuses == first.status * max(1, times) else { throw CommandFailure(.internalError, "answers differ") }
  }
}
