import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends what it is given: the clients below make their own mistakes.
public struct Wire: Sendable {
  let baseURL: URL
  private let session = URLSession(configuration: .ephemeral)

  public init(baseURL: URL) { self.baseURL = baseURL }

  func send(
    _ method: String, _ target: String, token: String = "token", form: String? = nil, json: String? = nil,
    type: String = "application/x-www-form-urlencoded"
  ) async throws -> (status: Int, body: Data) {
    guard let url = URL(string: baseURL.absoluteString + target) else { throw URLError(.badURL) }
    var request = URLRequest(url: url, timeoutInterval: 5)
    request.httpMethod = method
    request.setValue(token, forHTTPHeaderField: "idtoken")
    if let body = form ?? json {
      request.setValue(type, forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(body.utf8)
    }
    let (body, response) = try await session.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, body)
  }
}

/// What the clients throw.
public enum ClientError: Error, Hashable, Sendable {
  case status(Int)
  case decoding
}
