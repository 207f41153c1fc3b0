/// Conflicts between contracts that are served together.
package enum ContractConflict {
  package static func all(among contracts: [CompiledContract]) -> [Diagnostic] { names(contracts) + routes(contracts) }

  package static func names(_ contracts: [CompiledContract]) -> [Diagnostic] {
    var first: [[UInt8]: API] = [:]
    return contracts.map(\.api).compactMap { api in
      guard let other = first.updateValue(api, forKey: Array(api.name.utf8)) else { return nil }
      return Diagnostic(
        .configContractName, "two contracts are called `\(api.name)`, so they would share one folder of fixtures",
        at: Location(start: api.root), notes: [Diagnostic.Note("the other", at: Location(start: other.root))],
        help: "give one of them a `name` in understudy.yaml, or rename its file")
    }
  }

  /// Routes that two contracts have; each pair of contracts is reported once.
  package static func routes(_ contracts: [CompiledContract]) -> [Diagnostic] {
    guard contracts.count > 1 else { return [] }
    var owners: [Route: (index: Int, operation: Operation)] = [:]
    var reported: Set<[Int]> = []
    var diagnostics: [Diagnostic] = []
    for (index, contract) in contracts.enumerated() {
      for compiled in contract.operations {
        let operation = compiled.operation
        for base in compiled.basePaths.isEmpty ? [""] : compiled.basePaths {
          let route = Route(
            base: BasePaths.normalised(base), method: operation.method, shape: shape(of: operation))
          let owner = owners[route] ?? (index, operation)
          owners[route] = owner
          // Contracts of one name are reported as such.
          guard owner.index != index, !contracts[owner.index].name.utf8Equals(contract.name),
            reported.insert([owner.index, index]).inserted
          else { continue }
          diagnostics.append(
            Diagnostic(
              .configRouteClash,
              "`\(operation.method) \(base)\(operation.path)` of `\(contract.name)` is also a route of "
                + "`\(contracts[owner.index].name)`, which answers it",
              at: Location(start: operation.node),
              notes: [Diagnostic.Note("this one answers", at: Location(start: owner.operation.node))],
              help: "list the contract that should answer first, or give one of them another base path in `servers`"))
        }
      }
    }
    return diagnostics
  }

  private struct Route: Hashable {
    var base: [UInt8]
    var method: String
    var shape: [UInt8]
  }

  /// A template without the names of its expressions: `/pets/{}`.
  private static func shape(of operation: Operation) -> [UInt8] {
    guard !operation.isRoute else {
      let segments = operation.template.shape.map { parts in
        parts.map { part in
          switch part {
          case .literal(let text): String(decoding: text, as: UTF8.self)
          case .expression(let pattern): "{\(String(decoding: pattern, as: UTF8.self))}"
          }
        }.joined()
      }
      return Array(("/" + segments.joined(separator: "/")).utf8)
    }
    let template = operation.path
    var result: [UInt8] = []
    var isName = false
    for byte in template.utf8 {
      if byte == UInt8(ascii: "}") { isName = false }
      if !isName { result.append(byte) }
      if byte == UInt8(ascii: "{") { isName = true }
    }
    return result
  }
}
