/// The state of lenient reading of an AsyncAPI document: an invalid part is left out, an ignored field reported.
struct AsyncAPIReading {
  let root: JSON
  let resolver: ReferenceResolver
  private(set) var diagnostics: [Diagnostic] = []
  /// Shared parts are read once for each reference to them, and reported once.
  private var reported: Set<String> = []

  init(_ root: JSON, resolver: ReferenceResolver) { (self.root, self.resolver) = (root, resolver) }

  mutating func report(_ diagnostic: Diagnostic) {
    let location = diagnostic.location
    let place = "\(location?.path ?? "") \(location?.range?.lowerBound ?? -1)"
    if reported.insert("\(place) \(diagnostic.message)").inserted { diagnostics.append(diagnostic) }
  }

  mutating func reject(_ message: String, at node: JSON, help: String? = nil) {
    report(Diagnostic(.asyncAPIInvalid, message, at: Location(start: node), help: help))
  }

  /// Reports a field that the mock ignores: `info` if the sockets, their events and schemas are the same without it.
  mutating func ignore(_ message: String, at node: JSON, severity: Severity? = nil, help: String? = nil) {
    report(Diagnostic(.asyncAPIIgnored, message, at: Location(start: node), severity: severity, help: help))
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

  /// The object at `value`, references followed; `noun` is its kind, such as `a channel`.
  mutating func object(_ value: JSON, _ noun: String) -> JSON? {
    guard let target = resolve(value) else { return nil }
    if target.isObject { return target }
    reject("\(noun) must be an object, found \(target.kindName)", at: target)
    return nil
  }

  /// The members of the map at `key` without extensions.
  mutating func map(_ node: JSON, _ key: String) -> [JSON.Member] {
    guard let value = node[key], let map = object(value, "`\(key)`") else { return [] }
    return map.distinctMembers.filter { !$0.key.isExtensionKey }
  }

  /// The elements of the array at `key`; `nil` without one.
  mutating func list(_ node: JSON, _ key: String) -> [JSON]? {
    guard let value = node[key] else { return nil }
    if !value.isArray { reject("`\(key)` must be an array, found \(value.kindName)", at: value) }
    return value.array
  }

  /// The string at `key`; `nil` without one.
  mutating func string(_ node: JSON, _ key: String) -> String? {
    guard let value = node[key] else { return nil }
    if !value.isString { reject("`\(key)` must be a string, found \(value.kindName)", at: value) }
    return value.string
  }

  /// The keys that may have any value because they only describe.
  private static let descriptions = ["title", "summary", "description", "tags", "externalDocs"]

  /// Reports keys that an object does not have; those of other tools begin with `x-`.
  mutating func checkKeys(of node: JSON, _ known: [String]) {
    var reader = MappingReader(.asyncAPIInvalid)
    reader.checkKeys(of: node, known + Self.descriptions) {
      $0.key.isExtensionKey && !$0.name.hasPrefix("x-understudy")
    }
    for finding in reader.all { report(finding) }
  }

  /// - Parameter used: The keys that the mock reads, by binding.
  mutating func checkBindings(of node: JSON, _ noun: String, using used: [String: [String]] = [:]) {
    for binding in map(node, "bindings") {
      guard let keys = used[binding.name] else {
        ignore("the binding `\(binding.name)` of \(noun) is not used", at: binding.key, severity: .info)
        continue
      }
      for member in resolve(binding.value)?.members ?? JSON.object([]).members
      where !member.key.isExtensionKey && member.name != "bindingVersion" && !keys.contains(member.name) {
        ignore("`\(member.name)` of the binding `\(binding.name)` is not checked", at: member.key, severity: .info)
      }
    }
  }
}
