import HTTPTypes
import TestSupport
import Testing
import Understudy

/// Random steps on a stateful mock, beside a model that has a dictionary.
struct StatefulModelTests {
  /// The operations on one collection.
  struct Subject: Sendable, CustomTestStringConvertible {
    var name: String
    var path: String
    /// The member that has the id, and one whose values the test chooses.
    var id: String
    var text: String
    var body: @Sendable (String) -> String
    /// The member with the items of a list; `nil` for the body itself.
    var list: String?
    /// The member with one item; `nil` for the body itself.
    var envelope: String?
    /// Asks for all items; `nil` where there is no list.
    var query: String?
    var update: HTTPRequest.Method?
    var remove = true
    var headers: [String: String] = [:]
    var testDescription: String { name }
  }

  private static let token = ["Authorization": "Basic YTpi", "X-Api-Key": "k", "X-Reason": "sold"]

  static let petstore = Subject(
    name: "specs/petstore.yaml", path: "/pets", id: "id", text: "name",
    body: { #"{"name":"\#($0)","kind":"dog"}"# }, query: "limit=100&status=available&status=reserved&status=sold",
    headers: token)

  static let museum = Subject(
    name: "Redocly+museum-openapi-example/openapi.yaml", path: "/special-events", id: "eventId", text: "name",
    body: {
      #"{"name":"\#($0)","location":"Hall","eventDescription":"An event","dates":["2024-01-01"],"price":5}"#
    }, query: "limit=30", update: .patch, headers: token)

  static let library = Subject(
    name: "library", path: "/users", id: "id", text: "name", body: { #"{"name":"\#($0)"}"# }, list: "items",
    query: "limit=1000", update: .put)

  static let keys = Subject(
    name: "digitalocean+openapi/specification/DigitalOcean-public.v2.yaml", path: "/v2/account/keys", id: "id",
    text: "name", body: { #"{"name":"\#($0)","public_key":"ssh-rsa AEXAMPLEaCc"}"# }, list: "ssh_keys",
    envelope: "ssh_key", query: "per_page=200", update: .put, headers: ["Authorization": "Bearer e30.e30.c2ln"])

  static let comments = Subject(
    name: "box+box-openapi/openapi.json", path: "/comments", id: "id", text: "message",
    body: { #"{"message":"\#($0)","item":{"id":"1","type":"file"}}"# }, update: .put,
    headers: ["Authorization": "Bearer e30.e30.c2ln"])

  static let subjects = [petstore, library] + (Corpora.isPresent ? [museum, keys, comments] : [])

  private func contract(_ subject: Subject) throws -> Contract {
    switch subject.name {
    case "library": try ContractFixture(MockContract.library).contract()
    case Self.petstore.name: try #require(Contract.load(Project.path(subject.name), fixtures: "/nonexistent").contract)
    default: try #require(Contract.load(Corpora.path(subject.name), fixtures: "/nonexistent").contract)
    }
  }

  @Test(arguments: subjects) func `random steps give what a dictionary gives`(_ subject: Subject) throws {
    var options = Mock.Options()
    options.isStateful = true
    let mock = LaneClient(Mock(contracts: [try contract(subject)], options: options))
    var subject = subject
    let owners = mock.mock.operations.filter { $0.compiled.operation.path.hasSuffix(subject.path) }
    let owner = try #require(
      owners.min { $0.compiled.operation.path.utf8.count < $1.compiled.operation.path.utf8.count })
    subject.path = owner.compiled.basePath + owner.compiled.operation.path
    var random = SeededGenerator(state: 7, isPlain: false, ordinal: 0)
    var model: [String: String] = [:]
    for item in try list(mock, subject) ?? [] { model[try id(item, subject)] = item[subject.text]?.string }
    var gone: [String] = ["4711"]
    var headers = subject.headers
    for step in 0..<10_000 {
      let known = model.keys.sorted()
      let isGone = random.number(below: 4) == 0 || known.isEmpty
      let wanted = isGone ? gone[random.number(below: gone.count)] : known[random.number(below: known.count)]
      let path = "\(subject.path)/\(wanted)"
      switch random.number(below: known.count > 12 ? 9 : 6) {
      case 0, 1:
        headers["Content-Type"] = "application/json"
        let reply = mock.send(.post, subject.path, headers, body: subject.body("n\(step)"))
        try #require(reply.status == 201, "step \(step): \(reply.text)")
        let new = try id(try one(reply, subject), subject)
        try #require(model[new] == nil, "step \(step): the id \(new) is taken")
        model[new] = "n\(step)"
      case 2:
        let reply = mock.send(path, subject.headers)
        try #require(reply.status == (model[wanted] == nil ? 404 : 200), "step \(step): \(path) \(reply.reason)")
        if let text = model[wanted] {
          try #require(try one(reply, subject)[subject.text]?.string == text, "step \(step)")
        }
      case 3:
        guard let method = subject.update, model[wanted] != nil else { continue }
        headers["Content-Type"] = "application/json"
        let body = method == .put ? subject.body("u\(step)") : #"{"\#(subject.text)":"u\#(step)"}"#
        try #require(mock.send(method, path, headers, body: body).status == 200, "step \(step)")
        model[wanted] = "u\(step)"
      case 4:
        guard let items = try list(mock, subject) else { continue }
        let texts = items.compactMap { $0[subject.text]?.string }
        try #require(texts.sorted() == model.values.sorted(), "step \(step)")
      default:
        guard known.count > 5 else { continue }
        let reply = mock.send(.delete, path, subject.headers)
        try #require(reply.status == (model[wanted] == nil ? 404 : 204), "step \(step): \(reply.reason)")
        if model.removeValue(forKey: wanted) != nil { gone.append(wanted) }
      }
    }
    #expect(gone.count > 100)
  }

  private func one(_ reply: Reply, _ subject: Subject) throws -> JSON {
    let root = try JSONParser.parse(reply.body).root
    return subject.envelope.flatMap { root[$0] } ?? root
  }

  private func list(_ mock: LaneClient, _ subject: Subject) throws -> [JSON]? {
    guard let query = subject.query else { return nil }
    let reply = mock.send("\(subject.path)?\(query)", subject.headers)
    let root = try JSONParser.parse(reply.body).root
    return Array((subject.list.flatMap { root[$0] } ?? root).elements)
  }

  private func id(_ item: JSON, _ subject: Subject) throws -> String {
    let id = try #require(item[subject.id])
    return id.string ?? JSONWriter.text(id)
  }
}
