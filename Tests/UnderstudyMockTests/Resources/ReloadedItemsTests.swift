import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The items of clients after a reload.
struct ReloadedItemsTests {
  private static let contract = CollectionContract.text(
    CollectionContract("pets", of: "Pet", example: "[{id: 1, name: Rex}]"),
    CollectionContract("toys", of: "Toy", example: "[{id: 1, label: Ball}]"),
    schemas: [
      ##"Pet: {type: object, properties: {id: {type: integer}, name: {$ref: "#/components/schemas/Name"}}}"##,
      "Toy: {type: object, properties: {id: {type: integer}, label: {type: string}}}", "Name: {type: string}",
    ])

  private func mock(_ text: String) throws -> Mock {
    var options = Mock.Options()
    options.isStateful = true
    return Mock(contracts: [try Contract(text, name: "shop")], options: options)
  }

  private func list(_ path: String, of mock: Mock, in state: inout LaneState) -> String {
    mock.reply(to: HTTPRequest(method: .get, scheme: "http", authority: "a", path: path), in: &state).text
  }

  @Test(arguments: [
    ("title: Collections", "title: Shop", ""), ("name: Rex", "name: Max", "pets"),
    ("Name: {type: string}", "Name: {type: string, maxLength: 9}", "pets"),
    ("label: {type: string}", "label: {type: string, maxLength: 9}", "toys"),
  ]) func `only collections with other seeds or another schema begin anew`(
    before: String, after: String, reset: String
  ) throws {
    try #require(Self.contract.contains(before))
    let (old, new) = (try mock(Self.contract), try mock(Self.contract.replacing(before, with: after)))
    var state = old.newState()
    for (path, body) in [("/pets", #"{"name": "Tom"}"#), ("/toys", #"{"label": "Bone"}"#)] {
      var request = HTTPRequest(method: .post, scheme: "http", authority: "a", path: path)
      request.headerFields[.contentType] = "application/json"
      #expect(old.reply(to: request, body: Array(body.utf8), in: &state).status == 201)
    }
    let kept = new.reloadedItems(of: state, from: old, playing: nil)
    let expected: Set<String> = reset.isEmpty ? [] : [reset]
    #expect(kept.reset == expected)
    var next = new.newState()
    next.resources = kept.items
    let (pets, toys) = (list("/pets", of: new, in: &next), list("/toys", of: new, in: &next))
    #expect(pets.contains("Tom") == (reset != "pets"))
    #expect(toys.contains("Bone") == (reset != "toys"))
    #expect(pets.contains(before == "name: Rex" ? "Max" : "Rex"))
  }
}
