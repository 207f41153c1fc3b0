/// A named format; the engine asserts nothing for other names.
enum Format: UInt8, CaseIterable {
  case dateTime, date, time, duration
  case email, idnEmail
  case hostname, idnHostname, ipv4, ipv6
  case uri, uriReference, iri, iriReference, uriTemplate
  case jsonPointer, relativeJSONPointer
  case regex, uuid, byte
  case int32, int64, float, double

  /// How strictly a format is asserted by default.
  enum Weight {
    case strict
    /// Asserted in outline, as contracts use hosts with underscores and URIs that are not encoded.
    case lenient
    /// Not asserted.
    case none
  }

  private var row: (name: String, weight: Weight, example: String) {
    switch self {
    case .dateTime: ("date-time", .strict, "2024-02-29T23:59:59Z")
    case .date: ("date", .strict, "2024-02-29")
    case .time: ("time", .strict, "23:59:59Z")
    case .duration: ("duration", .none, "P1DT12H")
    case .email: ("email", .lenient, "jo@example.com")
    case .idnEmail: ("idn-email", .none, "jo@example.com")
    case .hostname: ("hostname", .lenient, "www.example.com")
    case .idnHostname: ("idn-hostname", .none, "www.example.com")
    case .ipv4: ("ipv4", .strict, "192.0.2.1")
    case .ipv6: ("ipv6", .strict, "2001:db8::1")
    case .uri: ("uri", .lenient, "https://example.com/a?b#c")
    case .uriReference: ("uri-reference", .none, "../a?b")
    case .iri: ("iri", .none, "https://example.com/a?b#c")
    case .iriReference: ("iri-reference", .none, "../a?b")
    case .uriTemplate: ("uri-template", .none, "/users/{id}")
    case .jsonPointer: ("json-pointer", .none, "/a/0")
    case .relativeJSONPointer: ("relative-json-pointer", .none, "1/a")
    case .regex: ("regex", .none, "^a+$")
    case .uuid: ("uuid", .strict, "123e4567-e89b-12d3-a456-426614174000")
    case .byte: ("byte", .strict, "aGVsbG8=")
    case .int32: ("int32", .strict, "a whole number from -2147483648 to 2147483647")
    case .int64: ("int64", .strict, "a whole number from -9223372036854775808 to 9223372036854775807")
    case .float: ("float", .none, "a number that the type can hold")
    case .double: ("double", .none, "a number that the type can hold")
    }
  }

  /// The name in a schema.
  var name: String { row.name }
  /// The strictness by default.
  var weight: Weight { row.weight }
  /// A value of the format, or a description of all, for messages.
  var example: String { row.example }

  static let byName = KnownNames(allCases.map { ($0.name, $0) })

  /// Whether it applies to numbers rather than strings.
  var isNumeric: Bool {
    switch self {
    case .int32, .int64, .float, .double: true
    default: false
    }
  }

  /// A part of a string in memory.
  typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  /// Whether a string has the format; numeric formats accept every string.
  func accepts(_ text: UnsafeBufferPointer<UInt8>, isStrict: Bool) -> Bool {
    let text = text[...]
    return switch self {
    case .dateTime: DateSyntax.isDateTime(text)
    case .date: DateSyntax.isDate(text)
    case .time: DateSyntax.isTime(text)
    case .duration: DateSyntax.isDuration(text)
    case .email: isStrict ? HostSyntax.isEmail(text, allowsUnicode: false) : HostSyntax.looksLikeEmail(text)
    case .idnEmail: HostSyntax.isEmail(text, allowsUnicode: true)
    case .hostname: isStrict ? HostSyntax.isHostname(text) : HostSyntax.looksLikeHostname(text)
    case .idnHostname: InternationalName.isHostname(text)
    case .ipv4: HostSyntax.isIPv4(text)
    case .ipv6: HostSyntax.isIPv6(text)
    case .uri: isStrict ? URISyntax.isURI(text) : URISyntax.looksLikeURI(text)
    case .uriReference: URISyntax.isReference(text)
    case .iri: URISyntax.isURI(text, allowsUnicode: true)
    case .iriReference: URISyntax.isReference(text, allowsUnicode: true)
    case .uriTemplate: URITemplateSyntax.isTemplate(text)
    case .jsonPointer: Self.isJSONPointer(text)
    case .relativeJSONPointer: Self.isRelativeJSONPointer(text)
    case .regex: Pattern.problem(String(decoding: text, as: UTF8.self)) == nil
    case .uuid: Self.isUUID(text)
    case .byte: Base64.decode(Array(text)) != nil
    case .int32, .int64, .float, .double: true
    }
  }
}

extension Format {
  static func isAlphanumeric(_ byte: UInt8) -> Bool { 48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte }

  /// RFC 6901.
  static func isJSONPointer(_ text: Text) -> Bool {
    guard !text.isEmpty else { return true }
    guard text.first == UInt8(ascii: "/") else { return false }
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "~"), rest.first != UInt8(ascii: "0"), rest.first != UInt8(ascii: "1") { return false }
    }
    return true
  }

  static func isRelativeJSONPointer(_ text: Text) -> Bool {
    guard var rest = afterNumber(text) else { return false }
    // An offset among the siblings: in drafts of the format since 2019, and accepted for all dialects.
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      guard rest.dropFirst().first != 48, let behind = afterNumber(rest.dropFirst()) else { return false }
      rest = behind
    }
    return rest.elementsEqual("#".utf8) || isJSONPointer(rest)
  }

  /// The text after a number without leading zeros.
  private static func afterNumber(_ text: Text) -> Text? {
    let digits = text.prefix { 48...57 ~= $0 }
    guard !digits.isEmpty, digits.count == 1 || digits.first != 48 else { return nil }
    return text.dropFirst(digits.count)
  }

  /// RFC 4122.
  static func isUUID(_ text: Text) -> Bool {
    guard text.count == 36 else { return false }
    for (position, byte) in text.enumerated() {
      switch position {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
      default: guard PercentEncoding.hexValue(byte) != nil else { return false }
      }
    }
    return true
  }
}

/// The formats that are asserted (Validation 2020-12, 7.2.1).
package enum FormatAssertion: Sendable {
  /// No format: `format` only annotates.
  case never
  /// As `byDefaultTable`, but none where the vocabulary of the dialect only annotates: from 2019-09 on.
  case byDialect
  /// Each by its `Format.Weight`.
  case byDefaultTable
  /// Every format, strictly.
  case always

  /// `assert`, as in `byDefaultTable`, or `annotate`.
  package init?(named name: String) {
    switch name {
    case "assert": self = .byDefaultTable
    case "annotate": self = .never
    default: return nil
    }
  }
}
