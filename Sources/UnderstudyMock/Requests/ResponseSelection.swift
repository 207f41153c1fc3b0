/// Chooses among fixtures, examples and samples, in this order.
struct ResponseSelection {
  let operation: MockOperation
  let rendering: Rendering
  /// The lines of the request's `Accept`.
  var accept: [String]
  let isDynamic: Bool
  let seed: String
  /// Whether the request asks for the seed, and therefore for the same bytes each time.
  let isRepeatable: Bool
  /// The number of earlier dynamic requests of the lane to the operation, each of which gets another sample.
  var turn = 0

  /// The answer of a status, by name if one is given.
  func answer(code: Int, name: String?) throws(SelectionProblem) -> Selection {
    guard let cell = operation.cell(for: code) else { throw noStatus(code) }
    guard code >= 200 else { throw interim(code) }
    if let name {
      guard let selection = try named(name, in: cell, code: code) else { throw noName(name, in: cell) }
      return selection
    }
    return try unnamed(cell, code: code)
  }

  /// The answer of a name, searched in the success status first, then by status.
  func answer(name: String) throws(SelectionProblem) -> Selection {
    let success = operation.successCode
    let codes = [success] + operation.cells.map(\.status.code).filter { $0 != success }.sorted()
    for code in codes {
      guard let cell = operation.cell(for: code) else { continue }
      if let selection = try named(name, in: cell, code: code) { return selection }
    }
    let known = operation.variants
    throw SelectionProblem(
      kind: .noName, message: "\(operation.id) has no fixture and no example called `\(name)`",
      help: Suggestion.phrase(for: name, among: operation.cells.flatMap(\.names))
        ?? (known.isEmpty ? "none of its answers has a name" : "known: \(known.joined(separator: ", "))"))
  }

  /// The answer of a variant whose `when` matches.
  func answer(_ variant: MockCell.Variant) -> Selection { selection(variant, code: variant.fixture.status.code) }

  private var responses: ContractResponses { operation.compiled.responses }

  private func named(_ name: String, in cell: MockCell, code: Int) throws(SelectionProblem) -> Selection? {
    if let variant = cell.fixtures.first(where: { $0.fixture.name?.utf8Equals(name) == true }) {
      return selection(variant, code: code)
    }
    for content in cell.cell.content {
      guard let example = content.examples.first(where: { $0.name?.utf8Equals(name) == true }) else { continue }
      return Selection(
        try responses.example(example, in: content, cell.cell, code: code, by: rendering), of: operation, by: rendering)
    }
    return nil
  }

  private func unnamed(_ cell: MockCell, code: Int) throws(SelectionProblem) -> Selection {
    // The replies of a routes file are all that its statuses have.
    let isRoute = operation.compiled.operation.isRoute
    if isRoute, cell.fixtures.isEmpty { throw noReply(cell) }
    let fixtures = isDynamic && !isRoute ? [] : cell.defaults
    if !fixtures.isEmpty {
      guard let offers = cell.defaultOffers else { return selection(fixtures[0], code: code) }
      if let index = Negotiation.choose(accept: accept, among: offers) { return selection(fixtures[index], code: code) }
      // An example or a sample may still have an accepted type.
    }
    if cell.offers.isEmpty {
      guard fixtures.isEmpty else { throw notAcceptable(fixtures.compactMap(\.mediaType)) }
      return Selection(try responses.empty(cell.cell, code: code, by: rendering), of: operation, by: rendering)
    }
    var rest = cell.offers
    var first: SelectionProblem?
    var formless: MockCell.Offer?
    var unsampled: (offer: MockCell.Offer, problem: SelectionProblem)?
    // After a type that cannot be written comes the next that the client accepts.
    while let index = Negotiation.choose(accept: accept, among: rest.map(\.range)) {
      let offer = rest.remove(at: index)
      do throws(SelectionProblem) {
        return try made(of: offer, cell, code: code)
      } catch {
        first = first ?? error
        if error.kind == .noForm, formless == nil { formless = offer }
        if error.kind == .noSample, unsampled == nil { unsampled = (offer, error) }
      }
    }
    if let formless { return try made(of: formless, cell, code: code, asJSON: true) }
    if let (offer, problem) = unsampled {
      // The status is what was asked for: another one would say something else than the contract does.
      return Selection(
        try responses.bestEffort(of: offer.object, cell.cell, code: code, seed: seed, after: problem, by: rendering),
        of: operation, by: rendering)
    }
    throw first ?? notAcceptable(fixtures.compactMap(\.mediaType) + cell.offers.map(\.range))
  }

