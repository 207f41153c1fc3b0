/// What may stand in a header field (RFC 9110, 5.1 and 5.5).
package enum HeaderText {
  /// A token.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "!#$%&'*+^`|".utf8.contains($0) }
  }

  /// Visible bytes, blanks and tabs: nothing that could start another line.
  package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
}
