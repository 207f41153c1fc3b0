import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ResourceStateTests {
  private static let json = ["Content-Type": "application/json"]

  private static let steps: [(method: HTTPRequest.Method, path: String, body: String)] = [
    (.post, "/users", #"{"id":"ann","name":"Ann","password":"p"}"#), (.post, "/users", #"{"name":"Bob"}"#),
    (.get, "/users", ""), (.put, "/users/ann", #"{"name":"Anna"}"#), (.get, "/users/ann", ""),
    (.post, "/users/ann/posts", "text=a"), (.get, "/users/ann/posts", ""), (.delete, "/users/ann", ""),
    (.get, "/users/ann/posts", ""), (.post, "/users", #"{"name":"Cy"}"#), (.get, "/users", ""),
  ]

  private func send(_ step: (method: HTTPRequest.Method, path: String, body: String), to mock: LaneClient) -> Reply {
    mock.send(step.method, step.path, step.body.hasPrefix("{") ? Self.json : [:], body: step.body)
  }

  @Test func `a state that is written and read at each step gives the same answers`() throws {
    let contract = try ContractFixture(MockContract.library).contract()
    var options = Mock.Options()
    options.isStateful = true
    let mock = Mock(contracts: [contract], options: options)
    let (whole, continued) = (LaneClient(mock), LaneClient(mock))
    for step in Self.steps {
      let text = try JSONEncoder().encode(continued.state)
      continued.state = try JSONDecoder().decode(LaneState.self, from: text)
      let (expected, reply) = (send(step, to: whole), send(step, to: continued))
      #expect(reply.status == expected.status, "\(step)")
      #expect(reply.text == expected.text, "\(step)")
      #expect(continued.state == whole.state, "\(step)")
    }
    #expect(whole.state.resources.items(in: "/users")?.map(\.id).contains("ann") == false)
  }
}
