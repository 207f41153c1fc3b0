import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Filters of lists that requests leave out, and that have defaults.
struct DefaultFilterTests {
  private static let contract = CollectionContract.text(
    CollectionContract(
      "pets", of: "Pet",
      example:
        "[{id: 1, status: free, kind: dog}, {id: 2, status: sold, kind: dog}, {id: 3, status: sold, kind: cat}]",
      parameters: [
        "parameters:", "  - {name: status, in: query, schema: {type: string, default: free}}",
        "  - {name: kind, in: query, schema: {type: string}}",
        "  - {name: limit, in: query, schema: {type: integer, default: 10}}",
      ], headers: ["headers: {X-Total-Count: {schema: {type: integer}}}"]),
    schemas: ["Pet: {type: object, properties: {id: {type: integer}, status: {type: string}, kind: {type: string}}}"])

  @Test(arguments: [
    ("/pets", "pets, 1 of 1, 2 hidden by the default of status", "1"),
    ("/pets?kind=dog", "pets, 1 of 1, 1 hidden by the default of status", "1"),
    ("/pets?status=sold", "pets, 2 of 2", "2"), ("/pets?status=free&kind=cat", "pets, 0 of 0", "0"),
  ]) func `a list counts the items that only a default filters out`(
    path: String, action: String, total: String
  ) throws {
    try ContractFixture(Self.contract).withMock(configure: { $0.isStateful = true }) { mock in
      let reply = LaneClient(mock).send(path)
      #expect(reply.reason == "resource \(action)")
      #expect(reply.header("X-Total-Count") == total)
    }
  }
}
