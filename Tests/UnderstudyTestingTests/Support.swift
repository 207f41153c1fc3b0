import Foundation
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyTesting

/// Sends a GET request to the current mock by a raw socket.
@discardableResult
func send(
  _ target: String, fields: String = "idtoken: t\r\n", to lane: Lane? = .current
) throws -> RawClient.Response {
  try send("GET", target, fields, to: lane)
}

/// Sends a request to the current mock by a raw socket.
@discardableResult
func send(
  _ method: String, _ target: String, _ fields: String = "idtoken: t\r\n", body: String? = nil,
  to lane: Lane? = .current
) throws -> RawClient.Response {
  let base = try #require(lane?.baseURL)
  let client = try RawClient(port: try #require(base.port))
  let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
  try client.send("\(method) \(base.path)\(target) HTTP/1.1\r\nHost: test\r\n\(fields)\(length)\r\n\(body ?? "")")
  return try client.response(hasBody: method != "HEAD")
}

let form = "idtoken: t\r\nContent-Type: application/x-www-form-urlencoded\r\n"

/// Runs a function as a test with a trait, and returns the failures with their lines.
func failures(
  of trait: LaneTrait, _ function: @escaping @Sendable () async throws -> Void
) async throws -> [String] {
  let found = Mutex<[String]>([])
  let test = try #require(Test.current)
  // Intermittent, because a function without failures is a result as well.
  try await withKnownIssue(isIntermittent: true) {
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: function)
  } matching: { issue in
    let line = issue.sourceLocation.map { $0.line == test.sourceLocation.line ? "test" : "line \($0.line)" } ?? "?"
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    found.withLock { $0.append("\(line): \(issue.error.map { "\($0)" } ?? text)") }
    return true
  }
  return found.withLock { $0 }
}

/// Clients with open connections.
final class KeptClients: @unchecked Sendable {
  private let lock = NSLock()
  private var clients: [RawClient] = []

  func keep(_ client: RawClient) { lock.withLock { clients.append(client) } }
}

/// Runs a suite that fails on purpose in a process of its own; returns what is printed.
func output(ofFailing suite: String, _ options: String...) throws -> String {
  let result = try runTests(suite, options, environment: ["UNDERSTUDY_FAILING_TESTS": "1"])
  #expect(result.code == 1)
  return result.output + result.error
}

/// Runs tests of this bundle in a process of their own.
func runTests(
  _ filter: String, _ options: [String] = [], environment: [String: String]
) throws -> Command.Result {
  let arguments = CommandLine.arguments
  // On macOS a helper loads the bundle of the tests.
  let bundle = arguments.firstIndex(of: "--test-bundle-path").map { Array(arguments[$0...].prefix(2)) } ?? []
  return try Command.run(
    arguments[0], bundle + ["--testing-library", "swift-testing", "--filter", filter] + options,
    environment: environment)
}
