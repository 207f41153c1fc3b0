/// Reads a `when`: conditions by the parts of a request, and `all`, `any` and `not` over more of them.
package struct RequestMatcherReader {
  var findings = MappingReader.fixtures
  /// Each condition that was read, with its key.
  private var places: [(condition: RequestMatcher.Condition, key: JSON)] = []
  private var depth = 0

  /// The maximum depth of `all`, `any` and `not` in one another.
  private static let depthLimit = 16
  private static let groupKeys = ["all", "any", "not"]

  package var diagnostics: [Diagnostic] { findings.all }

  package init() {}

  /// The location of a condition that was read.
  package func location(of condition: RequestMatcher.Condition) -> Location? {
    places.first { $0.condition == condition }.map { Location($0.key) }
  }

  package mutating func read(_ node: JSON) -> RequestMatcher? {
    let parts = RequestPart.allCases.map(\.rawValue)
    let keys = parts + Self.groupKeys
    let before = findings.all.count
    guard findings.isMapping(node, "a mapping with \(keys.joined(separator: ", "))", keys: keys) else { return nil }
    var matcher = RequestMatcher(conditions: [])
    for member in node.members {
      guard let part = RequestPart(rawValue: member.name) else {
        if Self.groupKeys.contains(member.name) { group(member.name, member.value, into: &matcher) }
        continue
      }
      guard findings.isMapping(member.value, "a mapping of names to conditions") else { continue }
      for condition in member.value.members {
        guard let test = test(condition.value, ofBody: part == .body) else { continue }
        let name = condition.name
        if part == .body, RequestMatcher.Condition.isPath(name), path(name, at: condition.key) == nil { continue }
        add(RequestMatcher.Condition(part: part, name: name, test: test), at: condition.key, to: &matcher)
      }
    }
    if matcher.conditions.isEmpty, matcher.groups.isEmpty, findings.all.count == before {
      return findings.reject("`when` has no condition", at: node)
    }
    return matcher
  }

  // MARK: - Groups

  private mutating func group(_ name: String, _ node: JSON, into matcher: inout RequestMatcher) {
    guard depth < Self.depthLimit else {
      return findings.report("conditions nest deeper than \(Self.depthLimit) levels", at: node)
    }
    depth += 1
    defer { depth -= 1 }
    if name == "not", node.isObject {
      if let inner = read(node) { matcher.groups.append(.none([inner])) }
      return
    }
    guard let list = findings.list(node, "a list of conditions for `\(name)`") else { return }
    guard !list.isEmpty else { return findings.report("`\(name)` has no condition", at: node) }
    let matchers = list.compactMap { read($0) }
    guard matchers.count == list.count else { return }
    switch name {
    case "any": matcher.groups.append(.any(matchers))
    case "not": matcher.groups.append(.none(matchers))
    default:
      for inner in matchers {
        for condition in inner.conditions {
          let key = places.last { $0.condition == condition }?.key ?? node
          add(condition, at: key, to: &matcher)
        }
        matcher.groups += inner.groups
      }
    }
  }

  /// Adds a condition, unless it and an earlier one never hold together.
  private mutating func add(_ condition: RequestMatcher.Condition, at key: JSON, to matcher: inout RequestMatcher) {
    places.append((condition, key))
    // Of several values of a name each may meet one condition.
    let isSingle = condition.part == .path || condition.isAbsence
    if let earlier = matcher.conditions.first(where: { (isSingle || $0.isAbsence) && $0.excludes(condition) }) {
      return findings.report(
        "no request meets this condition and the other one about \(condition.part.rawValue) `\(condition.name)`: "
          + "expected \(condition.test.text), and \(earlier.test.text)", at: key)
    }
    matcher.conditions.append(condition)
  }

  // MARK: - Tests

  /// A scalar means equality; an object names one test.
  ///
  /// - Parameter ofBody: Whether the value is part of a body, so that it may be compared as JSON.
  mutating func test(_ node: JSON, ofBody: Bool = false) -> RequestMatcher.Test? {
    switch node.kind {
    case .null: return .present(false)
    case .array: return oneOf(node)
    case .object: break
    default: return scalar(node).map { .equals($0) }
    }
    if let key = node.members.lazy.map({ $0.name }).first(where: { ValueTest.keys.contains($0) }) {
      if ofBody { return value(node).map { .value($0) } }
      return findings.reject(
        "`\(key)` is for fields of `body`", at: node.key(key) ?? node, help: "`$` is the whole body")
    }
    let keys = RequestMatcher.Test.keys + (ofBody ? ValueTest.keys : [])
    guard node.count == 1, let member = node.members.first(where: { _ in true }) else {
      return findings.reject("expected exactly one of \(keys.joined(separator: ", "))", at: node)
    }
    guard findings.checkKeys(of: node, keys) else { return nil }
    let value = member.value
    switch member.name {
    case "equals":
      if ofBody, value.isObject {
        return findings.reject(expected: "text", of: "a condition", value, help: "`equalsJson` compares objects")
      }
      return value.isArray && value.count > 0 ? whole(value) : scalar(value).map { .equals($0) }
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
    guard let list = findings.list(node) else { return nil }
    guard !list.isEmpty else { return findings.reject("an empty list of values never matches", at: node) }
    return .oneOf(list.compactMap { scalar($0) })
  }

  /// A list with which all values of a name are compared.
  private mutating func whole(_ node: JSON) -> RequestMatcher.Test? {
    let elements = node.elements.map { scalar($0) }
    let texts = elements.compactMap(\.self)
    return texts.count == elements.count ? .list(texts) : nil
  }

  private mutating func scalar(_ node: JSON) -> String? { findings.text(node, of: "a condition") }
}

extension RequestMatcher.Test {
  /// The keys of a test of text, written as an object.
  package static let keys = ["equals", "contains", "matches", "oneOf", "present"]
}
