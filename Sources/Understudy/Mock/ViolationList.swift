/// Findings as Prism lists them: in the `validation` array of a problem and in the header `sl-violations`.
enum ViolationList {
  /// `location` leads to a place of the request, behind a first `response` to one of the answer.
  static func entry(_ diagnostic: Diagnostic) -> JSON {
    let place = JSONPointer(diagnostic.location?.pointer ?? "")?.tokens ?? []
    let side = diagnostic.owner == .provider ? ["response"] : []
    let help = diagnostic.help.map { ". \($0)" } ?? ""
    return .object([
      ("location", .array((side + place).map { JSON.string($0) })),
      ("severity", .string(word(for: diagnostic.severity))),
      ("code", .string(diagnostic.rule.id)),
      ("message", .string(diagnostic.message + help)),
    ])
  }

  /// A JSON array in ASCII, as a header value must be; what would make it longer than clients put up with is counted in
  /// a last entry.
  static func header(_ diagnostics: [Diagnostic]) -> String {
    var text = ""
    for (position, diagnostic) in diagnostics.enumerated() {
      let entry = ascii(JSONWriter.text(Self.entry(diagnostic)))
      guard text.utf8.count + entry.utf8.count <= headerLimit else {
        let rest = ascii(JSONWriter.text(Self.rest(diagnostics.count - position)))
        return "[\(text)\(text.isEmpty ? "" : ",")\(rest)]"
      }
      text += (text.isEmpty ? "" : ",") + entry
    }
    return "[\(text)]"
  }

  /// Bytes. Many clients and proxies take 8 KB for all the fields of an answer.
  static let headerLimit = 4_000

  private static func rest(_ count: Int) -> JSON {
    .object([
      ("location", .array([])), ("severity", .string(word(for: .info))), ("code", .string("too-many")),
      ("message", .string("\(count) more: see the log")),
    ])
  }

  private static func word(for severity: Severity) -> String {
    switch severity {
    case .info: "Information"
    case .warning: "Warning"
    case .error: "Error"
    }
  }

  /// JSON text with all that is not printable ASCII escaped; outside strings there is none.
  private static func ascii(_ text: String) -> String {
    var result = ""
    for unit in text.utf16 {
      if 0x20..<0x7F ~= unit {
        result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return result
  }
}
