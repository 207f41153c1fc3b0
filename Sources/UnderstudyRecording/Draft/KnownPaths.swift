/// The path templates of a contract, as a draft writes them: segments, with `nil` for an expression.
struct KnownPaths: Sendable {
  private var templates: [[String?]: (path: String, names: [String])] = [:]

  init() {}

  /// Segments that are partly an expression, as in `/{id}.json`, are left out.
  init(of apis: [API]) {
    for operation in apis.flatMap(\.operations) {
      let template = operation.template
      guard template.segments.allSatisfy({ $0.count <= 1 }) else { continue }
      let segments = template.segments.map { parts -> String? in
        switch parts.first {
        case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
        case .expression: nil
        case nil: ""
        }
      }
      guard templates[segments] == nil || !operation.isRoute else { continue }
      let names = template.names.map { name in
        name.elementsEqual(PathTemplate.rest.utf8) ? "path" : String(decoding: name, as: UTF8.self)
      }
      templates[segments] = (operation.isRoute ? Self.path(segments, names) : operation.path, names)
    }
  }

  /// The path of a route as OpenAPI spells it: without patterns, and with one segment for the rest.
  private static func path(_ segments: [String?], _ names: [String]) -> String {
    var names = names[...]
    return segments.map { "/" + ($0 ?? "{\(names.popFirst() ?? "")}") }.joined()
  }

  /// The path as the contract spells it, with the names of its expressions; `nil` if the contract does not have it.
  subscript(segments: [String?]) -> (path: String, names: [String])? { templates[segments] }

  /// The template that a path has the form of: that with the fewest expressions.
  func segments(of path: String) -> [String?]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let fitting = templates.keys.filter { segments in
      segments.count == parts.count && zip(segments, parts).allSatisfy { $0 == nil ? !$1.isEmpty : $0 == $1 }
    }
    func rank(_ segments: [String?]) -> (Int, String) {
      (segments.count { $0 == nil }, templates[segments]?.path ?? "")
    }
    return fitting.min { rank($0) < rank($1) }
  }
}
