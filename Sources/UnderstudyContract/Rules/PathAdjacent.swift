extension LintRule {
  static let pathAdjacent = LintRule(
    "spec.path.adjacent", .warning, "Two expressions of a path are adjacent",
    help: """
      Where the value of `{a}` ends in `{a}{b}` is undefined, so every server guesses. Put a character between them that \
      does not occur in a value. The styles `label` and `matrix` start a value with such a character, `.` or `;`.
      """,
    .paths(
      """
      ↓/pets/{kind}{id}:
        parameters: [{name: kind, in: path, required: true, schema: {}}, {name: id, in: path, required: true, schema: {}}]
        get:
          responses: {"200": {description: OK}}
      /toys/{kind}-{id}:
        parameters: [{name: kind, in: path, required: true, schema: {}}, {name: id, in: path, required: true, schema: {}}]
        get:
          responses: {"200": {description: OK}}
      /files/{name}{extension}:
        parameters:
          - {name: name, in: path, required: true, schema: {}}
          - {name: extension, in: path, required: true, style: label, schema: {}}
        get:
          responses: {"200": {description: OK}}
      """)
  ) { subject, rule in
    subject.paths.compactMap { path in
      for segment in PathTemplate(path.key.text).segments {
        for (left, right) in zip(segment, segment.dropFirst()) {
          guard case .expression(let a) = left, case .expression(let b) = right,
            !path.operations.allSatisfy({ startsWithMark(b, $0) })
          else { continue }
          let pair = "`{\(String(decoding: a, as: UTF8.self))}` and `{\(String(decoding: b, as: UTF8.self))}`"
          return Diagnostic(rule, "\(pair) are adjacent", at: path.key)
        }
      }
      return nil
    }
  }

  /// Whether the style of a parameter starts its value with a mark (OAS 3.1, 4.8.12, "Style Examples").
  private static func startsWithMark(_ name: [UInt8], _ operation: Operation) -> Bool {
    operation.parameters.contains {
      $0.location == .path && $0.name.utf8.elementsEqual(name) && ($0.style == .label || $0.style == .matrix)
    }
  }
}
