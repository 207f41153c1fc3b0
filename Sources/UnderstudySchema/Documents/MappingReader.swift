/// Reads the mappings of a file and collects findings about their keys and values.
package struct MappingReader: Sendable {
  /// The findings in the order of their discovery.
  package private(set) var all: [Diagnostic] = []
  /// The rule for invalid values.
  package let invalid: Rule
  private let unknownKey: Rule

  /// - Parameters:
  ///   - invalid: The rule for invalid values.
  ///   - unknownKey: The rule for unknown keys, unless it is the same.
  package init(_ invalid: Rule, unknownKey: Rule? = nil) {
    self.invalid = invalid
    self.unknownKey = unknownKey ?? invalid
  }

  /// Returns the root of a file and reports its duplicate keys.
  package mutating func root(of document: JSONDocument) -> JSON {
    if let source = document.source { add(document.duplicates.map { Diagnostic(invalid, $0, in: source) }) }
    return document.root
  }

  /// Reports unless a node is a mapping, and reports its unknown keys.
  package mutating func isMapping(_ node: JSON, _ expected: String = "a mapping", keys known: [String]? = nil) -> Bool {
    guard node.isObject else { return reject(expected: expected, node) ?? false }
    if let known { checkKeys(of: node, known) }
    return true
  }

  /// Reports unknown keys, and returns whether there are none.
  @discardableResult
  package mutating func checkKeys(
    of node: JSON, _ known: [String], except isIgnored: (JSON.Member) -> Bool = { _ in false }
  ) -> Bool {
    let unknown = node.members.filter { member in !known.contains { $0.utf8Equals(member.name) } && !isIgnored(member) }
    for member in unknown {
      let name = VisibleText.shortened(member.name, to: 80)
      report(unknownKey, "unknown key `\(name)`", at: member.key, help: Suggestion.help(for: name, among: known))
    }
    return unknown.isEmpty
  }

  /// The elements of a list; reports any other value.
  package mutating func list(_ node: JSON, _ expected: String = "a list") -> [JSON]? {
    node.array ?? reject(expected: expected, node)
  }

  /// The text of a string; reports any other value.
  package mutating func string(_ node: JSON, of title: String? = nil) -> String? {
    node.string ?? reject(expected: "text", of: title, node)
  }

  /// The value of a boolean; reports any other value.
  package mutating func flag(_ node: JSON, of title: String? = nil) -> Bool? {
    node.bool ?? reject(expected: "`true` or `false`", of: title, node)
  }

  // MARK: - Findings

  package mutating func add(_ finding: Diagnostic) { all.append(finding) }

  package mutating func add(_ findings: [Diagnostic]) { all += findings }

  package mutating func report(_ message: String, at node: JSON, help: String? = nil) {
    report(invalid, message, at: node, help: help)
  }

  package mutating func report(_ rule: Rule, _ message: String, at node: JSON, help: String? = nil) {
    add(Diagnostic(rule, message, at: Location(start: node), help: help))
  }

  /// Reports an invalid value and returns `nil`.
  package mutating func reject<T>(_ message: String, at node: JSON, help: String? = nil) -> T? {
    report(message, at: node, help: help)
    return nil
  }

  /// Reports a value of the wrong kind and returns `nil`.
  package mutating func reject<T>(
    expected: String, of title: String? = nil, _ node: JSON, help: String? = nil
  ) -> T? {
    reject("expected \(expected)\(title.map { " for \($0)" } ?? ""), found \(node.kindName)", at: node, help: help)
  }
}
