import Foundation
import Testing
import UnderstudyClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client as an app would have it.
struct AppClient: Sendable {
  let baseURL: URL
  private let session: URLSession
  private static let shared = newSession()

  private static func newSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 500
    return URLSession(configuration: configuration)
  }

  /// - Parameter isAlone: Whether it shares no connection. On Linux URLSession sends a request again whose connection was
  ///   used before and is reset.
  init(_ lane: Lane, isAlone: Bool = false) {
    baseURL = lane.baseURL
    session = isAlone ? Self.newSession() : Self.shared
  }

  @discardableResult
  func get(_ target: String) async throws -> (status: Int, text: String) { try await send("GET", target) }

  @discardableResult
  func send(
    _ method: String, _ target: String, headers: [String: String] = ["idtoken": "t"], form: String? = nil
  ) async throws -> (status: Int, text: String) {
    var headers = headers
    if form != nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
    let answer = try await exchange(method, target, headers: headers, body: form)
    return (answer.status, answer.text)
  }

  func exchange(
    _ method: String, _ target: String, headers: [String: String], body: String?
  ) async throws -> (status: Int, text: String, headers: [String: String]) {
    var request = URLRequest(url: try #require(URL(string: baseURL.absoluteString + target)), timeoutInterval: 30)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = body.map { Data($0.utf8) }
    let (data, response) = try await session.data(for: request)
    let http = response as? HTTPURLResponse
    let fields = (http?.allHeaderFields ?? [:]).map { ("\($0.key)", "\($0.value)") }
    return (
      http?.statusCode ?? 0, String(decoding: data, as: UTF8.self), Dictionary(fields, uniquingKeysWith: { $1 })
    )
  }
}

/// Runs a function as a test with a trait, and returns the failures with their lines.
func failures(
  of trait: LaneTrait, _ function: @escaping @Sendable () async throws -> Void
) async throws -> [String] {
  let found = FoundIssues()
  let test = try #require(Test.current)
  // Intermittent, because a function without failures is a result as well.
  try await withKnownIssue(isIntermittent: true) {
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: function)
  } matching: { issue in
    let line = issue.sourceLocation.map { $0.line == test.sourceLocation.line ? "test" : "line" } ?? "?"
    found.add("\(line): " + (issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined(separator: "\n")))
    return true
  }
  return found.all
}

private final class FoundIssues: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}
