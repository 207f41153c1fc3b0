package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests to the admin API of a mock.
package protocol AdminTransport: Sendable {
  /// Whether the mock shows what its contract calls a secret: only to tests in its own process.
  var showsSecrets: Bool { get }

  /// Sends a request.
  ///
  /// - Parameter limit: The time limit for the response.
  /// - Throws: `URLError` without a response.
  func send(_ request: AdminRequest, within limit: Duration) async throws -> AdminResponse

  /// Gets each sweep that has ended, for its coverage.
  func note(_ sweep: Sweep) async throws
}

extension AdminTransport {
  package func note(_ sweep: Sweep) async throws {}
}

extension AdminTransport {
  package var showsSecrets: Bool { false }
}

/// A request to the admin API.
package struct AdminRequest: Sendable {
  /// The method in capitals.
  package let method: String
  package let url: URL
  package let body: Data?
  let token: String?

  /// The path and the query.
  package var target: String { url.path + (url.query.map { "?" + $0 } ?? "") }

  var urlRequest: URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let body {
      request.httpBody = body
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    return request
  }
}

/// A response of the admin API.
package struct AdminResponse: Sendable {
  let status: Int
  /// The media type; empty if unknown.
  let type: String
  let body: Data

  package init(status: Int, type: String, body: Data) { (self.status, self.type, self.body) = (status, type, body) }
}
