extension Diagnostic {
  /// The formats with findings. Their readers know different names for locations and notes.
  package enum JSONFormat {
    /// A line for scripts: `location`.
    case line
    /// A report: `place`, with an excerpt.
    case report
    /// The journal: `pointer`, and the locations of notes as strings.
    case journal
    /// A recording or a lane: `pointer`, and the messages of notes below a name.
    case brief(notes: String)
  }

  /// The members of a JSON object, to which a format may add others.
  package func members(_ format: JSONFormat) -> [(String, JSON?)] {
    let members: [(String, JSON?)] = [
      ("rule", .string(rule.id)), ("severity", .string(severity.rawValue)), ("owner", .string(owner.rawValue)),
      ("message", .string(message)),
    ]
    let help = ("help", help.map(JSON.string))
    let pointer = ("pointer", location?.pointer.map(JSON.string))
    switch format {
    case .line:
      let notes = notes.isEmpty ? nil : notes("location") { $0.json() }
      return members + [("location", location?.json()), help, ("notes", notes)]
    case .report:
      let notes = notes.isEmpty ? nil : notes("place") { $0.json(hasExcerpt: true) }
      return members + [help, ("place", location?.json(hasExcerpt: true)), ("notes", notes)]
    case .journal: return members + [help, pointer, ("notes", notes("place") { .string("\($0)") })]
    case .brief(let name): return members + [help, pointer, (name, .array(notes.map { .string($0.placed) }))]
    }
  }

  private func notes(_ name: String, _ value: (Location) -> JSON) -> JSON {
    .array(notes.map { .object(("message", .string($0.message)), (name, $0.location.map(value))) })
  }

  /// A line of JSON with its line break.
  package var jsonLine: String { JSONWriter.text(.object(present: members(.line))) + "\n" }
}

extension Diagnostic.Note {
  /// The message after its place, if it has one.
  fileprivate var placed: String {
    location.flatMap { $0.shown.isEmpty ? nil : "\($0.shown): \(message)" } ?? message
  }
}

extension Location {
  package func json(hasExcerpt: Bool = false) -> JSON {
    let excerpt = hasExcerpt ? excerpt : nil
    return .object(
      ("file", path.map(JSON.string)), ("line", line.map(JSON.integer)), ("column", column.map(JSON.integer)),
      ("endLine", endLine.map(JSON.integer)), ("endColumn", endColumn.map(JSON.integer)),
      ("pointer", pointer.map(JSON.string)),
      (
        "excerpt",
        excerpt.map {
          .object(("text", .string($0.text)), ("offset", .integer($0.offset)), ("length", .integer($0.length)))
        }
      ))
  }
}
