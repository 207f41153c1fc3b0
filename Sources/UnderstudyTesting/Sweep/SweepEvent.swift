import UnderstudyReport

/// What a child process of a sweep reports, one line each.
enum SweepEvent: Sendable, Equatable {
  /// The sweep of the test is reached.
  case begun
  case sent(SweptRequest)
  /// The client has ended by itself, or hangs.
  case ended(SweepRow.Outcome)

  var line: String {
    switch self {
    case .begun: "begun"
    case .sent(let exchange): "sent \(exchange.line)"
    case .ended(.returned(let value)): "returned \(JSONWriter.text(.string(value)))"
    case .ended(.threw(let error)): "threw \(JSONWriter.text(.string(error)))"
    case .ended: "hung"
    }
  }

  /// Reads what `line` wrote; `nil` for a line that a crash has cut.
  init?(line: Substring) {
    let parts = line.split(separator: " " as Character, maxSplits: 1).map(String.init)
    let text = parts.count == 2 ? (try? JSON(parsing: parts[1]))?.text : nil
    switch (parts.first, text) {
    case ("begun", _): self = .begun
    case ("sent", _):
      guard parts.count == 2, let exchange = SweptRequest(line: parts[1]) else { return nil }
      self = .sent(exchange)
    case ("returned", let text?): self = .ended(.returned(text))
    case ("threw", let text?): self = .ended(.threw(text))
    case ("hung", _): self = .ended(.hung)
    default: return nil
    }
  }
}
