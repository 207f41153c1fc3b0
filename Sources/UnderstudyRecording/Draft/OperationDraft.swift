struct OperationDraft: Sendable {
  private var count = 0
  private var parameters: [SchemaDraft]
  private var accepted = InputDraft()
  /// Requests whose answer was an error: they may lack what the operation requires.
  private var refused = InputDraft()
  private var responses: [Int: ResponseDraft] = [:]

  init(expressions: Int) { parameters = Array(repeating: SchemaDraft(), count: expressions) }

  /// - Parameter ids: The values of the expressions.
  mutating func add(_ entry: Exchange, ids: [String], query pairs: [(String, String)], schemes used: [String]) {
    count += 1
    for (index, id) in ids.enumerated() where index < parameters.count { parameters[index].add(wire: id) }
    if entry.status < 400 {
      accepted.add(entry, query: pairs, schemes: used)
    } else {
      refused.add(entry, query: pairs, schemes: used)
    }
    guard let response = entry.response else { return }
    responses[response.status, default: ResponseDraft()].add(response, method: entry.method)
  }

  mutating func merge(_ other: OperationDraft) {
    count += other.count
    for (own, theirs) in zip(parameters.indices, other.parameters) { parameters[own].merge(theirs) }
    accepted.merge(other.accepted)
    refused.merge(other.refused)
    for (status, theirs) in other.responses { responses[status, default: ResponseDraft()].merge(theirs) }
  }

  /// The same for a template with one more expression, whose value was a literal so far.
  func inserting(_ literal: String, at index: Int) -> OperationDraft {
    var draft = self
    var values = SchemaDraft()
    for _ in 0..<max(1, count) { values.add(wire: literal) }
    draft.parameters.insert(values, at: index)
    return draft
  }

  /// What the answers of success are like; empty without one.
  var likeness: Set<String> { Set(responses.filter { 200...299 ~= $0.key }.values.flatMap(\.features)) }

  func json(id: String, names: [String]) -> JSON {
    // Of an operation that refused every request, these are all that is known.
    let input = accepted.count > 0 ? accepted : refused
    let path = zip(names, parameters).map { name, schema -> JSON in
      ["name": .string(name), "in": "path", "required": true, "schema": schema.json(isId: true)]
    }
    let all = path + input.parameters
    let answers = responses.sorted { $0.key < $1.key }.map { (String($0.key), $0.value.json($0.key)) }
    return .object(
      ("operationId", .string(id)), ("security", input.security),
      ("parameters", all.isEmpty ? nil : .array(all)), ("requestBody", input.requestBody),
      ("responses", .object(answers)))
  }
}
