import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where ID tokens come from: Firebase in the app, a fixed one in tests.
public protocol TokenSource: Sendable {
  /// The current token, or a new one.
  func token(refreshed: Bool) async throws -> String
}

/// Why a call gave no value.
public enum SLPError: Error, Hashable, Sendable {
  /// 401 with a new token as well.
  case tokenRefused
  /// 406: the caller goes on to sign-up.
  case notRegistered
  /// 500
  case server
  /// 501: the request is wrong.
  case client
  /// A status that the contract does not document.
  case unexpected(status: Int)
  /// The body is not what the status promises.
  case undecodable
  /// No answer.
  case unreachable
}

/// Sends requests with the ID token, and refreshes it once.
struct Session: Sendable {
  let baseURL: URL
  let tokens: any TokenSource
  let timeout: TimeInterval
  private let network: URLSession

  init(baseURL: URL, tokens: any TokenSource, timeout: TimeInterval) {
    self.baseURL = baseURL
    self.tokens = tokens
    self.timeout = timeout
    // On Linux the limit of the session goes before that of a request.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    network = URLSession(configuration: configuration)
  }

  struct Answer {
    let status: Int
    let body: Data
  }

  /// The answer, unless its status is one of the failures that every operation has.
  func send(
    _ method: String, _ path: String, query: [(String, String)] = [], form: [(String, String)]? = nil
  ) async throws -> Answer {
    let answer = try await attempt(method, path, query, form, token: tokens.token(refreshed: false))
    guard answer.status == 401 else { return try checked(answer) }
    // A second 401 is not about the age of the token.
    return try checked(try await attempt(method, path, query, form, token: tokens.token(refreshed: true)))
  }

  private func checked(_ answer: Answer) throws -> Answer {
    switch answer.status {
    case 401: throw SLPError.tokenRefused
    case 406: throw SLPError.notRegistered
    case 500: throw SLPError.server
    case 501: throw SLPError.client
    default: return answer
    }
  }

  private func attempt(
    _ method: String, _ path: String, _ query: [(String, String)], _ form: [(String, String)]?, token: String
  ) async throws -> Answer {
    let pairs = query.isEmpty ? "" : "?" + Self.encoded(query)
    guard let url = URL(string: "v1/\(path)\(pairs)", relativeTo: baseURL) else { throw SLPError.client }
    var request = URLRequest(url: url, timeoutInterval: timeout)
    request.httpMethod = method
    request.setValue(token, forHTTPHeaderField: "idtoken")
    if let form {
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      request.httpBody = Data(Self.encoded(form).utf8)
    }
    let (body, response): (Data, URLResponse)
    do {
      (body, response) = try await network.data(for: request)
    } catch {
      throw SLPError.unreachable
    }
    guard let response = response as? HTTPURLResponse else { throw SLPError.unreachable }
    return Answer(status: response.statusCode, body: body)
  }

  /// `a=1&list=x&list=y`; a list repeats its name, without brackets.
  static func encoded(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
  }

  /// A segment of a path, or a name or value of a form.
  static func escaped(_ text: String) -> String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}

extension Session.Answer {
  /// The value of a 200.
  func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard status == 200 else { throw SLPError.unexpected(status: status) }
    do {
      return try JSONDecoder().decode(type, from: body)
    } catch {
      throw SLPError.undecodable
    }
  }

  /// The meaning of a status; the text of the body has none.
  func meaning<Meaning>(_ meanings: [Int: Meaning]) throws -> Meaning {
    guard let meaning = meanings[status] else { throw SLPError.unexpected(status: status) }
    return meaning
  }
}
