import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks the admin API of a mock; an error says what to do next.
package struct AdminClient: Sendable {
  let mock: RunningMock

  /// The longest time to a response; the admin API takes milliseconds, on a busy machine seconds.
  private static let limit = Duration.seconds(30)

  /// A refusal of the admin API.
  struct Refusal: Error {
    let status: Int
    /// The problem with its advice in brackets.
    let detail: String
    /// `lane-taken`, `not-found`, ...
    let kind: String
  }

  /// - Parameters:
  ///   - path: Below the root of the admin API: `lanes/NAME`.
  ///   - wait: The time that the mock may hold the request, in addition to the time of a response.
  /// - Throws: `Refusal`, or `UnderstudyError` where no mock answers.
  package func send(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [], body: JSONValue? = nil,
    wait: Duration = .zero
  ) async throws -> JSONValue {
    let request = AdminRequest(
      method: method, url: try url(path, query), body: body.map { Data($0.text.utf8) }, token: mock.adminToken)
    let response: AdminResponse
    do {
      response = try await mock.transport.send(request, within: Self.limit + wait)
    } catch let error as URLError {
      throw MockProblem(mock).unreachable(error)
    }
    return try read(response, "\(method) \(request.url.path)")
  }

  private func read(_ response: AdminResponse, _ request: String) throws -> JSONValue {
    let value = JSONValue(reading: response.body)
    switch response.status {
    case 200...299:
      if let value { return value }
    case 401: throw MockProblem(mock).needsToken
    default:
      // A problem document (RFC 9457).
      if let detail = value?["detail"]?.string, let kind = value?["type"]?.string {
        throw Refusal(
          status: response.status, detail: detail, kind: kind.components(separatedBy: ":").last ?? kind)
      }
    }
    throw MockProblem(mock).isAnotherServer("\(request) was answered with \(response.status) \(response.type)")
  }

  private func url(_ path: String, _ query: [(name: String, value: String)]) throws -> URL {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let pairs = query.map { "\($0.name)=\($0.value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
    let text = mock.adminRoot + "/" + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme) else { throw MockProblem(mock).isNoURL }
    return url
  }
}
