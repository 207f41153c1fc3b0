/// One operation x one documented status: what can be served, forced, recorded, counted and required.
public struct Cell: Sendable, Hashable, CustomStringConvertible {
  /// The id of the operation.
  public let operation: String
  /// The status that the mock sends: of `4XX` and `default` the first that no other documented status is for.
  public let status: Int
  /// The status as the contract writes it: `200`, `4XX` or `default`.
  public let key: String
  /// The name of the status in this operation, from `x-meaning`.
  public let meaning: String?
  /// The names of the cell's fixtures and examples.
  public let variants: [String]
  /// Why there is no cell: a test that gets it fails with this message.
  package private(set) var problem: String?

  /// A cell by its names, as `understudy generate` writes it.
  ///
  /// - Parameters:
  ///   - operation: The id of the operation.
  ///   - status: The status to send, from 200 to 599.
  ///   - key: The status as the contract writes it; the number without it.
  ///   - meaning: The name of the status.
  ///   - variants: The names of the cell's fixtures and examples.
  public init(
    operation: String, status: Int, key: String? = nil, meaning: String? = nil, variants: [String] = []
  ) {
    self.operation = operation
    self.status = status
    self.key = key ?? String(status)
    self.meaning = meaning
    self.variants = variants
  }

  package static func missing(_ problem: String) -> Cell {
    var cell = Cell(operation: "", status: 0)
    cell.problem = problem
    return cell
  }

  /// `joinQueue 203 penaltyFirst`
  public var description: String {
    problem == nil ? "\(operation) \(key)" + (meaning.map { " \($0)" } ?? "") : "no cell"
  }
}
