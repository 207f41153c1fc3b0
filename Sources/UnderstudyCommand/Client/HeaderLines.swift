import HTTPTypes

/// Parses the head of an answer from lines with their line ends.
struct HeaderLines {
  private var status: HTTPResponse.Status?
  private var fields: [(name: HTTPField.Name, value: String)] = []
  /// Whether a line of any head arrived.
  private(set) var isStarted = false
  /// Whether the head of the final answer is complete. Lines after it are trailers.
  private(set) var isComplete = false

  /// Parses the next line. Returns the head after its blank line, unless the answer is informational (RFC 9110, 15.2).
  mutating func take(_ line: some Collection<UInt8>) -> HTTPResponse? {
    guard !isComplete else { return nil }
    isStarted = true
    let text = line.dropLast { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    if let status {
      if text.isEmpty { return finish(status) }
      addField(text)
    } else {
      status = Self.status(text)
    }
    return nil
  }

  private mutating func finish(_ status: HTTPResponse.Status) -> HTTPResponse? {
    defer { (self.status, fields) = (nil, []) }
    // After 101 the connection uses another protocol, so no other head follows.
    guard status.kind != .informational || status.code == 101 else { return nil }
    isComplete = true
    return HTTPResponse(
      status: status, headerFields: HTTPFields(fields.map { HTTPField(name: $0.name, value: $0.value) }))
  }

  /// `HTTP/1.1 200 OK`; HTTP/2 has no reason phrase.
  private static func status(_ text: some Collection<UInt8>) -> HTTPResponse.Status? {
    let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), 100...999 ~= code else {
      return nil
    }
    return HTTPResponse.Status(
      code: code, reasonPhrase: parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : "")
  }

  private mutating func addField(_ text: some Collection<UInt8>) {
    if let first = text.first, Self.isBlank(first) {
      // A folded line continues the value before it (RFC 9112, 5.2).
      if !fields.isEmpty { fields[fields.count - 1].value += " " + Self.value(text) }
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: text[..<colon], as: UTF8.self))
    else { return }
    fields.append((name, Self.value(text[text.index(after: colon)...])))
  }

  /// Decodes UTF-8; invalid bytes become U+FFFD.
  private static func value(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.drop(while: isBlank).dropLast(isBlank), as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension Collection {
  /// Without the last elements that satisfy a condition.
  fileprivate func dropLast(_ isDropped: (Element) -> Bool) -> [Element] {
    var rest = Array(self)
    while let last = rest.last, isDropped(last) { rest.removeLast() }
    return rest
  }
}
