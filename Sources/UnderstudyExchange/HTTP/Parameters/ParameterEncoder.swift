/// Writes the value of a parameter (OAS 3.x, "Style Values"): the reverse of `ParameterDecoder`.
package struct ParameterEncoder: Sendable {
  /// The encoded value, by its location.
  package enum Wire: Sendable, Equatable {
    case path(String)
    /// Pieces of the query, joined by `&`.
    case query([String])
    case header(String)
    /// Pairs of the `Cookie` field.
    case cookies([String])
  }

  private let parameter: Parameter
  private let style: Parameter.Style
  private let explode: Bool

  package init(_ parameter: Parameter) {
    self.parameter = parameter
    style = parameter.style
    explode = parameter.explode
  }

  /// `nil` for a value that the style cannot write: objects inside objects, an empty path segment, a line end in a header.
  package func encode(_ value: JSON) -> Wire? {
    switch parameter.location {
    case .path: path(value).flatMap { ["", ".", ".."].contains($0) ? nil : .path($0) }
    case .query: query(value).map { .query($0) }
    case .querystring: whole(value).map { .query([$0]) }
    case .header: header(value).map { .header($0) }
    case .cookie: cookies(value).map { .cookies($0) }
    }
  }

  private func path(_ value: JSON) -> String? {
    if parameter.content != nil { return content(value).map(escape) }
    switch style {
    case .label:
      // Exploded values are joined by dots, others by commas.
      return listing(value, separator: explode ? "." : ",").map { "." + $0 }
    case .matrix: return matrix(value)
    case .spaceDelimited, .pipeDelimited, .tabDelimited:
      return listing(value, separator: delimiter)
    default: return listing(value, separator: ",")
    }
  }

  private func matrix(_ value: JSON) -> String? {
    let name = escape(parameter.name)
    guard explode, value.isArray || value.isObject else {
      return listing(value, separator: ",").map { ";\(name)=\($0)" }
    }
    if value.isArray { return texts(value.elements)?.map { ";\(name)=\(escape($0))" }.joined() }
    return members(value)?.map { ";\(escape($0))=\(escape($1))" }.joined()
  }

  private func header(_ value: JSON) -> String? {
    let text: String? =
      if parameter.content != nil {
        content(value)
      } else if value.isArray {
        texts(value.elements)?.joined(separator: ",")
      } else if value.isObject {
        members(value)?.map { explode ? "\($0)=\($1)" : "\($0),\($1)" }.joined(separator: ",")
      } else {
        Self.text(value)
      }
    // White space at either end is not part of the value (RFC 9110, 5.5), and bytes beyond ASCII have no defined encoding.
    return text.flatMap { text in
      let isPlain = text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
      return isPlain && text.utf8.first != 0x20 && text.utf8.last != 0x20 ? text : nil
    }
  }

  private func cookies(_ value: JSON) -> [String]? {
    guard HeaderText.isName(parameter.name) else { return nil }
    return query(value)
  }

  private func query(_ value: JSON) -> [String]? {
    let name = escape(parameter.name)
    if parameter.content != nil { return content(value).map { ["\(name)=\(escape($0))"] } }
    switch style {
    case .deepObject:
      return members(value)?.map { "\(name)%5B\(escape($0))%5D=\(escape($1))" }
    case .spaceDelimited, .pipeDelimited, .tabDelimited:
      return listing(value, separator: delimiter).map { ["\(name)=\($0)"] }
    default:
      guard explode, value.isArray || value.isObject else {
        return listing(value, separator: ",").map { ["\(name)=\($0)"] }
      }
      if value.isArray { return texts(value.elements)?.map { "\(name)=\(escape($0))" } }
      return members(value)?.map { "\(escape($0))=\(escape($1))" }
    }
  }

  /// `in: querystring` (OAS 3.2): the value is the query.
  private func whole(_ value: JSON) -> String? {
    guard let range = parameter.content.flatMap({ MediaRange($0.range) }) else { return nil }
    return range.syntax == .form ? FormText.write(value) : content(value).map(escape)
  }

  private var delimiter: String {
    switch style {
    case .spaceDelimited: "%20"
    case .pipeDelimited: "%7C"
    case .tabDelimited: "%09"
    default: ","
    }
  }

  /// A value, the items of a list, or alternating names and values (`a=1` each when exploded).
  private func listing(_ value: JSON, separator: String) -> String? {
    if value.isArray { return texts(value.elements)?.map(escape).joined(separator: separator) }
    guard value.isObject else { return Self.text(value).map(escape) }
    let glue = explode ? "=" : separator
    return members(value)?.map { escape($0) + glue + escape($1) }.joined(separator: separator)
  }

  private func content(_ value: JSON) -> String? {
    guard parameter.content.flatMap({ MediaRange($0.range) })?.syntax == .json else { return Self.text(value) }
    return JSONWriter.text(value)
  }

  private func texts(_ elements: JSON.Elements) -> [String]? {
    let texts = elements.map(Self.text)
    return texts.contains(nil) ? nil : texts.compactMap { $0 }
  }

  private func members(_ value: JSON) -> [(String, String)]? {
    guard value.isObject else { return nil }
    let members = value.members.map { ($0.name, Self.text($0.value)) }
    return members.contains { $0.1 == nil } ? nil : members.map { ($0.0, $0.1 ?? "") }
  }

  /// The text of a primitive value; `nil` for `null`.
  private static func text(_ value: JSON) -> String? {
    switch value.kind {
    case .string, .number: value.text
    case .true: "true"
    case .false: "false"
    case .null, .array, .object: nil
    }
  }

  private func escape(_ text: String) -> String { PercentEncoding.encode(text) }
}
