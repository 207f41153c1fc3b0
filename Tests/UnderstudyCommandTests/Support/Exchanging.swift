import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyTestSupport
import UnderstudyVerification

extension RawServer {
  /// A request to this server.
  func request(
    _ method: String = "GET", _ path: String = "/", _ fields: KeyValuePairs<String, String> = [:],
    scheme: String = "http"
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method: HTTPRequest.Method(method) ?? .get, scheme: scheme, authority: "127.0.0.1:\(port)", path: path)
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { request.headerFields.append(HTTPField(name: name, value: value)) }
    }
    return request
  }
}

extension Body {
  /// All of it.
  func text() async throws -> String {
    var bytes: [UInt8] = []
    for try await piece in self { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Runs each test of a suite on a queue of its own. Other tests wait for processes on the threads that all share, and a
/// server of a test gives up before one of those is free.
struct OwnQueue: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(QueueExecutor(test.name)) { try await body() }
  }
}

extension Trait where Self == OwnQueue {
  static var ownQueue: OwnQueue { OwnQueue() }
}
