/// How characters of a value are written.
enum WireCoding: Sendable {
  /// Percent-encoding, `+` for a space: queries and form bodies.
  case form
  /// Percent-encoding: paths and cookies.
  case percent
  /// As it is: header fields and multipart.
  case verbatim

  /// The text of some bytes, or a problem with their encoding.
  func decode(_ bytes: some Collection<UInt8>, key: String) throws(DecodingProblem) -> String {
    let text =
      switch self {
      case .form: PercentEncoding.decode(bytes, plusIsSpace: true)
      case .percent: PercentEncoding.decode(bytes)
      case .verbatim: String(validating: bytes, as: UTF8.self)
      }
    guard let text else {
      let shown = String(decoding: bytes.prefix(60), as: UTF8.self)
      throw DecodingProblem(
        .percentEncoding, key,
        self == .verbatim
          ? "the value of `\(key)` is not UTF-8"
          : "`\(shown)` in `\(key)` is not percent-encoded UTF-8: a literal % is written %25")
    }
    return text
  }
}

/// Names and raw values of a query, a form body or the cookies; names are decoded once for all decoders.
package struct WirePairs: Sendable {
  struct Item: Sendable {
    /// Decoded; where that is impossible, as it came.
    var name: String
    var raw: [UInt8]
    var hasEquals: Bool
    /// The value, where it needs no reading any more: a part of a multipart body that is JSON or a file.
    var value: JSON?

    var rawValue: RawValue { value.map { .value($0) } ?? .text(raw) }
  }

  var items: [Item]
  let coding: WireCoding
  /// Whether there were more than the limit.
  package let isTruncated: Bool

  package init(_ query: Query) {
    coding = .form
    isTruncated = query.isTruncated
    items = query.pairs.map { pair in
      let name = query.name(of: pair) ?? String(decoding: query.bytes[pair.name], as: UTF8.self)
      return Item(name: name, raw: Array(query.bytes[pair.value]), hasEquals: pair.hasEquals)
    }
  }

  /// The cookies of all `Cookie` lines (RFC 6265, section 5.4); names are taken as they are.
  package init(cookies lines: [String]) {
    coding = .percent
    isTruncated = false
    items = lines.flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ";")) }.filter { !$0.isEmpty }.map { cookie in
      let equals = cookie.firstIndex(of: UInt8(ascii: "="))
      return Item(
        name: String(decoding: cookie[..<(equals ?? cookie.count)], as: UTF8.self),
        raw: equals.map { Array(cookie[($0 + 1)...]) } ?? [], hasEquals: equals != nil)
    }
  }

  /// The parts of a multipart body: nothing in them is percent-encoded.
  init(parts items: [Item]) {
    self.items = items
    coding = .verbatim
    isTruncated = false
  }

  /// Every name, in order, repeated as it came.
  package var names: [String] { items.map(\.name) }

  func values(of name: String) -> [Item] { items.filter { $0.name.utf8.elementsEqual(name.utf8) } }
}
