import Testing
import UnderstudySockets

struct EngineRequestTests {
  private func purpose(
    _ query: [String: String], method: String = "GET", isUpgrade: Bool = false
  ) throws -> EngineRequest.Purpose {
    try EngineRequest(method: method, query: query, isUpgrade: isUpgrade).purpose()
  }

  @Test func `a request opens a session, or belongs to one`() throws {
    #expect(try purpose(["EIO": "4", "transport": "polling"]) == .open(.four, .polling))
    #expect(try purpose(["EIO": "3", "transport": "websocket"], isUpgrade: true) == .open(.three, .websocket))
    #expect(try purpose(["EIO": "4", "transport": "polling", "sid": "a"], method: "POST") == .session("a", .polling))
  }

  @Test(
    arguments: [
      ([:], EngineRefusal.unknownTransport), (["EIO": "4"], .unknownTransport),
      (["EIO": "4", "transport": "abc"], .unknownTransport), (["transport": "polling"], .unsupportedVersion),
      (["EIO": "5", "transport": "polling"], .unsupportedVersion),
      (["EIO": "4", "transport": "websocket"], .badRequest),
    ] as [([String: String], EngineRefusal)])
  func `a query without its parts is refused`(query: [String: String], refusal: EngineRefusal) {
    #expect(throws: refusal) { try purpose(query) }
  }

  @Test func `a session is opened by GET alone, and polling is no upgrade`() {
    for method in ["POST", "PUT"] {
      #expect(throws: EngineRefusal.badMethod) { try purpose(["EIO": "4", "transport": "polling"], method: method) }
    }
    #expect(throws: EngineRefusal.badRequest) { try purpose(["EIO": "4", "transport": "polling"], isUpgrade: true) }
  }

  @Test func `a refusal has the code and the message of the reference implementation`() {
    let response = EngineRefusal.unknownSession.response
    #expect(response.status == 400)
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"code":1,"message":"Session ID unknown"}"#)
    #expect(EngineRefusal.forbidden.response.status == 403)
  }
}
