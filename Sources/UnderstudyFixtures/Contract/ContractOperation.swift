/// An operation of a contract with its cells.
public struct ContractOperation: Sendable, Hashable {
  /// The operation's id, made from method and path where the contract has none.
  public let id: String
  /// The method in capitals.
  public let method: String
  /// The path template below the base path: `/pets/{petId}`.
  public let path: String
  /// The documented statuses in the contract's order, then those of fixtures alone.
  public let cells: [Cell]
}

extension Contract {
  /// Every operation with its cells, in the contract's order.
  public var operations: [ContractOperation] {
    compiled.operations.map { compiled in
      let cells = cells(of: compiled).map { cell in
        Cell(
          operation: compiled.id, status: compiled.code(of: cell.cell.status), key: cell.cell.status.description,
          meaning: cell.cell.explicitMeaning, variants: cell.names)
      }
      return ContractOperation(
        id: compiled.id, method: compiled.operation.method, path: compiled.operation.path, cells: cells)
    }
  }
}
