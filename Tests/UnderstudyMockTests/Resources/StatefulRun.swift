import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// A collection of a stateful mock beside a list of items: each step does the same to both, and compares the answers.
struct StatefulRun {
  enum Kind: CaseIterable { case create, taken, named, read, update, updateMissing, list, filter, page, delete }

  private let subject: StatefulModelTests.Subject
  private let mock: LaneClient
  private var random = SeededGenerator(state: 7, isPlain: false, ordinal: 0)
  private var number = 0
  /// In the order of their creation, as the mock has answered.
  private var items: [(id: String, value: JSON)] = []
  private var gone = ["4711"]
  /// How often each kind of step was made.
  private(set) var counts: [Kind: Int] = [:]

  /// A contract may allow less than a hundred items on a page.
  private static let itemLimit = 25

  init(_ subject: StatefulModelTests.Subject, on mock: LaneClient) throws {
    let owners = mock.mock.operations.filter { $0.compiled.operation.path.hasSuffix(subject.path) }
    let owner = try #require(
      owners.min { $0.compiled.operation.path.utf8.count < $1.compiled.operation.path.utf8.count })
    self.subject = subject
    self.mock = mock
    root = owner.compiled.basePath + owner.compiled.operation.path
    guard let query = subject.query else { return }
    for item in try list(query) { items.append((id: try id(item), value: item)) }
  }

  private let root: String

  /// The kinds of steps that the contract has.
  var kinds: [Kind] {
    Kind.allCases.filter { kind in
      switch kind {
      case .taken, .named: subject.named != nil
      case .update, .updateMissing: !subject.updates.isEmpty
      case .list: subject.query != nil
      case .filter: !subject.filters.isEmpty
      case .page: subject.page != nil
      case .create, .read, .delete: true
      }
    }
  }

  mutating func step() throws {
    number += 1
    switch random.number(below: items.count > 12 ? 15 : 11) {
    case 0, 1: try create()
    case 2: try createNamed()
    case 3: try read()
    case 4, 5: try update()
    case 6: try compareList()
    case 7: try compareFilter()
    case 8, 9: try comparePage()
    default: try delete()
    }
  }

  // MARK: - Steps

  private mutating func create() throws {
    guard items.count < Self.itemLimit else { return }
    let body = subject.body("n\(number)", number)
    let reply = send(.post, root, body)
    try #require(reply.status == 201, "step \(number): \(reply.text)")
    try add(try one(reply), text: "n\(number)", from: body)
    count(.create)
  }

  private mutating func createNamed() throws {
    guard let named = subject.named, items.count < Self.itemLimit else { return }
    guard let known = pick(items) else { return }
    if number.isMultiple(of: 2) {
      let reply = send(.post, root, named(known.id, "n\(number)"))
      try #require(reply.status == 409, "step \(number): \(reply.reason)")
      return count(.taken)
    }
    let body = named("c\(number)", "n\(number)")
    let reply = send(.post, root, body)
    try #require(reply.status == 201, "step \(number): \(reply.text)")
    try add(try one(reply), text: "n\(number)", from: body)
    try #require(items.last?.id == "c\(number)", "step \(number)")
    count(.named)
  }

  private mutating func read() throws {
    let id = anyID()
    let reply = mock.send("\(root)/\(id)", subject.headers)
    let known = items.first { $0.id == id }
    try #require(reply.status == (known == nil ? 404 : 200), "step \(number): \(id) \(reply.reason)")
    if let known { try #require(try one(reply) == known.value, "step \(number): \(reply.text)") }
    count(.read)
  }

  private mutating func update() throws {
    guard let update = pick(subject.updates), items.count < Self.itemLimit else { return }
    let (id, text) = (anyID(), "u\(number)")
    let body = update.method == .put ? subject.body(text, number) : #"{"\#(subject.text)":"\#(text)"}"#
    let reply = send(update.method, "\(root)/\(id)", body, type: update.type)
    guard let index = items.firstIndex(where: { $0.id == id }) else {
      try #require(reply.status == update.missing, "step \(number): \(update.method) \(id) \(reply.reason)")
      if update.missing == 201 { try add(try one(mock.send("\(root)/\(id)", subject.headers)), text: text, from: body) }
      return count(.updateMissing)
    }
    try #require(reply.status == 200, "step \(number): \(update.method) \(reply.text)")
    let (old, new) = (items[index].value, try one(reply))
    try #require(try self.id(new) == id && new[subject.text]?.string == text, "step \(number): \(reply.text)")
    let expected = update.method == .put ? try JSONParser.parse(Array(body.utf8)).root : old
    for member in subject.members {
      try #require(new[member] == expected[member], "step \(number): \(member) of \(reply.text)")
    }
    items[index].value = new
    count(.update)
  }

  private mutating func compareList() throws {
    guard let query = subject.query else { return }
    try #require(try list(query) == items.map(\.value), "step \(number)")
    count(.list)
  }

  private mutating func compareFilter() throws {
    guard let filter = pick(subject.filters) else { return }
    let expected = items.map(\.value).filter(filter.holds)
    try #require(try list(filter.query) == expected, "step \(number): \(filter.query)")
    count(.filter)
  }

  private mutating func comparePage() throws {
    guard let page = subject.page else { return }
    let (size, index) = (1 + random.number(below: 5), random.number(below: subject.pages))
    let expected = items.dropFirst(index * size).prefix(size).map(\.value)
    try #require(try list(page(size, index + 1)) == expected, "step \(number): page \(index + 1) of \(size)")
    count(.page)
  }

  private mutating func delete() throws {
    guard items.count > 5 else { return }
    let id = anyID()
    let reply = mock.send(.delete, "\(root)/\(id)", subject.headers)
    let index = items.firstIndex { $0.id == id }
    try #require(reply.status == (index == nil ? 404 : 204), "step \(number): \(id) \(reply.reason)")
    if let index {
      items.remove(at: index)
      gone.append(id)
    }
    count(.delete)
  }

  // MARK: - Parts

  private mutating func count(_ kind: Kind) { counts[kind, default: 0] += 1 }

  private mutating func pick<T>(_ choices: [T]) -> T? {
    choices.isEmpty ? nil : choices[random.number(below: choices.count)]
  }

  /// The id of an item; once in four times, of one that is gone.
  private mutating func anyID() -> String {
    guard random.number(below: 4) > 0, let known = pick(items) else {
      return pick(gone) ?? "4711"
    }
    return known.id
  }

  private mutating func add(_ value: JSON, text: String, from body: String) throws {
    let (new, sent) = (try id(value), try JSONParser.parse(Array(body.utf8)).root)
    try #require(!items.contains { $0.id == new }, "step \(number): the id \(new) is taken")
    try #require(value[subject.text]?.string == text, "step \(number): \(value)")
    for member in subject.members where sent[member] != nil {
      try #require(value[member] == sent[member], "step \(number): \(member) of \(value)")
    }
    items.append((id: new, value: value))
    gone.removeAll { $0 == new }
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String, type: String = "application/json"
  ) -> Reply {
    mock.send(method, path, subject.headers.merging(["Content-Type": type]) { _, type in type }, body: body)
  }

  private func one(_ reply: Reply) throws -> JSON {
    let root = try JSONParser.parse(reply.body).root
    return subject.envelope.flatMap { root[$0] } ?? root
  }

  private func list(_ query: String) throws -> [JSON] {
    let reply = mock.send("\(root)?\(query)", subject.headers)
    try #require(reply.status == 200, "step \(number): \(query) \(reply.text)")
    let body = try JSONParser.parse(reply.body).root
    return Array((subject.list.flatMap { body[$0] } ?? body).elements)
  }

  private func id(_ item: JSON) throws -> String {
    let id = try #require(item[subject.id])
    return id.string ?? JSONWriter.text(id)
  }
}
