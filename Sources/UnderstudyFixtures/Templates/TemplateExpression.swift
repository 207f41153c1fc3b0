/// An expression in a tag: a name, a constant, or a function of other expressions.
indirect enum TemplateExpression: Sendable {
  case path(TemplatePath)
  case constant(TemplateValue?)
  case generated(TemplateFunction)
  case query(TemplateExpression, JSONPath)
  case call(TemplateOperation, [TemplateExpression], at: Range<Int>)

  /// All names in it, in their order.
  var paths: [TemplatePath] {
    switch self {
    case .path(let path): [path]
    case .constant: []
    case .generated(.token(let token)): token.expressions.flatMap(\.paths)
    case .generated: []
    case .query(let value, _): value.paths
    case .call(_, let arguments, _): arguments.flatMap(\.paths)
    }
  }

  /// The values that a section over the expression may have, which decide the names in it.
  var mayHaveMembers: Bool {
    switch self {
    case .path(let path): path.mayHaveMembers
    case .query, .call(.default, _, _): true
    case .constant, .generated, .call: false
    }
  }
}

extension TemplatePath {
  /// Whether its value may have members of any name.
  var mayHaveMembers: Bool {
    switch root {
    case "request", "response": parts.count < 3 || parts[1].name == "body"
    case "others": parts.count < 3
    case "var", "other": parts.count < 2
    // The value of a section, or a member of it.
    default: isLocal || TemplateFunction(name: root) == nil
    }
  }
}
