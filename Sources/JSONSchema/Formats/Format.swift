/// A named format; any other name promises nothing.
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
    /// Asserted to the letter.
    case strict
    /// Asserted in outline: people write hosts with underscores and URIs with spaces left out, and mean it.
    case lenient
    /// A hint.
    case none
  }

  /// The table: the name in the schema, and the weight by default.
  private var row: (name: String, weight: Weight) {
    switch self {
    case .dateTime: ("date-time", .strict)
    case .date: ("date", .strict)
    case .time: ("time", .strict)
    case .duration: ("duration", .none)
    case .email: ("email", .lenient)
    case .idnEmail: ("idn-email", .none)
    case .hostname: ("hostname", .lenient)
    case .idnHostname: ("idn-hostname", .none)
    case .ipv4: ("ipv4", .strict)
    case .ipv6: ("ipv6", .strict)
    case .uri: ("uri", .lenient)
    case .uriReference: ("uri-reference", .none)
    case .iri: ("iri", .none)
    case .iriReference: ("iri-reference", .none)
    case .uriTemplate: ("uri-template", .none)
    case .jsonPointer: ("json-pointer", .none)
    case .relativeJSONPointer: ("relative-json-pointer", .none)
    case .regex: ("regex", .none)
    case .uuid: ("uuid", .strict)
    case .byte: ("byte", .strict)
    case .int32: ("int32", .strict)
    case .int64: ("int64", .strict)
    case .float: ("float", .none)
    case .double: ("double", .none)
    }
  }

  var name: String { row.name }
  var weight: Weight { row.weight }

  static let byName = KnownNames(allCases.map { ($0.name, $0) })

  /// Whether it speaks about numbers rather than strings.
  var isNumeric: Bool {
    switch self {
    case .int32, .int64, .float, .double: true
    default: false
    }
  }

  /// A part of a string as it lies in memory.
  typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  /// Whether a string has the format; numeric formats accept every string.
  func accepts(_ text: UnsafeBufferPointer<UInt8>, isStrict: Bool) -> Bool {
    let text = text[...]
    return switch self {
    case .dateTime: Self.isDateTime(text)
    case .date: Self.isDate(text)
    case .time: Self.isTime(text)
    case .duration: Self.isDuration(text)
    case .email: isStrict ? Self.isEmail(text, allowsUnicode: false) : Self.looksLikeEmail(text)
    case .idnEmail: Self.isEmail(text, allowsUnicode: true)
    case .hostname: isStrict ? Self.isHostname(text) : Self.looksLikeHostname(text)
    case .idnHostname: InternationalName.isHostname(text)
    case .ipv4: Self.isIPv4(text)
    case .ipv6: Self.isIPv6(text)
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

  /// A description of the format's values, for messages.
  var example: String {
    switch self {
    case .dateTime: "2024-02-29T23:59:59Z"
    case .date: "2024-02-29"
    case .time: "23:59:59Z"
    case .duration: "P1DT12H"
    case .email, .idnEmail: "jo@example.com"
    case .hostname, .idnHostname: "www.example.com"
    case .ipv4: "192.0.2.1"
    case .ipv6: "2001:db8::1"
    case .uri, .iri: "https://example.com/a?b#c"
    case .uriReference, .iriReference: "../a?b"
    case .uriTemplate: "/users/{id}"
    case .jsonPointer: "/a/0"
    case .relativeJSONPointer: "1/a"
    case .regex: "^a+$"
    case .uuid: "123e4567-e89b-12d3-a456-426614174000"
    case .byte: "aGVsbG8="
    case .int32: "a whole number from -2147483648 to 2147483647"
    case .int64: "a whole number from -9223372036854775808 to 9223372036854775807"
    case .float, .double: "a number that the type can hold"
    }
  }
}

/// Which formats are promises (Validation 2020-12, 7.2.1).
package enum FormatAssertion: Sendable {
  /// None: `format` only annotates.
  case never
  /// Those with a plain grammar strictly, `email`, `uri` and `hostname` in outline, the rest not.
  case byDefaultTable
  /// All of them, to the letter.
  case always
}
