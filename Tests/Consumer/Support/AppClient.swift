package import Foundation
internal import Testing
package import UnderstudyClient

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A client as an app would have it.
package struct AppClient: Sendable {
  package let baseURL: URL
  private let session: URLSession
  private static let shared = newSession()

  private static func newSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 500
    return URLSession(configuration: configuration)
  }

  /// - Parameter isAlone: Whether it shares no connection. On Linux URLSession sends a request again whose connection was
  ///   used before and is reset.
  package init(_ lane: Lane, isAlone: Bool = false) {
    baseURL = lane.baseURL
    session = isAlone ? Self.newSession() : Self.shared
  }

  @discardableResult
  package func get(_ target: String) async throws -> (status: Int, text: String) { try await send("GET", target) }

  @discardableResult
  package func send(
    _ method: String, _ target: String, headers: [String: String] = ["idtoken": "t"], form: String? = nil
  ) async throws -> (status: Int, text: String) {
    var headers = headers
    if form != nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
    let answer = try await exchange(method, target, headers: headers, body: form)
    return (answer.status, answer.text)
  }

  package func exchange(
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
