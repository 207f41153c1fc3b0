/// What the end of an exchange changes.
indirect enum ExchangeCompletion: Sendable {
  /// The lane that watches the exchange learns that the client has the response or has left.
  case watched(number: Int, MockOperation, Mock, any LaneAccess, LaneTime)
  /// The body of the upstream's response, which was sent on while it arrived, is validated as far as it came.
  case passed(HTTPResponse, BodyCopy, ProxyHandler)
}

extension Reply {
  /// Whether the end of its exchange changes it, which `end(within:)` does.
  package var changesAtEnd: Bool { completion != nil }

  /// Does once what the end of the exchange changes; `false` if the budget did not suffice, and nothing has happened.
  package mutating func end(within budget: WorkBudget) -> Bool {
    switch completion {
    case .watched(let number, let operation, let mock, let lane, let time)?:
      if isWatched || limit?.isExceeded == true {
        if lane.isDurable, !budget.isWorker { return false }
        // The response is already sent, so that a store that fails now has no client to tell.
        if let ended = try? lane.apply(.ended(number, operation, self), of: mock, at: time) {
          diagnostics = ended.diagnostics
        }
      }
    case .passed(let response, let copy, let handler)?:
      guard handler.end(&self, response, copy, within: budget) else { return false }
    case nil: break
    }
    completion = nil
    return true
  }
}
