extension FixtureTemplate {
  /// A name that no request gives a value.
  struct UnknownName: Equatable {
    let text: String
    let help: String
  }

  private static let roots = ["request", "response", "var", "other"]

  /// The names that are most likely misspelt. A name in a section over `request` or one of its parts may be anything.
  var unknownNames: [UnknownName] {
    var found: [UnknownName] = []
    var ends: [Int] = []
    for (index, name, section) in names {
      while let end = ends.last, end <= index { ends.removeLast() }
      if ends.isEmpty, let help = Self.mistake(in: name, isSection: section != nil) {
        found.append(UnknownName(text: name.joined(separator: "."), help: help))
      }
      if let section, Self.hasMembers(name) { ends.append(section) }
    }
    return found
  }

  private static func hasMembers(_ name: Name) -> Bool {
    switch name.first {
    case "request", "response": name.count < 3
    case "var", "other": name.count < 2
    default: false
    }
  }

  /// What to do about a name; `nil` for one that may have a value.
  private static func mistake(in name: Name, isSection: Bool) -> String? {
    guard let root = name.first else { return nil }
    if TemplateFunction.names.contains(root) { return name.count > 1 ? "`\(root)` has no parts" : nil }
    guard roots.contains(root) else {
      return Suggestion.phrase(for: root, among: roots + TemplateFunction.names)
        ?? "known: \((roots + TemplateFunction.names).joined(separator: ", "))"
    }
    if isSection, hasMembers(name), name.count < 2 { return nil }
    guard root == "request" || root == "response" else {
      return name.count == 2 ? nil : "as in `{{\(root).nick}}`"
    }
    // An answer has no path and no query.
    let parts = RequestPart.allCases.map(\.rawValue).filter { root == "request" || $0 == "header" || $0 == "body" }
    guard name.count > 1 else { return "as in `{{\(root).body.nick}}`" }
    guard parts.contains(name[1]) else {
      return Suggestion.phrase(for: name[1], among: parts) ?? "`\(root)` has \(parts.joined(separator: ", "))"
    }
    switch name.count {
    case 2: return isSection ? nil : "as in `{{\(root).\(name[1]).nick}}`"
    case 3: return nil
    default:
      let field = name.dropFirst(2).joined(separator: "/")
      return name[1] == "body" ? "did you mean `{{\(root).body./\(field)}}`?" : "a name has three parts here"
    }
  }
}
