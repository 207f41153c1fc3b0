import Foundation

extension Wire {
  /// E1: every answer is decoded as JSON, so the text of a success is a failure.
  public func textDecodedAsJSON() async throws -> String {
    let answer = try await send("POST", "/v1/user/withdraw")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    guard let text = try? JSONDecoder().decode(String.self, from: answer.body) else { throw ClientError.decoding }
    return text
  }

  /// E2: a failure to decode reaches neither callback, and the caller waits for ever.
  public func failureThatNobodyHears() async throws -> String {
    let answer = try await send("GET", "/v1/user")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    let user = try? JSONDecoder().decode(Account.self, from: answer.body)
    while user == nil { try await Task.sleep(for: .seconds(60)) }
    return user?.nick ?? ""
  }

  /// E5: all of 200 to 299 is success, so the search screen opens for a blocked user.
  public func everyTwoHundredIsSuccess() async throws -> String {
    let answer = try await send("POST", "/v1/queue", form: "lat=37.5&long=126.9&studylist=Swift")
    guard 200...299 ~= answer.status else { throw ClientError.status(answer.status) }
    return "searching"
  }

  /// E7: a decoder with a default for a missing payload, and no look at the status: a 500 is an empty history.
  public func defaultForTheMissing() async throws -> Int {
    let answer = try await send("GET", "/v1/chat/u2?lastchatDate=2000-01-01T00:00:00.000Z")
    guard let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any] else {
      throw ClientError.status(answer.status)
    }
    return (object["payload"] as? [Any] ?? []).count
  }

  /// E11: a formatter that knows one spelling of dates.
  public func oneSpellingOfDates() async throws -> Date {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
    let user: Account = try await account()
    guard let date = formatter.date(from: user.createdAt) else { throw ClientError.decoding }
    return date
  }

  /// E13: the partner is not optional, so waiting cannot be decoded and looks like "no search".
  public func partnerIsNotOptional() async throws -> String {
    struct State: Decodable {
      let matched: Int
      let matchedUid: String
    }
    let answer = try await send("GET", "/v1/queue/myQueueState")
    guard answer.status == 200, let state = try? JSONDecoder().decode(State.self, from: answer.body) else {
      return "normal"
    }
    return state.matched == 1 ? "matched" : "waiting"
  }

  /// E20: a refused token is refreshed, and the request repeated, without a limit.
  public func endlessRefresh() async throws -> String {
    while true {
      let answer = try await send("GET", "/v1/user")
      if answer.status == 401 { continue }
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

  /// E26: the statuses are an `enum`, and one is missing from it.
  public func missingStatus() async throws -> String {
    let answer = try await send("POST", "/v1/queue/studyrequest", form: "otheruid=u2")
    let known = [200: "sent", 201: "other asked first", 401: "token", 406: "sign up", 500: "server", 501: "client"]
    // In the app: `StudyStatus(rawValue: status)!`
    guard let text = known[answer.status] else { throw ClientError.status(answer.status) }
    return text
  }

  /// E27: one `enum` of statuses for all operations: a blocked user reads the text of the sign-up.
  public func sharedStatuses() async throws -> String {
    let answer = try await send("POST", "/v1/queue", form: "lat=37.5&long=126.9&studylist=Swift")
    return [200: "done", 201: "already registered", 202: "forbidden nickname"][answer.status] ?? "try again"
  }

  /// E31: a reused button sends the request twice.
  public func twoRequestsForOneTap() async throws {
    for uid in ["u2", "u3"] { _ = try await send("POST", "/v1/queue/studyrequest", form: "otheruid=\(uid)") }
  }

  /// E40: no connection is taken for an empty answer.
  public func noNetworkIsEmpty() async throws -> Int {
    guard let answer = try? await send("GET", "/v1/chat/u2?lastchatDate=2000-01-01T00:00:00.000Z") else { return 0 }
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    return answer.body.count
  }

  /// E43: every member is optional, so a wrong model decodes to nothing.
  public func everythingIsOptional() async throws -> String {
    struct User: Decodable {
      let nick: String?
    }
    let answer = try await send("GET", "/v1/user")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    return try JSONDecoder().decode(User.self, from: answer.body).nick ?? "no name"
  }

  private struct Account: Decodable {
    let nick: String
    let createdAt: String
  }

  private func account() async throws -> Account {
    let answer = try await send("GET", "/v1/user")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    return try JSONDecoder().decode(Account.self, from: answer.body)
  }
}
