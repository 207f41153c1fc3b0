import Foundation

// What clients send after an answer.

/// The tokens of Firebase: a refresh takes a moment.
public actor FirebaseTokens {
  public private(set) var current = "token-0"
  public private(set) var refreshes = 0

  public init() {}

  public func refresh() async throws {
    try await Task.sleep(for: .milliseconds(10))
    refreshes += 1
    current = "token-\(refreshes)"
  }
}

extension Wire {
  /// E20: after each 401 the token is refreshed and the request repeated, without a limit, and with the token that was
  /// passed on as a value: the refused one.
  public func endlessRefresh(_ tokens: FirebaseTokens) async throws -> String {
    let token = await tokens.current
    while true {
      let answer = try await send("GET", "/v1/user", token: token)
      if answer.status == 401 {
        try await tokens.refresh()
        continue
      }
      guard answer.status == 200 else { throw ClientError.status(answer.status) }
      return "in"
    }
  }

  /// E24: the whole history is fetched again after each message.
  public func historyAfterEachMessage() async throws {
    for text in ["a", "b"] {
      _ = try await send("POST", "/v1/chat/u2", form: "chat=\(text)")
      _ = try await send("GET", "/v1/chat/u2?lastchatDate=2000-01-01T00:00:00.000Z")
    }
  }

  /// E31: a row of the list is reused with its button, which keeps the action for the person before: one tap asks both.
  public func reusedButton() async throws {
    var actions: [String] = []
    // The row is shown for one person, leaves the screen, and is shown for another one.
    for uid in ["u2", "u3"] { actions.append(uid) }
    for uid in actions { _ = try await send("POST", "/v1/queue/studyrequest", form: "otheruid=\(uid)") }
  }
}
