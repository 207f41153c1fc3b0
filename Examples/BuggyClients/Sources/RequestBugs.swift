import Foundation

// What clients send. Each function of this module is a bug that the developer of a public client wrote down, with its
// number in `fixtures/slp/README.md`.

extension Wire {
  /// E9: the cursor is appended as a segment of the path, so its question mark is escaped.
  public func cursorInThePath() async throws {
    _ = try await send("GET", "/v1/chat/u2%3FlastchatDate=2022-12-06T00:00:00.000Z")
  }

  /// E10: the cursor is in local time, and the plus of its offset is not escaped.
  public func cursorInLocalTime() async throws {
    _ = try await send("GET", "/v1/chat/u2?lastchatDate=2022-12-06T09:00:00.000+0900")
  }

  /// E14: the networking library writes lists with brackets.
  public func bracketsInLists() async throws {
    _ = try await send("POST", "/v1/queue", form: "lat=37.5&long=126.9&studylist%5B%5D=Swift&studylist%5B%5D=iOS")
  }

  /// E15: the list of flags is joined with commas.
  public func listAsOneText() async throws {
    _ = try await send("POST", "/v1/queue/rate/u2", form: "otheruid=u2&reputation=1,0,0,0,0,0,0,0,0&comment=")
  }

  /// E16: the parameters are in the query of a POST.
  public func fieldsInTheQuery() async throws {
    _ = try await send("POST", "/v1/queue/studyrequest?otheruid=u2")
  }

  /// E16: the form header, but a JSON body.
  public func jsonUnderAFormHeader() async throws {
    _ = try await send("POST", "/v1/queue/studyrequest", json: #"{"otheruid": "u2"}"#)
  }

  /// E17: a form by hand, in which the ampersand of a text begins another field. Returns the message as it was stored.
  public func formByHand(_ text: String) async throws -> String {
    struct Chat: Decodable { let chat: String }
    let answer = try await send("POST", "/v1/chat/u2", form: "chat=\(text)")
    guard answer.status == 200 else { throw ClientError.status(answer.status) }
    return try JSONDecoder().decode(Chat.self, from: answer.body).chat
  }

  /// E19: the base URL ends with a slash, and the path begins with one.
  public func doubleSlash() async throws { _ = try await send("GET", "//v1/user") }

  /// E35: numbers as JSON, where the server reads forms, and texts in JSON.
  public func numbersInJSON() async throws {
    _ = try await send(
      "PUT", "/v1/user/mypage", json: #"{"searchable": 1, "ageMin": 18, "ageMax": 30, "gender": 1, "study": ""}"#,
      type: "application/json")
  }

  /// E37: latitude and longitude are swapped.
  public func swappedCoordinates() async throws {
    _ = try await send("POST", "/v1/queue/search", form: "lat=126.9&long=37.5")
  }

  /// E42: the method is GET unless a call names another one, and the call that ends a study does not.
  public func getForPost() async throws {
    struct State: Decodable { let matchedUid: String? }
    let answer = try await send("GET", "/v1/queue/myQueueState")
    let state = try? JSONDecoder().decode(State.self, from: answer.body)
    guard let uid = state?.matchedUid else { return }
    _ = try await send("GET", "/v1/queue/dodge?otheruid=\(uid)")
  }
}
