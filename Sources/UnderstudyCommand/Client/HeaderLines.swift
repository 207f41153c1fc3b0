import UnderstudyVerification

/// Parses the head of an answer from lines with their line ends.
struct HeaderLines {
  private var status: HTTPResponse.Status?
  private var fields: [(name: HTTPField.Name, value: [UInt8])] = []
  /// Whether a line of any head arrived.
  private(set) var isStarted = false
  /// Whether the head of the final answer is complete. Lines after it are trailers.
  private(set) var isComplete = false
  private let asksForProtocol: Bool
  private var bytes = 0

  /// The maximum number of bytes of heads and trailers: libcurl stores each line, and has the same limit for a head.
  private static let maximumBytes = 300 * 1024

  /// - Parameter asksForProtocol: Whether the request asks for another protocol, so that 101 is a final answer.
  init(asksForProtocol: Bool = false) { self.asksForProtocol = asksForProtocol }

  /// Parses the next line. Returns the head after its blank line, unless the answer is informational (RFC 9110, 15.2).
  /// Throws if the answer cannot be passed on.
  mutating func take(_ line: some Collection<UInt8>) throws(UpstreamFailure) -> HTTPResponse? {
    bytes += line.count
    guard bytes <= Self.maximumBytes else {
      throw UpstreamFailure(
        .malformed, "the \(isComplete ? "trailers" : "headers") of its response are longer than 300 KiB")
    }
    guard !isComplete else { return nil }
    isStarted = true
    let text = line.dropLast { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    if let status {
      if text.isEmpty { return try finish(status) }
      addField(text)
    } else {
      status = try Self.status(text)
    }
    return nil
  }

  private mutating func finish(_ status: HTTPResponse.Status) throws(UpstreamFailure) -> HTTPResponse? {
    defer { (self.status, fields) = (nil, []) }
    // No final answer follows (RFC 9110, 15.2.2).
    guard status.code != 101 || asksForProtocol else {
      throw UpstreamFailure(.malformed, "it answered 101 (Switching Protocols), which the request did not ask for")
    }
    guard status.kind != .informational || status.code == 101 else { return nil }
    isComplete = true
    let response = HTTPResponse(
      status: status, headerFields: HTTPFields(fields.map { HTTPField(name: $0.name, lenientValue: $0.value) }))
    guard response.hasOneLength else {
      throw UpstreamFailure(.malformed, "its answer has several or malformed lengths in Content-Length (RFC 9112, 6.3)")
    }
    return response
  }

  /// `HTTP/1.1 200 OK`
  private static func status(_ text: [UInt8]) throws(UpstreamFailure) -> HTTPResponse.Status {
    let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    // Three digits (RFC 9112, 4), of which the first is the class of the answer (RFC 9110, 15).
    guard parts.count > 1, parts[1].count == 3, let code = Int(String(decoding: parts[1], as: UTF8.self)), code >= 100
    else {
      let shown = VisibleText.line(VisibleText.shortened(String(decoding: text, as: UTF8.self), to: 80))
      throw UpstreamFailure(.malformed, "its answer is not HTTP: the status line is `\(shown)`")
    }
    return HTTPResponse.Status(
      code: code, reasonPhrase: parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : "")
  }

  private mutating func addField(_ text: some Collection<UInt8>) {
    if let first = text.first, Self.isBlank(first) {
      // A folded line continues the value before it (RFC 9112, 5.2).
      if !fields.isEmpty { fields[fields.count - 1].value += [UInt8(ascii: " ")] + Self.value(text) }
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: text[..<colon], as: UTF8.self))
    else { return }
    fields.append((name, Self.value(text[text.index(after: colon)...])))
  }

  /// As sent: values are bytes of any charset (RFC 9110, 5.5).
  private static func value(_ bytes: some Collection<UInt8>) -> [UInt8] {
    Array(bytes.drop(while: isBlank)).dropLast(isBlank)
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

extension HTTPResponse {
  /// Whether the fields agree on the length. Different lengths delimit different messages (RFC 9112, 6.3), and a field
  /// that repeats one length is harmless.
  fileprivate var hasOneLength: Bool {
    // Transfer-Encoding overrides Content-Length.
    guard headerFields[.transferEncoding] == nil, let first = contentLengths.first else { return true }
    return Int(first) != nil && first.utf8.allSatisfy { 48...57 ~= $0 } && contentLengths.allSatisfy { $0 == first }
  }

  private var contentLengths: [Substring] {
    headerFields[values: .contentLength].flatMap { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { $0.drop { $0 == " " }.prefix { $0 != " " } }
    }
  }

  /// The length of the body in bytes, if the head states it.
  var announcedLength: Int? {
    headerFields[.transferEncoding] == nil ? contentLengths.first.flatMap { Int($0) } : nil
  }
}
