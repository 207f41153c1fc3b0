/// A media type or range, as in a `content` key, `Content-Type` or `Accept` (RFC 9110, sections 8.3.1 and 12.5.1).
package struct MediaRange: Hashable, Sendable, CustomStringConvertible {
  /// In lower case; `*` for any.
  package var type: String
  /// In lower case; `*` for any, `*+json` for any with a suffix (no RFC defines it, but contracts use it).
  package var subtype: String
  /// In the order written.
  package var parameters: [Parameter]

  package struct Parameter: Hashable, Sendable {
    /// In lower case.
    package var name: String
    /// Unquoted; a charset in lower case, since it is case-insensitive.
    package var value: String
  }

  /// Parses `type/subtype; name=value`; `nil` for invalid text. A lone `*`, as old Java clients send it, is `*/*`.
  package init?(_ text: some StringProtocol) {
    let parts = FieldSyntax.split(text.utf8, at: UInt8(ascii: ";"))
    let name = parts[0] == [UInt8(ascii: "*")] ? Array("*/*".utf8) : parts[0]
    guard let slash = name.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let (type, subtype) = (name[..<slash], name[(slash + 1)...])
    guard FieldSyntax.isToken(type), FieldSyntax.isToken(subtype) else { return nil }
    self.type = FieldSyntax.lowercased(type)
    self.subtype = FieldSyntax.lowercased(subtype)
    if self.type == "*", self.subtype != "*" { return nil }
    parameters = parts.dropFirst().compactMap { part in
      let (name, value) = FieldSyntax.parameter(part)
      guard !name.isEmpty, let value else { return nil }
      return Parameter(name: name, value: name == "charset" ? FieldSyntax.lowercased(value.utf8) : value)
    }
  }

  /// The value of a parameter; `name` in lower case.
  package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  package var isRange: Bool { subtype.utf8.first == UInt8(ascii: "*") }

  /// `type/subtype` without parameters.
  package var essence: String { "\(type)/\(subtype)" }

  /// As it would be sent; values are quoted where they must be.
  package var description: String {
    parameters.reduce(into: essence) { text, parameter in
      let needsQuotes = !FieldSyntax.isToken(parameter.value.utf8)
      let value = parameter.value.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" }
      text += "; \(parameter.name)=\(needsQuotes ? "\"\(value)\"" : value)"
    }
  }

  /// Whether a media type falls into this range. Every parameter of this range except `boundary` must agree. A suffix
  /// only concerns parsing: `application/problem+json` is not `application/json`.
  package func matches(_ actual: MediaRange) -> Bool {
    guard type == "*" || type == actual.type, subtypeMatches(actual.subtype) else { return false }
    return parameters.allSatisfy { wanted in
      wanted.name == "boundary" || actual[wanted.name].map { $0.utf8.elementsEqual(wanted.value.utf8) } == true
    }
  }

  /// Orders ranges: the larger, the narrower. `*/*` < `text/*` < `text/*+json` < `text/plain` < `text/plain; a=b`.
  package var specificity: Int {
    let level = type == "*" ? 0 : subtype == "*" ? 1 : isRange ? 2 : 3
    return level * 1000 + min(parameters.count { $0.name != "boundary" }, 999)
  }

  /// The index of the narrowest key that a media type falls into; of equals, the first (OAS 3.1, 4.8.14 and 4.8.17).
  package static func mostSpecific(of keys: some Collection<MediaRange>, for actual: MediaRange) -> Int? {
    var best: (index: Int, specificity: Int)?
    for (index, key) in keys.enumerated() where key.matches(actual) {
      if key.specificity > best?.specificity ?? -1 { best = (index, key.specificity) }
    }
    return best?.index
  }

  private func subtypeMatches(_ actual: String) -> Bool {
    if subtype == "*" || subtype == actual { return true }
    guard isRange else { return false }
    let suffix = subtype.utf8.dropFirst()
    return actual.utf8.count > suffix.count && actual.utf8.suffix(suffix.count).elementsEqual(suffix)
  }

  package enum Syntax: Sendable {
    case json
    /// One JSON text a line, or each after a record separator (RFC 7464).
    case jsonSequence
    /// `text/event-stream`
    case eventStream
    /// `application/x-www-form-urlencoded`
    case form
    case multipart
    /// Mapped by the `xml` objects of the schema.
    case xml
    case text
    case binary
  }

  /// How bytes of this type are read; only here a suffix such as `+json` counts (RFC 6838, section 4.2.8).
  package var syntax: Syntax {
    switch (type, subtype) {
    case (_, "json"), (_, "*+json"): .json
    case (_, "jsonl"), (_, "x-ndjson"), (_, "ndjson"), (_, "json-seq"): .jsonSequence
    case ("text", "event-stream"): .eventStream
    case ("application", "x-www-form-urlencoded"): .form
    case ("multipart", _): .multipart
    case (_, "xml"): .xml
    case _ where hasSuffix("+json"): .json
    case _ where hasSuffix("+json-seq"): .jsonSequence
    case _ where hasSuffix("+xml"): .xml
    case ("text", _): .text
    default: .binary
    }
  }

  func hasSuffix(_ suffix: String) -> Bool { subtype.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }
}
