import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ItemAnswersTests {
  private static let json = ["Content-Type": "application/json"]

  private func client() throws -> LaneClient {
    var options = Mock.Options()
    options.isStateful = true
    return LaneClient(Mock(contracts: [try ContractFixture(MockContract.library).contract()], options: options))
  }

  @Test func `an item that is read again is the same, and a changed one is not`() throws {
    let lane = try client()
    _ = lane.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Ann"}"#)
    let first = lane.send("/users/ann")
    let again = lane.send("/users/ann")
    #expect(again.text == first.text)
    #expect(again.response == first.response)
    _ = lane.send(.put, "/users/ann", Self.json, body: #"{"name":"Anna"}"#)
    let changed = lane.send("/users/ann")
    #expect(changed.text.contains(#""name":"Anna""#))
    #expect(changed.response != first.response)
  }

  @Test func `two lanes with items of one id get each their own`() throws {
    let one = try client()
    let other = LaneClient(one.mock)
    _ = one.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Ann"}"#)
    _ = other.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Bea"}"#)
    for _ in 0..<2 {
      #expect(one.send("/users/ann").text.contains(#""name":"Ann""#))
      #expect(other.send("/users/ann").text.contains(#""name":"Bea""#))
    }
  }

  @Test func `a client that accepts another type gets the answer of one who asks first`() throws {
    let (lane, fresh) = (try client(), try client())
    for client in [lane, fresh] { _ = client.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Ann"}"#) }
    _ = lane.send("/users/ann", ["Accept": "application/json"])
    let (reply, expected) = (
      lane.send("/users/ann", ["Accept": "image/png"]), fresh.send("/users/ann", ["Accept": "image/png"])
    )
    #expect(reply.response == expected.response)
    #expect(reply.text == expected.text)
  }
}
