/// Names and values of header fields (RFC 9110, 5.1 and 5.5).
package enum HeaderText {
  /// A token.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "!#$%&'*+^`|".utf8.contains($0) }
  }

  /// Visible bytes, spaces and tabs, but no line ends.
  package static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// A value in style `simple` (RFC 6570, 3.2.2), as response headers are written.
  // Not inlined: with its recursion it would be kilobytes in every caller.
  @inline(never)
  package static func simple(_ value: JSON, explode: Bool) -> String {
    switch value.kind {
    case .array: value.elements.map { simple($0, explode: false) }.joined(separator: ",")
    case .object:
      value.members.map { "\($0.name)\(explode ? "=" : ",")\(simple($0.value, explode: false))" }.joined(separator: ",")
    case .string, .number: value.text
    case .null: ""
    case .true: "true"
    case .false: "false"
    }
  }
}

extension HTTPFields {
  /// Fields in their order; invalid names are left out.
  package init(_ fields: [(name: String, value: String)]) {
    self.init()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
    }
  }
}
