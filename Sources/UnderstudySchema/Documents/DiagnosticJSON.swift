/// A finding as one line of JSON, for scripts.
package enum DiagnosticJSON {
  /// The line with its line break.
  package static func line(_ diagnostic: Diagnostic) -> String { JSONWriter.text(value(diagnostic)) + "\n" }

  package static func value(_ diagnostic: Diagnostic) -> JSON {
    var members: [(String, JSON)] = [
      ("rule", .string(diagnostic.rule.id)), ("severity", .string(diagnostic.severity.rawValue)),
      ("owner", .string(diagnostic.owner.rawValue)), ("message", .string(diagnostic.message)),
    ]
    if let location = diagnostic.location { members.append(("location", value(location))) }
    if let help = diagnostic.help { members.append(("help", .string(help))) }
    if !diagnostic.notes.isEmpty {
      let notes = diagnostic.notes.map { note -> JSON in
        .object([("message", .string(note.message))] + (note.location.map { [("location", value($0))] } ?? []))
      }
      members.append(("notes", .array(notes)))
    }
    return .object(members)
  }

  private static func value(_ location: Location) -> JSON {
    var members: [(String, JSON)] = []
    if let path = location.path { members.append(("file", .string(path))) }
    if let start = location.start {
      members += [("line", JSON(integerLiteral: start.line)), ("column", JSON(integerLiteral: start.column))]
    }
    if let end = location.end {
      members += [("endLine", JSON(integerLiteral: end.line)), ("endColumn", JSON(integerLiteral: end.column))]
    }
    if let pointer = location.pointer { members.append(("pointer", .string(pointer))) }
    return .object(members)
  }
}
