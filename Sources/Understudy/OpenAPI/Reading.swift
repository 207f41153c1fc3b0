/// What the readers of all versions share: where references lead, and what was found wrong so far.
///
/// Reading is lenient: a part of the wrong shape is reported and left out, and the rest stays usable.
struct Reading {
  let resolver: ReferenceResolver
  let specification: Specification
  private(set) var diagnostics: [Diagnostic] = []
  /// Shared parts are met once per reference to them; a finding is told once.
  private var reported: Set<String> = []

  init(resolver: ReferenceResolver, specification: Specification) {
    self.resolver = resolver
    self.specification = specification
  }

  mutating func report(_ diagnostic: Diagnostic) {
    let location = diagnostic.location
    let place = "\(location?.path ?? "") \(location?.range?.lowerBound ?? -1) \(location?.pointer ?? "")"
    if reported.insert("\(diagnostic.rule.id) \(place)").inserted { diagnostics.append(diagnostic) }
  }

  /// Follows the references at `value`; a broken one is reported and gives `nil`.
  mutating func resolve(_ value: JSON) -> JSON? {
    guard let reference = value.reference else { return value }
    switch resolver.resolve(value) {
    case .success(let target): return target
    case .failure(let failure):
      report(failure.diagnostic(at: reference))
      return nil
    }
  }

  /// The object at `value`, references followed; `noun` names what stands there, such as `response`.
  mutating func object(_ value: JSON, _ noun: String) -> JSON? {
    guard let target = resolve(value) else { return nil }
    guard target.isObject else {
      report(mismatch(target, "\(noun) is an object"))
      return nil
    }
    return target
  }

  /// The members of the map at `key`; extensions are left out where `hasExtensions`.
  mutating func map(_ node: JSON, _ key: String, hasExtensions: Bool = false) -> [JSON.Member] {
    guard let value = node[key], let map = object(value, "`\(key)`") else { return [] }
    return hasExtensions ? map.distinctMembers.filter { !$0.key.isExtensionKey } : map.distinctMembers
  }

  /// The elements of the array at `key`.
  mutating func list(_ node: JSON, _ key: String) -> [JSON] {
    guard let value = node[key] else { return [] }
    guard value.isArray else {
      report(mismatch(value, "`\(key)` is an array"))
      return []
    }
    return Array(value.elements)
  }

  /// The string at `key`.
  mutating func string(_ node: JSON, _ key: String) -> String? {
    guard let value = node[key] else { return nil }
    guard let string = value.string else {
      report(mismatch(value, "`\(key)` is a string"))
      return nil
    }
    return string
  }

  /// The string at `key`, which the object cannot do without.
  mutating func requiredString(_ node: JSON, _ key: String, _ noun: String) -> String? {
    if node[key] == nil { reportMissing(key, node, noun) }
    return string(node, key)
  }

  /// The boolean at `key`, `false` unless given.
  mutating func flag(_ node: JSON, _ key: String) -> Bool {
    guard let value = node[key] else { return false }
    guard let flag = value.bool else {
      report(mismatch(value, "`\(key)` is `true` or `false`"))
      return false
    }
    return flag
  }

  mutating func reportMissing(_ key: String, _ node: JSON, _ noun: String) {
    let help = Suggestion.phrase(for: key, among: node.members.prefix(100).map(\.name))
    report(Diagnostic(.specFieldMissing, "a \(noun) needs `\(key)`", at: node, help: help))
  }

  func mismatch(_ value: JSON, _ expectation: String) -> Diagnostic {
    Diagnostic(.specType, "\(expectation), but here stands \(value.kindWithArticle)", at: value)
  }

  /// The text at `key`, where a field beside `$ref` replaces the target's (OAS 3.1, 4.8.23).
  mutating func overridden(_ reference: JSON, _ target: JSON, _ key: String) -> String? {
    let isOverridden = specification >= .openAPI31 && reference.id != target.id && reference[key] != nil
    return string(isOverridden ? reference : target, key)
  }
}

extension JSON {
  /// `an array`, `a string`, `null`.
  var kindWithArticle: String {
    switch kind {
    case .null: "null"
    case .array, .object: "an \(kindName)"
    default: "a \(kindName)"
    }
  }
}
