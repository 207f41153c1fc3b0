import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Random steps on a stateful mock, beside a list of items.
struct StatefulModelTests {
  /// The operations on one collection.
  struct Subject: Sendable, CustomTestStringConvertible {
    var name: String
    var path: String
    /// The member that has the id, and one whose values the test chooses.
    var id: String
    var text: String
    /// A new item with a text, other members by a number.
    var body: @Sendable (_ text: String, _ number: Int) -> String
    /// Members of the body that the item has as they are.
    var members: [String] = []
    /// A new item with an id; `nil` where the server alone gives ids.
    var named: (@Sendable (_ id: String, _ text: String) -> String)?
    /// The member with the items of a list; `nil` for the body itself.
    var list: String?
    /// The member with one item; `nil` for the body itself.
    var envelope: String?
    /// Asks for all items; `nil` where there is no list.
    var query: String?
    var filters: [Filter] = []
    /// Asks for a page with at most so many items; the first one is 1.
    var page: (@Sendable (_ size: Int, _ number: Int) -> String)?
    /// More than one where the pages have numbers.
    var pages = 3
    /// The methods that change an item, each with its answer where there is none.
    var updates: [Update] = []
    var headers: [String: String] = [:]
    var testDescription: String { name }
  }

  struct Filter: Sendable {
    var query: String
    var holds: @Sendable (JSON) -> Bool
  }

  struct Update: Sendable {
    var method: HTTPRequest.Method
    var missing: Int
    var type = "application/json"
  }

  private static let token = ["Authorization": "Basic YTpi", "X-Api-Key": "k", "X-Reason": "sold"]
  private static let bearer = ["Authorization": "Bearer e30.e30.c2ln"]

  private static func has(_ item: JSON, _ member: String, _ texts: String...) -> Bool {
    let found = item[member].map { ($0.isArray ? Array($0.elements) : [$0]).compactMap(\.string) } ?? []
    return texts.allSatisfy { found.contains($0) }
  }

  /// An item has a date from one day to another.
  private static func isWithin(_ item: JSON, _ days: ClosedRange<String>) -> Bool {
    (item["dates"].map { Array($0.elements) } ?? []).contains { $0.string.map(days.contains) ?? false }
  }

  private static let everyPet = "limit=100&status=available&status=reserved&status=sold"

  static let petstore = Subject(
    name: "specs/petstore.yaml", path: "/pets", id: "id", text: "name",
    body: { #"{"name":"\#($0)","kind":"dog","tags":["t\#($1 % 3)","u\#($1 % 2)"]}"# }, members: ["kind", "tags"],
    query: everyPet,
    filters: [
      // The default of the parameter.
      Filter(query: "limit=100") { has($0, "status", "available") },
      Filter(query: "limit=100&status=reserved&status=sold") {
        has($0, "status", "reserved") || has($0, "status", "sold")
      },
      Filter(query: everyPet + "&tags=t1") { has($0, "tags", "t1") },
      Filter(query: everyPet + "&tags=t1,u0") { has($0, "tags", "t1", "u0") },
    ], page: { size, _ in "limit=\(size)&status=available&status=reserved&status=sold" }, pages: 1, headers: token)

  static let museum = Subject(
    name: "Redocly+museum-openapi-example/openapi.yaml", path: "/special-events", id: "eventId", text: "name",
    body: {
      #"{"name":"\#($0)","location":"Hall","eventDescription":"Event","dates":["2024-01-0\#(1 + $1 % 9)"],"price":5}"#
    }, members: ["location", "dates", "price"], query: "limit=30",
    filters: [
      Filter(query: "limit=30&startDate=2024-01-05") { isWithin($0, "2024-01-05"..."9999") },
      Filter(query: "limit=30&endDate=2024-01-01") { isWithin($0, "0000"..."2024-01-01") },
      Filter(query: "limit=30&startDate=2024-01-03&endDate=2024-01-04") { isWithin($0, "2024-01-03"..."2024-01-04") },
    ], page: { "limit=\($0)&page=\($1)" }, updates: [Update(method: .patch, missing: 404)], headers: token)

  static let library = Subject(
    name: "library", path: "/users", id: "id", text: "name",
    body: { #"{"name":"\#($0)","role":"\#($1 % 4 == 0 ? "admin" : "guest")","tags":["t\#($1 % 3)"]}"# },
    members: ["role", "tags"], named: { #"{"id":"\#($0)","name":"\#($1)","role":"guest"}"# }, list: "items",
    query: "limit=1000",
    filters: [
      Filter(query: "limit=1000&role=admin") { has($0, "role", "admin") },
      Filter(query: "limit=1000&role=guest&tags=t2") { has($0, "role", "guest") && has($0, "tags", "t2") },
      Filter(query: "limit=1000&q=N1") { item in
        item.members.contains { $0.value.string?.lowercased().contains("n1") == true }
      },
    ], page: { "limit=\($0)&page=\($1)" },
    updates: [
      Update(method: .put, missing: 201),
      Update(method: .patch, missing: 404, type: "application/merge-patch+json"),
    ])

  static let keys = Subject(
    name: "digitalocean+openapi/specification/DigitalOcean-public.v2.yaml", path: "/v2/account/keys", id: "id",
    text: "name", body: { text, _ in #"{"name":"\#(text)","public_key":"ssh-rsa AEXAMPLEaCc"}"# },
    members: ["public_key"], list: "ssh_keys", envelope: "ssh_key", query: "per_page=200",
    page: { "per_page=\($0)&page=\($1)" }, updates: [Update(method: .put, missing: 404)], headers: bearer)

  static let comments = Subject(
    name: "box+box-openapi/openapi.json", path: "/comments", id: "id", text: "message",
    body: { text, _ in #"{"message":"\#(text)","item":{"id":"1","type":"file"}}"# },
    updates: [Update(method: .put, missing: 404)], headers: bearer)

  static let subjects = [petstore, library] + (Corpora.isPresent ? [museum, keys, comments] : [])

  private func contract(_ subject: Subject) throws -> Contract {
    switch subject.name {
    case "library": try ContractFixture(MockContract.library).contract()
    case Self.petstore.name: try #require(Contract.load(Project.path(subject.name), fixtures: "/nonexistent").contract)
    default: try #require(Contract.load(Corpora.path(subject.name), fixtures: "/nonexistent").contract)
    }
  }

  @Test(arguments: subjects) func `random steps give what a list of items gives`(_ subject: Subject) throws {
    var options = Mock.Options()
    options.isStateful = true
    let mock = LaneClient(Mock(contracts: [try contract(subject)], options: options))
    var run = try StatefulRun(subject, on: mock)
    for _ in 0..<5_000 { try run.step() }
    for kind in run.kinds { #expect(run.counts[kind] ?? 0 > 100, "\(kind): \(run.counts)") }
  }
}
