/// Minimal contracts for the examples of rules.
extension Rule.Example {
  /// The version and `info`, then `text`.
  static func contract(
    in version: Specification = .openAPI30, _ text: @autoclosure @escaping @Sendable () -> String
  ) -> Rule.Example {
    let start =
      switch version {
      case .swagger2: #"swagger: "2.0""#
      case .openAPI30: "openapi: 3.0.3"
      default: "openapi: \(version.rawValue).0"
      }
    return Rule.Example("\(start)\ninfo: {title: Pets, version: \"1\"}\n\(text())")
  }

  /// The members of `paths`.
  static func paths(in version: Specification = .openAPI30, _ text: String) -> Rule.Example {
    contract(in: version, "paths:\n" + indented(text, by: 2))
  }

  /// The parameters of `GET /pets`.
  static func parameters(in version: Specification = .openAPI30, _ text: String) -> Rule.Example {
    paths(
      in: version,
      "/pets:\n  get:\n    responses: {\"200\": {description: OK}}\n    parameters:\n" + indented(text, by: 6))
  }

  /// The responses of `GET /pets`.
  static func responses(in version: Specification = .openAPI30, _ text: String) -> Rule.Example {
    paths(in: version, "/pets:\n  get:\n    responses:\n" + indented(text, by: 6))
  }

  /// The schemas of the contract by name.
  static func schemas(in version: Specification = .openAPI30, _ text: String) -> Rule.Example {
    version == .swagger2
      ? contract(in: version, "paths: {}\ndefinitions:\n" + indented(text, by: 2))
      : contract(in: version, "paths: {}\ncomponents:\n  schemas:\n" + indented(text, by: 4))
  }

  private static func indented(_ text: String, by count: Int) -> String {
    let indent = String(repeating: " ", count: count)
    return text.split(separator: "\n").map { indent + $0 }.joined(separator: "\n")
  }
}
