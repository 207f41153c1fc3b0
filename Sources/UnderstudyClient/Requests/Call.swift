public import Foundation

/// A request that the client sent, with its response. What the contract calls a secret is `[redacted]`, unless the mock runs
/// in the process of the test.
public struct Call: Sendable, CustomStringConvertible {
  /// The id of the operation; `nil` for a request that reaches none.
  public let operation: String?
  /// The method in capitals.
  public let method: String
  /// Path and query without the lane: `/v1/chat/u2?lastchatDate=...`.
  public let target: String
  /// The header fields as they were received.
  public let headers: [HeaderField]
  /// The body as it was received.
  public let body: Data
  /// The status of the response; 0 where the client has none, or not yet.
  public let status: Int
  /// The body of the answer.
  public let responseBody: Data
  /// The source of the answer: `fixture readChat/200.empty (forced)`.
  public let reason: String
  /// What the request breaks.
  public let findings: [Finding]
  /// The path of the operation: `/v1/chat/{uid}`.
  let template: String?

  /// A header field.
  public struct HeaderField: Sendable, Hashable {
    /// As the client wrote it.
    public let name: String
    /// As the client wrote it, or `[redacted]`.
    public let value: String
  }

  /// `GET /v1/user 401`
  public var description: String { "\(method) \(target) \(status)" }

  /// The path without the query.
  public var path: String { target.components(separatedBy: "?")[0] }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON; `nil` where it is none.
  public var json: JSONValue? { JSONValue(reading: body) }

  /// The first value of a header field.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
  }

  /// The decoded value of a parameter of the path or the query.
  public func parameter(_ name: String) -> String? { captured(name) ?? parameters(name).first }

  /// All values of a repeated parameter of the query.
  public func parameters(_ name: String) -> [String] {
    guard let start = target.firstIndex(of: "?") else { return [] }
    return FormText(target[target.index(after: start)...]).values(name)
  }

  /// The value of a form field, or of a JSON body at a name or a pointer: `chat`, `/user/nick`.
  public func field(_ name: String) -> String? { fields(name).first }

  /// All values of a repeated form field, or the elements of a JSON array.
  public func fields(_ name: String) -> [String] {
    if isForm { return FormText(text[...]).values(name) }
    guard let value = name.hasPrefix("/") ? json?.at(name) : json?[name] else { return [] }
    return value.array?.compactMap(\.scalarText) ?? [value.scalarText].compactMap { $0 }
  }

  private var isForm: Bool {
    header("Content-Type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
  }

  /// The segment of the path that the template has in braces.
  private func captured(_ name: String) -> String? {
    guard let template else { return nil }
    let segments = path.components(separatedBy: "/")
    let names = template.components(separatedBy: "/")
    guard segments.count == names.count, let position = names.firstIndex(of: "{\(name)}") else { return nil }
    return segments[position].removingPercentEncoding
  }
}

/// Names and values as HTML forms encode them.
struct FormText {
  private let text: Substring

  init(_ text: Substring) { self.text = text }

  func values(_ name: String) -> [String] {
    text.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decode)
      return parts.first == name ? parts.count > 1 ? parts[1] : "" : nil
    }
  }

  private static func decode(_ text: Substring) -> String {
    let spaced = text.replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}
