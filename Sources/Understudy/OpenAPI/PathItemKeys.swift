/// The fixed fields of a Path Item.
enum PathItemKeys {
  /// The keys that hold an operation, in lower case as they are written.
  static func methods(_ specification: Specification) -> [String] {
    let common = ["get", "put", "post", "delete", "options", "head", "patch"]
    return switch specification {
    case .swagger2: common
    case .openAPI30, .openAPI31: common + ["trace"]
    case .openAPI32: common + ["trace", "query"]
    }
  }

  /// The other keys.
  static func others(_ specification: Specification) -> [String] {
    switch specification {
    case .swagger2: ["$ref", "parameters"]
    case .openAPI30, .openAPI31: ["$ref", "parameters", "summary", "description", "servers"]
    case .openAPI32: ["$ref", "parameters", "summary", "description", "servers", "additionalOperations"]
    }
  }
}

extension Reading {
  /// An operation under `GET` or `fetch` would be lost without a word.
  mutating func reportUnknownMethod(_ member: JSON.Member) {
    let name = member.name
    let others = PathItemKeys.others(specification)
    guard !member.key.isExtensionKey, !others.contains(name) else { return }
    let known = PathItemKeys.methods(specification) + others
    let spelling = known.first { $0 == name.lowercased() }.map { "did you mean `\($0)`?" }
    report(
      Diagnostic(
        .specPathMethod, "`\(name)` is no method of a path item in OpenAPI \(specification.rawValue)", at: member.key,
        help: spelling ?? Suggestion.phrase(for: name, among: known)))
  }
}

extension OperationNames {
  /// The `operationId` of an operation; one that was used before is reported.
  mutating func operationId(_ node: JSON, _ reading: inout Reading) -> String? {
    guard let text = reading.string(node, "operationId"), !text.isEmpty, let value = node["operationId"] else {
      return nil
    }
    if let first = claim(value), first.id != value.id {
      reading.report(
        Diagnostic(
          .specOperationIdDuplicate, "the `operationId` `\(text)` is used twice", at: value,
          notes: [Diagnostic.Note("first used here", at: Location(first))],
          help: "the fixture folder of this one is named after its method and path"))
    }
    return text
  }
}

extension Diagnostic {
  static func pathWithoutSlash(_ key: JSON) -> Diagnostic {
    Diagnostic(
      .specPathInvalid, "the path `\(key.text)` does not start with a slash", at: key, help: "write `/\(key.text)`")
  }
}
