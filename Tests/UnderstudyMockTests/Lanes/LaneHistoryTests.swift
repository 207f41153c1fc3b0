import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The part of the past that a lane holds is limited, however long it is used.
struct LaneHistoryTests {
  private func exchange(_ number: Int, offering count: Int = 0) -> RequestDigest {
    var exchange = RequestDigest(
      number: number, time: number, operation: nil, method: "GET", target: "/", status: 200, isBroken: false, body: 0)
    exchange.offered = Array(repeating: 0, count: count)
    return exchange
  }

  @Test func `a history holds 200 to 400 exchanges, and reports the time before which it dropped some`() {
    var history = LaneHistory()
    let starts = (1...801).compactMap { number in history.append(exchange(number)) }
    #expect(starts == [201, 401, 601])
    #expect(history.exchanges.map(\.number) == Array(601...801))
  }

  @Test func `a history drops the oldest exchanges beyond a mebibyte, but never the last one`() {
    var history = LaneHistory()
    let starts = (1...8).compactMap { number in history.append(exchange(number, offering: 30_000)) }
    #expect(starts == [2, 3, 4, 5])
    #expect(history.exchanges.map(\.number) == [5, 6, 7, 8])
    #expect(history.append(exchange(9, offering: 200_000)) == 9)
    #expect(history.exchanges.map(\.number) == [9])
  }

  @Test func `a decoded history has the same limits`() throws {
    var history = LaneHistory()
    for number in 1...4 { _ = history.append(exchange(number, offering: 30_000)) }
    history = try JSONDecoder().decode(LaneHistory.self, from: JSONEncoder().encode(history))
    #expect(history.append(exchange(5, offering: 30_000)) == 2)
  }

  @Test func `the history has the starts of long methods and targets`() throws {
    let mock = try ContractFixture(MockContract.notes).mock()
    let client = LaneClient(mock)
    client.state.isObserved = true
    let method = try #require(HTTPRequest.Method(String(repeating: "A", count: 10_000)))
    _ = client.send(method, "/" + String(repeating: "b", count: 10_000))
    let exchange = try #require(client.state.history.exchanges.first)
    #expect(exchange.method == String(repeating: "A", count: 40))
    #expect(exchange.target == "/" + String(repeating: "b", count: 299))
  }
}
