import Foundation
import SLPClient
import UnderstudyTesting

/// Tokens that count their refreshes.
actor Tokens: TokenSource {
  private(set) var refreshes = 0

  func token(refreshed: Bool) async throws -> String {
    if refreshed { refreshes += 1 }
    return "token-\(refreshes)"
  }
}

/// A place for a file, which is removed with the last reference.
final class TemporaryFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "slp-\(UUID().uuidString).json")

  deinit { try? FileManager.default.removeItem(at: url) }
}

extension SLPClient {
  /// A client of a lane, by default that of the test that runs.
  static func underTest(at lane: Lane? = .current) throws -> SLPClient {
    SLPClient(baseURL: try #require(lane).baseURL, tokens: Tokens(), timeout: 2)
  }

  /// One call of each operation.
  static let calls: [String: @Sendable (SLPClient) async throws -> String] = [
    "readUser": { try await $0.user().nick },
    "signUp": {
      "\(try await $0.signUp(phoneNumber: "+821012345678", FCMtoken: "t", nick: "도토리", birth: "1997-03-21T00:00:00.000Z", email: "a@b.co", gender: 0))"
    },
    "withdraw": {
      try await $0.withdraw(); return "done"
    },
    "updateFCMToken": {
      try await $0.updateFCMToken("t"); return "done"
    },
    "updateMyPage": {
      try await $0.updateMyPage(searchable: true, ages: 20...35, gender: 0, study: "알고리즘")
      return "done"
    },
    "joinQueue": { "\(try await $0.joinQueue(lat: 37.5, long: 126.9, studies: ["Swift", "알고리즘"]))" },
    "leaveQueue": { "\(try await $0.leaveQueue())" },
    "searchQueue": { "\(try await $0.search(lat: 37.5, long: 126.9).fromQueueDB.count) people" },
    "readQueueState": {
      switch try await $0.queueState() {
      case .normal: "normal"
      case .waiting: "waiting"
      case .matched: "matched"
      }
    },
    "requestStudy": { "\(try await $0.requestStudy(with: "u2"))" },
    "acceptStudy": { "\(try await $0.acceptStudy(with: "u2"))" },
    "dodgeStudy": { "\(try await $0.dodgeStudy(with: "u2"))" },
    "rateUser": {
      try await $0.rate("u2", titles: [true, false, false, true, false, false], comment: "a&b=c+d 한글")
      return "done"
    },
    "sendChat": {
      if case .message = try await $0.send("a&b=c+d 한글", to: "u2") { "message" } else { "notMatchedAnyMore" }
    },
    "readChat": { "\(try await $0.messages(with: "u2", since: "2000-01-01T00:00:00.000Z").count) messages" },
    "readShopInfo": { try await $0.shopInfo().nick },
    "wearItems": { "\(try await $0.wear(sesac: 1, background: 2))" },
    "buyItem": { "\(try await $0.buy(receipt: "MIIT+/8=", product: "com.memolease.sesac1.sprout1"))" },
  ]
}
