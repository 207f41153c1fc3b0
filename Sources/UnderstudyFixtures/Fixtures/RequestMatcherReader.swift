package struct RequestMatcherReader {
  package private(set) var diagnostics: [Diagnostic] = []

  package init(diagnostics: [Diagnostic] = []) {
    self.diagnostics = diagnostics
  }

  package mutating func read(_ node: JSON) -> RequestMatcher? {
    let parts = RequestPart.allCases.map(\.rawValue)
    guard node.isObject else {
      return reject("expected a mapping with \(parts.joined(separator: ", ")), found \(node.kindName)", at: node)
    }
    var matcher = RequestMatcher(conditions: [])
    for member in node.members {
      guard let part = RequestPart(rawValue: member.name) else {
        diagnostics.append(
          Diagnostic(
            .fixtureUnknownKey, "unknown key `\(member.name)` in `when`", at: member.key,
            help: Suggestion.phrase(for: member.name, among: parts) ?? "known: \(parts.joined(separator: ", "))"))
        continue
      }
      guard member.value.isObject else {
        let message = "expected a mapping of names to conditions, found \(member.value.kindName)"
        diagnostics.append(Diagnostic(.fixtureInvalid, message, at: member.value))
        continue
      }
      for condition in member.value.members {
        guard let test = test(condition.value) else { continue }
        matcher.conditions.append(RequestMatcher.Condition(part: part, name: condition.name, test: test))
      }
    }
    if matcher.conditions.isEmpty, diagnostics.isEmpty { return reject("`when` has no condition", at: node) }
    return matcher
  }

  /// A scalar means equality; an object names one test.
  mutating func test(_ node: JSON) -> RequestMatcher.Test? {
    switch node.kind {
    case .string, .number: return .equals(node.text)
    case .true, .false: return .equals(node.kind == .true ? "true" : "false")
    case .null: return .present(false)
    case .array: return oneOf(node)
    case .object: break
    }
    guard node.count == 1, let member = node.members.first(where: { _ in true }) else {
      return reject("expected exactly one of \(RequestMatcher.Test.keys.joined(separator: ", "))", at: node)
    }
    let value = member.value
    switch member.name {
    case "equals": return scalar(value).map { .equals($0) }
    case "contains": return scalar(value).map { .contains($0) }
    case "oneOf": return oneOf(value)
    case "present":
      guard let present = value.bool else {
        return reject("expected `true` or `false`, found \(value.kindName)", at: value)
      }
      return .present(present)
    case "matches":
      guard let text = scalar(value) else { return nil }
      do {
        return .matches(try Pattern(ecma: text))
      } catch {
        return reject("`\(text)` is not a valid regular expression: \(error.message)", at: value)
      }
    default:
      return reject(
        "unknown condition `\(member.name)`", at: member.key, rule: .fixtureUnknownKey,
        help: Suggestion.phrase(for: member.name, among: RequestMatcher.Test.keys)
          ?? "known: \(RequestMatcher.Test.keys.joined(separator: ", "))")
    }
  }

  private mutating func oneOf(_ node: JSON) -> RequestMatcher.Test? {
    guard node.isArray else { return reject("expected a list, found \(node.kindName)", at: node) }
    return .oneOf(node.elements.compactMap { scalar($0) })
  }

  private mutating func scalar(_ node: JSON) -> String? {
    switch node.kind {
    case .string, .number: return node.text
    case .true, .false: return node.kind == .true ? "true" : "false"
    default: return reject("expected text or a number, found \(node.kindName)", at: node)
    }
  }

  private mutating func reject<T>(
    _ message: String, at node: JSON, rule: Rule = .fixtureInvalid, help: String? = nil
  ) -> T? {
    diagnostics.append(Diagnostic(rule, message, at: node, help: help))
    return nil
  }
}
