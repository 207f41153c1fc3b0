extension Rule {
  package static let specPathAdjacent = Rule(
    "spec.path.adjacent", .warning, owner: .contract, "Two expressions of a path stand side by side",
    help: """
      Nothing says where the value of `{a}` ends in `{a}{b}`, so every server guesses. Put a character between them that \
      no value holds. The styles `label` and `matrix` start a value with one, `.` or `;`.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
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
    ])
}

extension LintRule {
  static let pathAdjacent = LintRule(.specPathAdjacent) { subject in
    subject.paths.compactMap { path in
      for segment in PathTemplate(path.key.text).segments {
        for (left, right) in zip(segment, segment.dropFirst()) {
          guard case .expression(let a) = left, case .expression(let b) = right,
            !path.operations.allSatisfy({ startsWithMark(b, $0) })
          else { continue }
          let pair = "{\(String(decoding: a, as: UTF8.self))}{\(String(decoding: b, as: UTF8.self))}"
          return Diagnostic(.specPathAdjacent, "nothing stands between `\(pair)`", at: path.key)
        }
      }
      return nil
    }
  }

  /// Whether a value is written with a mark before it (OAS 3.1, 4.8.12, "Style Examples").
  private static func startsWithMark(_ name: [UInt8], _ operation: Operation) -> Bool {
    operation.parameters.contains {
      $0.location == .path && $0.name.utf8.elementsEqual(name) && ($0.style == .label || $0.style == .matrix)
    }
  }
}
