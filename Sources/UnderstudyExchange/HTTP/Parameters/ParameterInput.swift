/// The parts of a request that hold parameters, each split once, on demand.
package final class ParameterInput {
  /// The query as received; `nil` without a `?`.
  let rawQuery: [UInt8]?
  package private(set) lazy var pairs = Query(rawQuery ?? [])
  package private(set) lazy var query = WirePairs(pairs)
  package private(set) lazy var cookies = WirePairs(cookies: fields.lines(named: "cookie"))
  private let target: String
  private let fields: HTTPFields
  private let captures: [(name: String, range: Range<Int>)]

  /// `captures` are those of the router, as ranges of `target`'s UTF-8.
  package init(
    target: String, fields: HTTPFields = HTTPFields(), captures: [(name: String, range: Range<Int>)] = []
  ) {
    self.target = target
    self.fields = fields
    self.captures = captures
    var target = target
    rawQuery = target.withUTF8 { bytes in RequestTarget(bytes).query.map { Array(bytes[$0]) } }
  }

  /// A request that holds one parameter and nothing else; its text may be percent-encoded already.
  package convenience init(_ parameter: Parameter, text: String, isEncoded: Bool) {
    let raw = isEncoded ? text : PercentEncoding.encode(text, keeping: "")
    let name = PercentEncoding.encode(parameter.name, keeping: "")
    switch parameter.location {
    case .query: self.init(target: "/?\(name)=\(raw)")
    case .querystring: self.init(target: "/?\(raw)")
    case .path:
      let target = "/" + raw
      self.init(target: target, captures: [(parameter.name, 1..<target.utf8.count)])
    case .header:
      var fields = HTTPFields()
      if let name = HTTPField.Name(parameter.name), HeaderText.isValue(text) {
        fields.append(HTTPField(name: name, value: text))
      }
      self.init(target: "/", fields: fields)
    case .cookie:
      var fields = HTTPFields()
      if HeaderText.isValue(text) { fields[.cookie] = "\(parameter.name)=\(raw)" }
      self.init(target: "/", fields: fields)
    }
  }

  package var hasQuery: Bool { rawQuery?.isEmpty == false }

  /// Whether the query has a `=` without a name and a value, which no pair of the query shows.
  var hasLoneEquals: Bool {
    guard let rawQuery else { return false }
    let (equals, separator) = (UInt8(ascii: "="), UInt8(ascii: "&"))
    return rawQuery.indices.contains { index in
      rawQuery[index] == equals && (index == 0 || rawQuery[index - 1] == separator)
        && (index == rawQuery.count - 1 || rawQuery[index + 1] == separator)
    }
  }

  /// The raw value of a path parameter, or of a header: all its lines, joined (RFC 9110, section 5.3).
  func single(_ parameter: Parameter) -> ArraySlice<UInt8>? {
    if parameter.location == .path {
      guard let capture = captures.first(where: { $0.name.utf8Equals(parameter.name) }) else { return nil }
      var target = target
      return target.withUTF8 { bytes in Array(bytes[capture.range.clamped(to: 0..<bytes.count)])[...] }
    }
    if let lines = cookieLines(parameter) { return lines.first }
    let lines = fields.lines(named: parameter.name)
    guard let first = lines.first else { return nil }
    return FieldSyntax.trimmed(Array((lines.count == 1 ? first : lines.joined(separator: ", ")).utf8)[...])
  }

  /// The lines of `Set-Cookie`, the one field whose lines cannot be joined (RFC 9110, section 5.3); `nil` for others.
  func cookieLines(_ parameter: Parameter) -> [ArraySlice<UInt8>]? {
    guard parameter.location == .header, FieldSyntax.equalIgnoringCase(parameter.name.utf8, "set-cookie".utf8) else {
      return nil
    }
    let lines = fields.lines(named: parameter.name)
    return lines.isEmpty ? nil : lines.map { Array($0.utf8)[...] }
  }
}
