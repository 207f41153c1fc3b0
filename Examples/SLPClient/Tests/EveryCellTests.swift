import SLPClient
import UnderstudyTesting

/// 18 operations, each with every status that the contract documents.
@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct EveryCellTests {
  /// What the statuses mean that an operation has for itself.
  static let meanings: [String: [Int: String]] = [
    "readUser": [200: "도토리"],
    "signUp": [201: "alreadyRegistered", 202: "forbiddenNickname"],
    "joinQueue": [
      200: "waiting", 201: "reportedTooOften", 203: "penalty(minutes: 1)", 204: "penalty(minutes: 2)",
      205: "penalty(minutes: 3)",
    ],
    "leaveQueue": [201: "alreadyMatched"],
    "searchQueue": [200: "2 people"],
    "readQueueState": [200: "waiting", 201: "normal"],
    "requestStudy": [200: "sent", 201: "otherAlreadyRequested", 202: "otherStopped"],
    "acceptStudy": [200: "matched", 201: "otherMatchedElsewhere", 202: "otherStopped", 203: "iAmAlreadyMatched"],
    "dodgeStudy": [201: "notMyPartner"],
    "sendChat": [200: "message", 201: "notMatchedAnyMore"],
    "readChat": [200: "5 messages"],
    "readShopInfo": [200: "도토리"],
    "wearItems": [201: "itemNotOwned"],
    "buyItem": [201: "receiptInvalid"],
  ]

  static let failures = [401: "tokenRefused", 406: "notRegistered", 500: "server", 501: "client"]

  @Test(arguments: Cell.all(of: "specs/slp.yaml"))
  func `every documented status has its meaning`(cell: Cell) async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(with: cell)
    let call = try #require(SLPClient.calls[cell.operation])
    let outcome: String
    do {
      outcome = try await call(.underTest())
    } catch let error as SLPError {
      outcome = "\(error)"
    }
    #expect(outcome == Self.failures[cell.status] ?? Self.meanings[cell.operation]?[cell.status] ?? "done")
    // A refused token is refreshed once.
    try await lane.expect(cell.operation, times: cell.status == 401 ? 2 : 1)
  }

  @Test func `every operation has a call`() {
    #expect(Set(Cell.all(of: "specs/slp.yaml").map(\.operation)) == Set(SLPClient.calls.keys))
  }
}
