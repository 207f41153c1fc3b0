/// A cell that a lane answers an operation with from its beginning: `406`, `"200.empty"`, `"401*2"` for two requests.
public struct ForcedCell: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  let value: JSONValue

  /// A documented status.
  public init(integerLiteral status: Int) { value = .int(status) }
  /// A status, a meaning or a fixture, perhaps with a number of requests.
  public init(stringLiteral cell: String) { value = .string(cell) }
}
