/// Reads `collections` of a scenario: `all`, the names of some that the contract has, or descriptions of others.
struct ScenarioCollectionsReader {
  let contract: ResourceContract
  private(set) var findings = MappingReader.fixtures

  init(_ contract: ResourceContract) { self.contract = contract }

  mutating func read(_ node: JSON) -> [String: ResourceAction] {
    let actions = node.isObject ? described(node) : named(node)
    return Dictionary(
      contract.operations.compactMap { operation in actions[ObjectIdentifier(operation)].map { (operation.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private mutating func described(_ node: JSON) -> [ObjectIdentifier: ResourceAction] {
    var reader = ResourceDescriptionReader(contract: contract, rule: .fixtureInvalid)
    let actions = reader.actions(in: node)
    findings.add(reader.diagnostics)
    return actions
  }

  /// The collections that `serve --stateful` has as well.
  private mutating func named(_ node: JSON) -> [ObjectIdentifier: ResourceAction] {
    let (all, diagnostics) = contract.actions(infers: true)
    findings.add(diagnostics)
    let known = Set(all.values.map(\.collection.name)).sorted()
    guard !(node.isString && node.text == "all") else {
      if known.isEmpty { findings.report("the contract has no collections", at: node, help: Self.description) }
      return all
    }
    let names = findings.texts(node, of: "`collections`")
    for (name, node) in names where !known.contains(where: { $0.utf8Equals(name) }) {
      findings.report(
        "no collection is called `\(name)`", at: node,
        help: Suggestion.help(for: name, among: known, none: Self.description))
    }
    return all.filter { action in names.contains { $0.text.utf8Equals(action.value.collection.name) } }
  }

  private static let description = "describe it, as in `collections: {pets: {create: addPet, read: readPet}}`"
}
