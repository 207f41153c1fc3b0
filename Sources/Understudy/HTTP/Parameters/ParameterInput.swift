package import HTTPTypes

/// The parts of a request that parameters are read from, split once for all of them.
package struct ParameterInput: Sendable {
  package let query: WirePairs
  package let cookies: WirePairs
  /// The query as it came; `nil` without a `?`.
  let rawQuery: [UInt8]?
  private let fields: HTTPFields
  private let captures: [(name: String, raw: [UInt8])]

  /// `captures` are those of the router's match, as ranges of `target`'s UTF-8.
  package init(
    target: String, fields: HTTPFields = HTTPFields(), captures: [(name: String, range: Range<Int>)] = []
  ) {
    let bytes = Array(target.utf8)
    rawQuery = RequestTarget(target).query.map { Array(bytes[$0]) }
    query = WirePairs(Query(rawQuery ?? []))
    cookies = WirePairs(cookies: fields.lines(named: "cookie"))
    self.fields = fields
    self.captures = captures.map { ($0.name, Array(bytes[$0.range.clamped(to: 0..<bytes.count)])) }
  }

  /// The raw value of a path parameter, or of a header: all its lines, joined (RFC 9110, section 5.3).
  func single(_ parameter: Parameter) -> [UInt8]? {
    if parameter.location == .path {
      return captures.first { $0.name.utf8.elementsEqual(parameter.name.utf8) }?.raw
    }
    if let lines = cookieLines(parameter) { return lines.first }
    let lines = fields.lines(named: parameter.name)
    return lines.isEmpty ? nil : FieldSyntax.trimmed(Array(lines.joined(separator: ", ").utf8))
  }

  /// The lines of `Set-Cookie`, the one field whose lines cannot be joined (RFC 9110, section 5.3); `nil` for others.
  func cookieLines(_ parameter: Parameter) -> [[UInt8]]? {
    guard parameter.location == .header, FieldSyntax.equalIgnoringCase(parameter.name.utf8, "set-cookie".utf8) else {
      return nil
    }
    let lines = fields.lines(named: parameter.name)
    return lines.isEmpty ? nil : lines.map { Array($0.utf8) }
  }
}
