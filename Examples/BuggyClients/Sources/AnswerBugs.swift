import Foundation

// What clients make of answers.

extension Wire {
  /// E1: every answer is decoded as JSON, a text as a JSON string, so the text of a success is a failure.
  public func textDecodedAsJSON() async throws -> String {
    let answer = try await send("POST", "/v1/user/withdraw")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    guard let text = try? JSONDecoder().decode(String.self, from: answer.body) else { throw ClientError.decoding }
    return text
  }

  /// E2: a failure to decode reaches neither callback, and the caller waits for ever.
  public func unreportedFailure() async throws -> String {
    let answers = AsyncThrowingStream<String, any Error> { continuation in
      joinQueue { text in
        continuation.yield(text)
        continuation.finish()
      } failure: { error in
        continuation.finish(throwing: error)
      }
    }
    for try await answer in answers { return answer }
    throw CancellationError()
  }

  private func joinQueue(
    success: @escaping @Sendable (String) -> Void, failure: @escaping @Sendable (any Error) -> Void
  ) {
    Task {
      do {
        let answer = try await send("POST", "/v1/queue", form: "lat=37.5&long=126.9&studylist=Swift")
        guard answer.status == 200 else { return failure(ClientError.status(answer.status)) }
        if let text = try? JSONDecoder().decode(String.self, from: answer.body) { success(text) }
      } catch {
        failure(error)
      }
    }
  }

  /// E5: all of 200 to 299 is success, so the search screen opens for a blocked user.
  public func everyTwoHundredIsSuccess() async throws -> String {
    let answer = try await send("POST", "/v1/queue", form: "lat=37.5&long=126.9&studylist=Swift")
    guard 200...299 ~= answer.status else { throw ClientError.status(answer.status) }
    return "searching"
  }

  /// E7: a decoder with a default for a missing payload, and no look at the status: a 500 is an empty history.
  public func defaultForTheMissing() async throws -> Int {
    struct History: Decodable {
      let payload: [Message]

      struct Message: Decodable { let chat: String }

      enum CodingKeys: CodingKey { case payload }

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        payload = try values.decodeIfPresent([Message].self, forKey: .payload) ?? []
      }
    }
    let answer = try await send("GET", "/v1/chat/u2?lastchatDate=2000-01-01T00:00:00.000Z")
    guard let history = try? JSONDecoder().decode(History.self, from: answer.body) else { throw ClientError.decoding }
    return history.payload.count
  }

  /// E11: a formatter that knows one spelling of dates, with a `Z` in quotes.
  public func oneSpellingOfDates() async throws -> Date {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
    struct Account: Decodable { let createdAt: String }
    let answer = try await send("GET", "/v1/user")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    let user = try JSONDecoder().decode(Account.self, from: answer.body)
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

  /// E26: the `enum` of the statuses has no 202, and its value is force-unwrapped.
  public func missingStatus() async throws -> String {
    enum StudyStatus: Int {
      case sent = 200
      case otherAskedFirst = 201
      case tokenRefused = 401
      case notRegistered = 406
      case server = 500
      case client = 501
    }
    let answer = try await send("POST", "/v1/queue/studyrequest", form: "otheruid=u2")
    return "\(StudyStatus(rawValue: answer.status)!)"
  }

  /// E27: one `enum` of statuses for all operations: a blocked user reads the text of the sign-up.
  public func sharedStatuses() async throws -> String {
    let answer = try await send("POST", "/v1/queue", form: "lat=37.5&long=126.9&studylist=Swift")
    return [200: "done", 201: "already registered", 202: "forbidden nickname"][answer.status] ?? "try again"
  }

  /// E40: without a network there is no response, and its status is force-unwrapped.
  public func missingResponse() async throws -> String {
    let answer = try? await send("POST", "/v1/user/withdraw")
    return answer!.status == 200 ? "closed" : "try again"
  }

  /// E43: every member is optional, so a wrong model decodes to nothing.
  public func everythingIsOptional() async throws -> String {
    struct User: Decodable { let nick: String? }
    let answer = try await send("GET", "/v1/user")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    return try JSONDecoder().decode(User.self, from: answer.body).nick ?? "no name"
  }
}
