/// Replies of a lane, with what they have answered.
public struct LaneReplyState: Sendable, Hashable {
  /// Counts the replies of the lane.
  public let number: Int
  /// The id of the operation.
  public let operation: String
  /// What is answered in turn: `500`, `usual`.
  public let steps: [String]
  /// The number of requests that it has answered.
  public let answered: Int
  /// Whether it answers no further request.
  public let isOver: Bool

  init(_ value: JSONValue) {
    number = value["number"]?.int ?? 0
    operation = value["operation"]?.string ?? ""
    steps = (value["steps"]?.array ?? []).compactMap(\.string)
    answered = value["answered"]?.int ?? 0
    isOver = value["isOver"]?.bool ?? false
  }
}
