import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks the admin API of a mock; an error says what to do next.
struct AdminClient: Sendable {
  let mock: Mock

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
  func send(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [], body: JSONValue? = nil,
    wait: Duration = .zero
  ) async throws -> JSONValue {
    var request = URLRequest(url: try url(path, query))
    request.httpMethod = method
    if let body {
      request.httpBody = Data(body.text.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let token = mock.adminToken { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    let answer: (data: Data, response: HTTPURLResponse)
    do {
      answer = try await Transport.shared.send(request, within: Self.limit + wait)
    } catch let error as URLError {
      throw MockProblem(mock).unreachable(error)
    }
    return try read(answer.data, answer.response, "\(method) \(request.url?.path ?? path)")
  }

  private func read(_ data: Data, _ response: HTTPURLResponse, _ request: String) throws -> JSONValue {
    let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
    let value = JSONValue(reading: data)
    switch response.statusCode {
    case 200...299:
      if let value { return value }
    case 401: throw MockProblem(mock).needsToken
    default:
      // A problem document (RFC 9457).
      if let detail = value?["detail"]?.string, let kind = value?["type"]?.string {
        throw Refusal(
          status: response.statusCode, detail: detail, kind: kind.components(separatedBy: ":").last ?? kind)
      }
    }
    throw MockProblem(mock).isAnotherServer("\(request) was answered with \(response.statusCode) \(type)")
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
