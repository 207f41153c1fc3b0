package struct RequestMatcherReader {
  private var findings = MappingReader.fixtures

  package var diagnostics: [Diagnostic] { findings.all }

  package init() {}

  package mutating func read(_ node: JSON) -> RequestMatcher? {
    let parts = RequestPart.allCases.map(\.rawValue)
    guard findings.isMapping(node, "a mapping with \(parts.joined(separator: ", "))", keys: parts) else { return nil }
    var matcher = RequestMatcher(conditions: [])
    for member in node.members {
      guard let part = RequestPart(rawValue: member.name),
        findings.isMapping(member.value, "a mapping of names to conditions")
      else { continue }
      for condition in member.value.members {
        guard let test = test(condition.value) else { continue }
        matcher.conditions.append(RequestMatcher.Condition(part: part, name: condition.name, test: test))
      }
    }
    if matcher.conditions.isEmpty, findings.all.isEmpty { return findings.reject("`when` has no condition", at: node) }
    return matcher
  }

  /// A scalar means equality; an object names one test.
  mutating func test(_ node: JSON) -> RequestMatcher.Test? {
    switch node.kind {
    case .null: return .present(false)
    case .array: return oneOf(node)
    case .object: break
    default: return scalar(node).map { .equals($0) }
    }
    guard node.count == 1, let member = node.members.first(where: { _ in true }) else {
      return findings.reject("expected exactly one of \(RequestMatcher.Test.keys.joined(separator: ", "))", at: node)
    }
    guard findings.checkKeys(of: node, RequestMatcher.Test.keys) else { return nil }
    let value = member.value
    switch member.name {
    case "equals": return value.isArray && value.count > 0 ? whole(value) : scalar(value).map { .equals($0) }
    case "contains": return scalar(value).map { .contains($0) }
    case "oneOf": return oneOf(value)
    case "present": return findings.flag(value, of: "`present`").map { .present($0) }
    default:
      guard let text = scalar(value) else { return nil }
      do {
        return .matches(try Pattern(ecma: text))
      } catch {
        return findings.reject("`\(text)` is not a valid regular expression: \(error.message)", at: value)
      }
    }
  }

  private mutating func oneOf(_ node: JSON) -> RequestMatcher.Test? {
    findings.list(node).map { .oneOf($0.compactMap { scalar($0) }) }
  }

  /// A list with which all values of a name are compared.
  private mutating func whole(_ node: JSON) -> RequestMatcher.Test? {
    let elements = node.elements.map { scalar($0) }
    let texts = elements.compactMap(\.self)
    return texts.count == elements.count ? .list(texts) : nil
  }

  private mutating func scalar(_ node: JSON) -> String? { findings.text(node, of: "a condition") }
}
