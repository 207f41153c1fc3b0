/// The state of reading a contract of any version, with its findings so far.
///
/// Reading is lenient: an invalid part is reported and left out, and the rest stays usable.
struct Reading {
  let root: JSON
  let resolver: ReferenceResolver
  let specification: Specification
  var names = OperationNames()
  var rootServers: [Server] = []
  var rootSecurity: [SecurityRequirement] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Shared parts are read once per reference to them, and reported once.
  private var reported: Set<String> = []

  init(_ root: JSON, _ specification: Specification, resolver: ReferenceResolver) {
    self.root = root
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

  /// The object at `value`, references followed; `noun` is its kind, such as `a response`.
  mutating func object(_ value: JSON, _ noun: String) -> JSON? {
    guard let target = resolve(value) else { return nil }
    if target.isObject { return target }
    report(mismatch(target, "\(noun) must be an object"))
    return nil
  }

  /// The members of the map at `key`; extensions are left out where `hasExtensions`.
  mutating func map(_ node: JSON, _ key: String, hasExtensions: Bool = false) -> [JSON.Member] {
    guard let value = node[key], let map = object(value, "`\(key)`") else { return [] }
    return hasExtensions ? map.distinctMembers.filter { !$0.key.isExtensionKey } : map.distinctMembers
  }

  /// The elements of the array at `key`.
  mutating func list(_ node: JSON, _ key: String) -> [JSON] {
    guard let value = node[key] else { return [] }
    if !value.isArray { report(mismatch(value, "`\(key)` must be an array")) }
    return Array(value.elements)
  }

  /// The string at `key`.
  mutating func string(_ node: JSON, _ key: String) -> String? {
    guard let value = node[key] else { return nil }
    if !value.isString { report(mismatch(value, "`\(key)` must be a string")) }
    return value.string
  }

  /// The string at `key`, which is reported if it is missing.
  mutating func requiredString(_ node: JSON, _ key: String, _ noun: String) -> String? {
    if node[key] == nil { reportMissing(key, node, noun) }
    return string(node, key)
  }

  /// The boolean at `key`, `false` unless given.
  mutating func flag(_ node: JSON, _ key: String) -> Bool {
    guard let value = node[key] else { return false }
    if value.bool == nil { report(mismatch(value, "`\(key)` must be `true` or `false`")) }
    return value.bool ?? false
  }

  /// The value of `in`, one of `places`.
  mutating func place(_ node: JSON, _ noun: String, among places: [String]) -> String? {
    guard let place = requiredString(node, "in", noun), !places.contains(place) else { return node["in"]?.string }
    let isBody = (place == "body" || place == "formData") && specification >= .openAPI30
    report(
      Diagnostic(
        .specType, "`\(place)` is not a location of a \(noun): expected \(places.joined(separator: ", "))",
        at: node["in"] ?? node,
        help: Suggestion.phrase(for: place, among: places) ?? (isBody ? "use `requestBody`" : nil)))
    return nil
  }

  mutating func reportMissing(_ key: String, _ node: JSON, _ noun: String) {
    let help = Suggestion.phrase(for: key, among: node.members.prefix(100).map(\.name))
    report(Diagnostic(.specFieldMissing, "a \(noun) requires `\(key)`", at: node, help: help))
  }

  func mismatch(_ value: JSON, _ expectation: String) -> Diagnostic {
    Diagnostic(.specType, "\(expectation), found \(value.kindWithArticle)", at: value)
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

  /// The text of a string or number (unquoted YAML versions and ports are numbers), else the name of the kind.
  var scalarText: String { isString || kind == .number ? text : kindName }
}
