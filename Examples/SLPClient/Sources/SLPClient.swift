import Foundation

/// The backend of the app.
public struct SLPClient: Sendable {
  let session: Session

  /// - Parameter timeout: The longest silence of the server, in seconds.
  public init(baseURL: URL, tokens: any TokenSource, timeout: TimeInterval = 10) {
    session = Session(baseURL: baseURL, tokens: tokens, timeout: timeout)
  }
}

// MARK: - Account

extension SLPClient {
  public enum SignUp: Hashable, Sendable { case done, alreadyRegistered, forbiddenNickname }

  /// My account.
  public func user() async throws -> User { try await session.send("GET", "user").decoded(User.self) }

  public func signUp(
    phoneNumber: String, FCMtoken: String, nick: String, birth: String, email: String, gender: Int
  ) async throws -> SignUp {
    try await session.send(
      "POST", "user",
      form: [
        ("phoneNumber", phoneNumber), ("FCMtoken", FCMtoken), ("nick", nick), ("birth", birth), ("email", email),
        ("gender", "\(gender)"),
      ]
    ).meaning([200: .done, 201: .alreadyRegistered, 202: .forbiddenNickname])
  }

  public func withdraw() async throws { try await session.send("POST", "user/withdraw").meaning([200: ()]) }

  public func updateFCMToken(_ token: String) async throws {
    try await session.send("PUT", "user/update_fcm_token", form: [("FCMtoken", token)]).meaning([200: ()])
  }

  public func updateMyPage(
    searchable: Bool, ages: ClosedRange<Int>, gender: Int, study: String
  ) async throws {
    try await session.send(
      "PUT", "user/mypage",
      form: [
        ("searchable", searchable ? "1" : "0"), ("ageMin", "\(ages.lowerBound)"), ("ageMax", "\(ages.upperBound)"),
        ("gender", "\(gender)"), ("study", study),
      ]
    ).meaning([200: ()])
  }
}

// MARK: - Queue

extension SLPClient {
  public enum Join: Hashable, Sendable {
    case waiting, reportedTooOften
    /// Blocked for some minutes.
    case penalty(minutes: Int)
  }
  public enum Leave: Hashable, Sendable { case done, alreadyMatched }
  public enum Queue: Hashable, Sendable {
    /// No search is running.
    case normal
    case waiting
    case matched(QueueState)
  }

  /// - Parameter studies: What I would like to study; nothing means anything.
  public func joinQueue(lat: Double, long: Double, studies: [String]) async throws -> Join {
    let list = (studies.isEmpty ? ["anything"] : studies).map { ("studylist", $0) }
    return try await session.send("POST", "queue", form: [("lat", "\(lat)"), ("long", "\(long)")] + list).meaning([
      200: .waiting, 201: .reportedTooOften, 203: .penalty(minutes: 1), 204: .penalty(minutes: 2),
      205: .penalty(minutes: 3),
    ])
  }

  public func leaveQueue() async throws -> Leave {
    try await session.send("DELETE", "queue").meaning([200: .done, 201: .alreadyMatched])
  }

  public func search(lat: Double, long: Double) async throws -> SearchResult {
    try await session.send("POST", "queue/search", form: [("lat", "\(lat)"), ("long", "\(long)")])
      .decoded(SearchResult.self)
  }

  public func queueState() async throws -> Queue {
    let answer = try await session.send("GET", "queue/myQueueState")
    if answer.status == 201 { return .normal }
    let state = try answer.decoded(QueueState.self)
    return state.matched == 1 ? .matched(state) : .waiting
  }
}

// MARK: - Study

extension SLPClient {
  public enum Request: Hashable, Sendable { case sent, otherAlreadyRequested, otherStopped }
  public enum Accept: Hashable, Sendable { case matched, otherMatchedElsewhere, otherStopped, iAmAlreadyMatched }
  public enum Dodge: Hashable, Sendable { case done, notMyPartner }

  public func requestStudy(with uid: String) async throws -> Request {
    try await session.send("POST", "queue/studyrequest", form: [("otheruid", uid)])
      .meaning([200: .sent, 201: .otherAlreadyRequested, 202: .otherStopped])
  }

  public func acceptStudy(with uid: String) async throws -> Accept {
    try await session.send("POST", "queue/studyaccept", form: [("otheruid", uid)])
      .meaning([200: .matched, 201: .otherMatchedElsewhere, 202: .otherStopped, 203: .iAmAlreadyMatched])
  }

  public func dodgeStudy(with uid: String) async throws -> Dodge {
    try await session.send("POST", "queue/dodge", form: [("otheruid", uid)])
      .meaning([200: .done, 201: .notMyPartner])
  }

  /// - Parameter titles: Six flags in the order of the screen.
  public func rate(_ uid: String, titles: [Bool], comment: String) async throws {
    let padded = (titles + Array(repeating: false, count: max(0, 9 - titles.count))).map {
      ("reputation", $0 ? "1" : "0")
    }
    try await session.send(
      "POST", "queue/rate/\(Session.escaped(uid))", form: [("otheruid", uid)] + padded + [("comment", comment)]
    ).meaning([200: ()])
  }
}

// MARK: - Shop

extension SLPClient {
  public enum Wear: Hashable, Sendable { case done, itemNotOwned }
  public enum Purchase: Hashable, Sendable { case done, receiptInvalid }

  public func shopInfo() async throws -> User { try await session.send("GET", "user/shop/myinfo").decoded(User.self) }

  public func wear(sesac: Int, background: Int) async throws -> Wear {
    try await session.send("POST", "user/shop/item", form: [("sesac", "\(sesac)"), ("background", "\(background)")])
      .meaning([200: .done, 201: .itemNotOwned])
  }

  public func buy(receipt: String, product: String) async throws -> Purchase {
    try await session.send("POST", "user/shop/ios", form: [("receipt", receipt), ("product", product)])
      .meaning([200: .done, 201: .receiptInvalid])
  }
}
