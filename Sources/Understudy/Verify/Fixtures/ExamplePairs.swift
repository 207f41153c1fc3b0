/// Examples that belong together by name: what is sent, and what comes back for it.
struct ExamplePairs {
  private var requests: [(name: String, node: JSON)] = []
  private var responses: [(name: String, status: Response.Status, node: JSON)] = []

  init(_ operation: Operation) {
    func add(_ examples: [Example]) {
      for example in examples {
        guard let name = example.name, !requests.contains(where: { $0.name.utf8Equals(name) }) else { continue }
        requests.append((name, example.node))
      }
    }
    for parameter in operation.parameters { add(parameter.examples + (parameter.content?.examples ?? [])) }
    for content in operation.requestBody?.content ?? [] { add(content.examples) }
    for response in operation.responses {
      for example in response.content.flatMap(\.examples) {
        guard let name = example.name, !responses.contains(where: { $0.name.utf8Equals(name) }) else { continue }
        responses.append((name, response.status, example.node))
      }
    }
  }

  /// Whether a request example shows what a server refuses: its name is that of an example of a 4xx, or a 4xx itself.
  func isMeantToBeRefused(_ name: String) -> Bool {
    let ranks: [Response.Status] = responses.filter { $0.name.utf8Equals(name) }.map(\.status)
    if !ranks.isEmpty { return ranks.allSatisfy(\.isClientError) }
    return Response.Status(name)?.isClientError ?? false
  }

  /// Names without a partner; nothing where names are not used to pair.
  var unmatched: [Diagnostic] {
    let (sent, came) = (requests.map(\.name), responses.map(\.name))
    let shared = sent.filter { name in came.contains { $0.utf8Equals(name) } }
    guard shared.count > 1, shared.count * 2 > sent.count, shared.count * 2 > came.count else { return [] }
    func finding(_ name: String, _ node: JSON, _ side: String, _ other: [String]) -> Diagnostic {
      Diagnostic(
        .examplePairUnmatched, "the \(side) example `\(name)` has no partner, as the other examples have",
        at: Location(start: node),
        help: Suggestion.phrase(for: name, among: other.filter { candidate in !shared.contains(candidate) }))
    }
    return requests.filter { one in !came.contains { $0.utf8Equals(one.name) } }.map {
      finding($0.name, $0.node, "request", came)
    }
      + responses.filter { one in !sent.contains { $0.utf8Equals(one.name) } }.map {
        finding($0.name, $0.node, "response", sent)
      }
  }
}

extension Response.Status {
  fileprivate var isClientError: Bool {
    switch self {
    case .code(let code): 400...499 ~= code
    case .range(let hundreds): hundreds == 4
    case .default: false
    }
  }
}
