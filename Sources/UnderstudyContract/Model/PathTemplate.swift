/// A path template in its segments: `/users({id})/{name}.json`.
package struct PathTemplate: Sendable {
  /// A run of literal text or one `{name}`.
  package enum Part: Hashable, Sendable {
    case literal([UInt8])
    case expression([UInt8])
  }

  package let segments: [[Part]]

  /// An unpaired brace is plain text. `path` starts with a slash; a missing one is added.
  package init(_ path: String) {
    let rooted = path.utf8.first == UInt8(ascii: "/") ? path.utf8.dropFirst() : path.utf8[...]
    segments = rooted.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Self.parts($0) }
  }

  /// The names of its expressions, in order.
  package var names: [[UInt8]] {
    segments.joined().compactMap { if case .expression(let name) = $0 { name } else { nil } }
  }

  /// The template without its names: templates of the same shape are the same path.
  package var shape: [[Part]] {
    segments.map { $0.map { if case .expression = $0 { .expression([]) } else { $0 } } }
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
}
