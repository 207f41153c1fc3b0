/// Finds out which specification a document is written in.
enum SpecificationVersion {
  struct Refusal: Error { var diagnostic: Diagnostic }

  private static let expected = "expected `openapi: 3.0.x`, `3.1.x`, `3.2.x` or `swagger: \"2.0\"`"

  static func detect(in root: JSON) -> Result<Specification, Refusal> {
    guard root.isObject else {
      return refuse("this is no OpenAPI document: \(expected), found \(root.kindWithArticle)", root)
    }
    if let version = root["openapi"] {
      switch Array(text(version).split(separator: ".", omittingEmptySubsequences: false).prefix(2)) {
      case ["3", "0"]: return .success(.openAPI30)
      case ["3", "1"]: return .success(.openAPI31)
      case ["3", "2"]: return .success(.openAPI32)
      default: return refuse("the version `\(text(version))` is not known: \(expected)", version)
      }
    }
    if let version = root["swagger"] {
      // Unquoted, YAML makes a number of it.
      return text(version) == "2.0" || text(version) == "2"
        ? .success(.swagger2) : refuse("the version `\(text(version))` is not known: \(expected)", version)
    }
    for other in ["asyncapi", "arazzo", "overlay", "swaggerVersion"] {
      if let key = root.key(other) { return refuse("this is no OpenAPI document but `\(other)`: \(expected)", key) }
    }
    let keys = root.members.prefix(100).map(\.name)
    for name in ["openapi", "swagger"] {
      if let near = Suggestion.nearest(to: name, among: keys), let key = root.key(near) {
        return refuse("the document names no version: \(expected)", key, help: "did you mean `\(name)`?")
      }
    }
    return refuse("the document names no version: \(expected)", root)
  }

  private static func text(_ value: JSON) -> String {
    value.isString || value.kind == .number ? value.text : value.kindName
  }

  private static func refuse(_ message: String, _ value: JSON, help: String? = nil) -> Result<Specification, Refusal> {
    .failure(Refusal(diagnostic: Diagnostic(.specUnparsable, message, at: Location(start: value), help: help)))
  }
}
