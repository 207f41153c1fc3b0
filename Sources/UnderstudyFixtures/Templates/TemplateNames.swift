extension FixtureTemplate {
  /// A name that no request gives a value.
  struct UnknownName: Equatable {
    let text: String
    let tag: Range<Int>
    let help: String
  }

  /// The part of a mock that a template belongs to, which decides the names that have values.
  enum Use {
    case fixture
    case rule

    fileprivate var roots: [String] {
      switch self {
      case .fixture: ["request", "var", "others"]
      case .rule: ["request", "response", "var", "other"]
      }
    }
  }

  /// The names that never have a value. A name in a section over `request` or one of its parts may be anything.
  func unknownNames(in use: Use) -> [UnknownName] {
    var found: [UnknownName] = []
    var ends: [Int] = []
    for (index, name, tag, section) in names {
      while let end = ends.last, end <= index { ends.removeLast() }
      if ends.isEmpty, let help = Self.mistake(in: name, use, isSection: section != nil) {
        found.append(UnknownName(text: name.joined(separator: "."), tag: tag, help: help))
      }
      if let section, Self.hasMembers(name) { ends.append(section) }
    }
    return found
  }

  private static func hasMembers(_ name: Name) -> Bool {
    switch name.first {
    case "request", "response", "others": name.count < 3
    case "var", "other": name.count < 2
    default: false
    }
  }

  /// The advice about a name; `nil` if the name may have a value.
  private static func mistake(in name: Name, _ use: Use, isSection: Bool) -> String? {
    guard let root = name.first else { return nil }
    if TemplateFunction.names.contains(root) { return name.count > 1 ? "`\(root)` has no parts" : nil }
    guard use.roots.contains(root) else {
      let known = use.roots + TemplateFunction.names
      return Suggestion.help(for: root, among: known)
    }
    if isSection, hasMembers(name), name.count < 2 { return nil }
    switch root {
    case "request", "response": return mistake(inPartOf: root, name, isSection: isSection)
    case "others": return isSection && name.count == 2 ? nil : "as in `{{#others.nearby}}{{nick}}{{/others.nearby}}`"
    default: return name.count == 2 ? nil : "as in `{{\(root).nick}}`"
    }
  }

  private static func mistake(inPartOf root: String, _ name: Name, isSection: Bool) -> String? {
    // A response has no path and no query.
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
