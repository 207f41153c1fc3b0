/// A path template in its segments: `/users({id})/{name}.json`.
package struct PathTemplate: Sendable {
  /// A run of literal text or one `{name}`.
  package enum Part: Hashable, Sendable {
    case literal([UInt8])
    case expression([UInt8])
  }

  package let segments: [[Part]]
  /// The regular expressions of variables by their names; empty for a path of OpenAPI.
  package private(set) var patterns: [String: String] = [:]

  /// The name of the variable for one or more segments at the end of a route: `/static/*`.
  package static let rest = "*"

  /// An unpaired brace is plain text. `path` starts with a slash; a missing one is added.
  package init(_ path: String) { segments = Self.segments(of: path).map { Self.parts($0) } }

  /// Reads the path of an operation, which may be a route: `/users/{id:[0-9]+}`, `/static/*`.
  package init(_ path: String, isRoute: Bool) {
    guard isRoute, path.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*") }) else {
      segments = Self.segments(of: path).map { Self.parts($0) }
      return
    }
    var patterns: [String: String] = [:]
    let texts = Self.segments(of: path)
    var segments = texts.map { Self.parts($0, readingPatternsInto: &patterns) }
    if texts.last?.elementsEqual(Self.rest.utf8) == true {
      segments[segments.count - 1] = [.expression(Array(Self.rest.utf8))]
    }
    self.segments = segments
    self.patterns = patterns
  }

  /// Whether its last expression matches one or more segments.
  package var hasRest: Bool {
    guard case .expression(let name)? = segments.last?.first else { return false }
    return name.elementsEqual(Self.rest.utf8)
  }

  /// The names of its expressions, in order.
  package var names: [[UInt8]] {
    segments.joined().compactMap { if case .expression(let name) = $0 { name } else { nil } }
  }

  /// The template without its names: templates of the same shape are the same path.
  package var shape: [[Part]] {
    segments.map { $0.map { if case .expression(let name) = $0 { .expression(shape(of: name)) } else { $0 } } }
  }

  /// Patterns and the rest of a path distinguish routes.
  private func shape(of name: [UInt8]) -> [UInt8] {
    if name.elementsEqual(Self.rest.utf8) { return name }
    return patterns.isEmpty ? [] : Array((patterns[String(decoding: name, as: UTF8.self)] ?? "").utf8)
  }

  /// The path with its expressions replaced by encoded values; `nil` if one is missing.
  package func filled(with values: [(name: String, text: String)]) -> String? {
    var text = ""
    for segment in segments {
      text += "/"
      for part in segment {
        switch part {
        case .literal(let bytes):
          text += Self.encoded(bytes)
        case .expression(let name):
          guard let value = values.first(where: { $0.name.utf8.elementsEqual(name) }) else { return nil }
          text += value.text
        }
      }
    }
    return text
  }

  /// Literal text as a path has it: triplets stay, and a `%` that starts none becomes one (RFC 3986, 2.4).
  private static func encoded(_ literal: [UInt8]) -> String {
    var bytes: [UInt8] = []
    for (index, byte) in literal.enumerated() {
      bytes.append(byte)
      let digits = literal[(index + 1)...].prefix(2)
      let isTriplet = digits.count == 2 && digits.allSatisfy { PercentEncoding.hexValue($0) != nil }
      if byte == UInt8(ascii: "%"), !isTriplet { bytes += "25".utf8 }
    }
    return PercentEncoding.encode(String(decoding: bytes, as: UTF8.self), keeping: "!$&'()*+,;=:@%")
  }

  private static func segments(of path: String) -> [Substring.UTF8View] {
    let rooted = path.utf8.first == UInt8(ascii: "/") ? path.utf8.dropFirst() : path.utf8[...]
    return rooted.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  private static func parts(_ segment: Substring.UTF8View) -> [Part] {
    var parts: [Part] = []
    var rest = segment[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "{")),
      let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
    {
      if start > rest.startIndex { parts.append(.literal(Array(rest[..<start]))) }
      parts.append(.expression(Array(rest[rest.index(after: start)..<end])))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.literal(Array(rest))) }
    return parts
  }

  /// The parts of a segment of a route, whose braces may be nested in patterns.
  private static func parts(
    _ segment: Substring.UTF8View, readingPatternsInto patterns: inout [String: String]
  ) -> [Part] {
    var parts: [Part] = []
    var rest = segment[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "{")), let end = closingBrace(in: rest[start...]) {
      if start > rest.startIndex { parts.append(.literal(Array(rest[..<start]))) }
      let content = rest[rest.index(after: start)..<end]
      let colon = content.firstIndex(of: UInt8(ascii: ":")) ?? content.endIndex
      parts.append(.expression(Array(content[..<colon])))
      if colon < content.endIndex {
        let name = String(decoding: content[..<colon], as: UTF8.self)
        patterns[name] = String(decoding: content[content.index(after: colon)...], as: UTF8.self)
      }
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.literal(Array(rest))) }
    return parts
  }

  private static func closingBrace(in text: Substring.UTF8View) -> Substring.UTF8View.Index? {
    var depth = 0
    for index in text.indices {
      if text[index] == UInt8(ascii: "{") { depth += 1 }
      if text[index] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
