/// Findings as Prism lists them: in the `validation` array of a problem and in the header `sl-violations`.
enum ViolationList {
  /// `location` is a path into the request; for findings about the answer it starts with `response`.
  static func entry(_ diagnostic: Diagnostic) -> JSON {
    let place = JSONPointer(diagnostic.location?.pointer ?? "")?.tokens ?? []
    let side = diagnostic.owner == .provider ? ["response"] : []
    let help = diagnostic.help.map { " (\($0))" } ?? ""
    return entry(side + place, diagnostic.severity, diagnostic.rule.id, diagnostic.message + help)
  }

  /// A JSON array in ASCII, as a header value must be; its last entry counts the findings beyond `headerLimit`.
  static func header(_ diagnostics: [Diagnostic]) -> String {
    var text = ""
    for (position, diagnostic) in diagnostics.enumerated() {
      let entry = ascii(JSONWriter.text(Self.entry(diagnostic)))
      guard text.utf8.count + entry.utf8.count <= headerLimit else {
        let count = diagnostics.count - position
        let rest = ascii(JSONWriter.text(Self.entry([], .info, "too-many", "\(count) more: see the log")))
        return "[\(text)\(text.isEmpty ? "" : ",")\(rest)]"
      }
      text += (text.isEmpty ? "" : ",") + entry
    }
    return "[\(text)]"
  }

  /// In bytes. Many clients and proxies accept 8 KB for all fields of an answer.
  static let headerLimit = 4_000

  private static func entry(_ location: [String], _ severity: Severity, _ code: String, _ message: String) -> JSON {
    let word =
      switch severity {
      case .info: "Information"
      case .warning: "Warning"
      case .error: "Error"
      }
    return .object([
      ("location", .array(location.map { JSON.string($0) })), ("severity", .string(word)), ("code", .string(code)),
      ("message", .string(message)),
    ])
  }

  /// JSON text in printable ASCII; only strings hold other characters.
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
