import ArgumentParser
import HTTPTypes
import UnderstudyMock
import UnderstudyVerification

/// `UnderstudyEvidence replies CONTRACT PATH`: the cost of one request in the mock, without a socket.
///
/// Under `valgrind --tool=callgrind` it counts instructions.
struct Replies: ParsableCommand {
  @Argument var contract: String
  @Argument(help: "With its base path and query.") var path: String
  @Option var method = "GET"
  @Option(name: .customLong("header"), help: "`name: value`, repeatable.") var headers: [String] = []
  @Option(help: "The body as text.") var body = ""
  @Option var fixtures = "fixtures"
  @Option(help: "The number of requests.") var times = 100_000

  func run() throws {
    let (loaded, diagnostics) = Contract.load(contract, fixtures: fixtures)
    guard let loaded else { throw ValidationError(diagnostics.first?.message ?? "\(contract) is not loadable") }
    let mock = Mock(contracts: [loaded])
    guard let method = HTTPRequest.Method(method) else { throw ValidationError("`\(method)` is not a method") }
    var request = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
    for header in headers {
      let parts = header.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else {
        throw ValidationError("`--header \(header)` is not `name: value`")
      }
      request.headerFields.append(HTTPField(name: name, value: String(parts[1])))
    }
    let bytes = Array(body.utf8)
    let first = mock.reply(to: request, body: bytes)
    let count = max(1, times)
    var statuses = 0
    let elapsed = ContinuousClock().measure {
      for _ in 0..<count { statuses &+= mock.reply(to: request, body: bytes).status }
    }
    print(
      "\(method.rawValue) \(path): \(first.status), \(first.source), \(first.diagnostics.count) findings, "
        + "\((elapsed / count / .microseconds(1)).hundredths) us a request")
    guard statuses == first.status * count else { throw ValidationError("the replies differ") }
  }
}
