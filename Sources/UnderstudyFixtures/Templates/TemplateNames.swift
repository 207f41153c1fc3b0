extension FixtureTemplate {
  /// A name that no request gives a value.
  package struct UnknownName: Equatable {
    package let text: String
    package let tag: Range<Int>
    package let help: String
  }

  /// The part of a mock that a template belongs to, which decides the names that have values.
  package enum Use {
    case fixture
    case rule

    fileprivate var roots: [String] {
      switch self {
      case .fixture: ["request", "var", "others"]
      case .rule: ["request", "response", "var", "other"]
      }
    }
  }

  /// The names that never have a value. A name in a section over a value with members may be one of these.
  package func unknownNames(in use: Use) -> [UnknownName] {
    var found: [UnknownName] = []
    var scopes: [(names: [String], isOpen: Bool, end: Int)] = []
    for (index, node) in nodes.enumerated() {
      while let end = scopes.last?.end, end <= index { scopes.removeLast() }
      let (expression, tag): (TemplateExpression, Range<Int>)
      var takesPart = false
      switch node {
      case .text: continue
      case .value(let value, let range, _): (expression, tag) = (value, range)
      case .block(let block, _, _): (expression, tag, takesPart) = (block.value, block.tag, block.takesPart)
      }
      let isOpen = scopes.contains(where: \.isOpen)
      for path in expression.paths where !scopes.contains(where: { $0.names.contains(path.root) }) {
        // A whole body is a value of functions as well.
        guard let help = Self.mistake(in: path, use, isOpen: isOpen, takesPart: takesPart) else { continue }
        found.append(UnknownName(text: path.text, tag: tag, help: help))
      }
      if case .block(let block, let otherwise, _) = node, block.opensScope || !block.names.isEmpty {
        scopes.append((block.names, block.opensScope && expression.mayHaveMembers, otherwise))
      }
    }
    return found
  }

  /// The advice about a name; `nil` if the name may have a value.
  private static func mistake(in path: TemplatePath, _ use: Use, isOpen: Bool, takesPart: Bool) -> String? {
    if path.isLocal { return nil }
    let root = path.root
    if root.utf8.first == UInt8(ascii: "@") {
      let known = TemplateScope.positions + ["@root"]
      return known.contains(root) ? nil : Suggestion.help(for: root, among: known)
    }
    // A member of a value may have any name.
    if isOpen, !use.roots.contains(root) { return nil }
    if TemplateFunction(name: root) != nil { return path.parts.count > 1 ? "`\(root)` has no parts" : nil }
    if let signature = TemplateOperation.signatures.first(where: { $0.name == root }), path.parts.count == 1 {
      return "`\(root)` is a function, as in `\(signature.example)`"
    }
    guard use.roots.contains(root) else {
      return Suggestion.phrase(for: root, among: use.roots + TemplateExpressionReader.names + ["this"])
        ?? "known: \((use.roots + TemplateFunction.names).joined(separator: ", "))"
    }
    let names = path.parts.map(\.name)
    if takesPart, names.count < 2 { return nil }
    switch root {
    case "request", "response": return mistake(inPartOf: root, path, takesPart: takesPart)
    case "others": return takesPart && names.count == 2 ? nil : "as in `{{#others.nearby}}{{nick}}{{/others.nearby}}`"
    default: return names.count == 2 ? nil : "as in `{{\(root).nick}}`"
    }
  }

  private static func mistake(inPartOf root: String, _ path: TemplatePath, takesPart: Bool) -> String? {
    let names = path.parts.map(\.name)
    // A response has no path and no query.
    let parts = RequestPart.allCases.map(\.rawValue).filter { root == "request" || $0 == "header" || $0 == "body" }
    guard names.count > 1 else { return "as in `{{\(root).body.nick}}`" }
    if root == "request", names.count == 2, RequestFact(rawValue: names[1]) != nil { return nil }
    let facts = root == "request" ? [RequestFact.method.rawValue, RequestFact.url.rawValue] : []
    guard let part = RequestPart(inTemplate: names[1]), parts.contains(part.rawValue) else {
      return Suggestion.phrase(for: names[1], among: parts + facts)
        ?? "`\(root)` has \((parts + facts).joined(separator: ", "))"
    }
    switch names.count {
    case 2: return takesPart ? nil : "as in `{{\(root).\(part.rawValue).nick}}`"
    case 3: return nil
    default:
      if part == .body || names.count == 4 && Int(names[3]) != nil { return nil }
      return
        "a name of this part has three parts, or a position after them: `{{\(root).\(part.rawValue).\(names[2]).0}}`"
    }
  }
}
