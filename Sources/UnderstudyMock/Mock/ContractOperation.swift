/// An operation of a contract with its cells.
public struct ContractOperation: Sendable, Hashable {
  /// The operation's id, made from method and path where the contract has none.
  public let id: String
  /// The method in capitals.
  public let method: String
  /// The path template below the base path: `/pets/{petId}`.
  public let path: String
  /// The documented statuses in the contract's order, then those of fixtures alone.
  public let cells: [ContractCell]
}

/// One operation x one status: what can be served, forced, recorded, counted and required.
public struct ContractCell: Sendable, Hashable, CustomStringConvertible {
  /// The id of the operation.
  public let operation: String
  /// `200`, `4XX` or `default`.
  public let status: String
  /// The name of the status in this operation, from `x-meaning`.
  public let meaning: String?
  /// The names of the cell's fixtures and examples.
  public let variants: [String]

  /// `readChat 200`
  public var description: String { "\(operation) \(status)" }
}

extension Contract {
  /// Every operation with its cells, in the contract's order.
  public var operations: [ContractOperation] {
    compiled.operations.map { compiled in
      let cells = cells(of: compiled).map { cell in
        ContractCell(
          operation: compiled.id, status: cell.cell.status.description, meaning: cell.cell.meaning,
          variants: cell.names)
      }
      return ContractOperation(
        id: compiled.id, method: compiled.operation.method, path: compiled.operation.path, cells: cells)
    }
  }
}