  private func made(
    of offer: MockCell.Offer, _ cell: MockCell, code: Int, asJSON: Bool = false
  ) throws(SelectionProblem) -> Selection {
    let key = MockCell.Offer.Key(code: code, seed: seed, isDynamic: isDynamic, asJSON: asJSON)
    // A schema without a sample is searched once, rather than for each request.
    let first = try offer.response(of: key, by: rendering) { () throws(SelectionProblem) in
      try responses.answer(
        in: offer.object, cell.cell, code: code, seed: seed, isDynamic: isDynamic, asJSON: asJSON, by: rendering)
    }
    guard turn > 0 else { return Selection(first, of: operation, by: rendering) }
    let varied = try? responses.answer(
      in: offer.object, cell.cell, code: code, seed: "\(seed) \(turn)", isDynamic: true, asJSON: asJSON,
      by: rendering.unshared())
    return Selection(varied ?? first, of: operation, by: rendering)
  }

  private func selection(_ variant: MockCell.Variant, code: Int) -> Selection {
    let fixture = variant.fixture
    let content: Reply.Content
    switch variant.content {
    case .prepared(let prepared) where prepared.status == code: content = .prepared(prepared)
    case .prepared(let prepared):
      // A fixture of a range or of `default` gets the exact status.
      var response = prepared.response
      response.status = .init(integerLiteral: code)
      content = prepared.replacing(response)
    case .template(_, let headers):
      content = .made(HTTPResponse(code: code, headers, source: ReplySource(.fixture(variant.key))), body: [])
    }
    var selection = Selection(content: content, source: .fixture(variant.key))
    if fixture.body.isTemplate || !fixture.faults.isEmpty {
      selection.rest = FixtureRest(variant, seed: seed, isRepeatable: isRepeatable)
    }
    selection.stream = variant.stream
    return selection
  }

  private func noStatus(_ code: Int) -> SelectionProblem {
    let known = operation.statuses
    return SelectionProblem(
      kind: .noStatus, message: "\(operation.id) documents no \(code), and no fixture has it",
      help: (known.isEmpty ? "it has no status" : "it has \(known.joined(separator: ", "))")
        + "; any other status needs a fixture: \(operation.id)/\(code).yaml")
  }

  /// A reply with an error is not a reply without a body.
  private func noReply(_ cell: MockCell) -> SelectionProblem {
    let path = operation.compiled.api.root.path
    return SelectionProblem(
      kind: .noBody, message: "the reply of `\(operation.id)` for \(cell.status) has an error",
      help: path.hasPrefix("-") ? "the mock reported it at start" : "`understudy lint \(path)` reports it")
  }

  /// After an interim answer a client waits for a final one (RFC 9110, 15.2), which a mock does not have.
  private func interim(_ code: Int) -> SelectionProblem {
    SelectionProblem(
      kind: .noStatus, message: "\(code) is an interim status, after which the client waits for the answer",
      help: "ask for a status from 200 to 599")
  }

  private func noName(_ name: String, in cell: MockCell) -> SelectionProblem {
    SelectionProblem(
      kind: .noName, message: "\(operation.id)/\(cell.status) has no fixture and no example called `\(name)`",
      help: Suggestion.help(for: name, among: cell.names, none: "this status has only its default"))
  }

  private func notAcceptable(_ offers: [MediaRange]) -> SelectionProblem {
    let refusal = Negotiation.refusal(of: offers, accept: accept, by: operation.id)
    return SelectionProblem(kind: .notAcceptable, message: refusal.message, help: refusal.help)
  }
}
