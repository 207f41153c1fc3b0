/// Pairs of request and response examples of the same name.
struct ExamplePairs {
  private var requests: [(name: String, node: JSON)] = []
  private var responses: [(name: String, status: Response.Status, node: JSON)] = []

  init(_ operation: Operation) {
    let sent = operation.parameters.flatMap { $0.examples + ($0.content?.examples ?? []) }
    for example in sent + (operation.requestBody?.content ?? []).flatMap(\.examples) {
      guard let name = example.name, !requests.contains(where: { $0.name.utf8Equals(name) }) else { continue }
      requests.append((name, example.node))
    }
    for response in operation.responses {
      for example in response.content.flatMap(\.examples) {
        guard let name = example.name, !responses.contains(where: { $0.name.utf8Equals(name) }) else { continue }
        responses.append((name, response.status, example.node))
      }
    }
  }

  /// Whether a request example is meant to be refused: its name is that of an example of a 4xx, or a 4xx itself.
  func isMeantToBeRefused(_ name: String) -> Bool {
    let ranks: [Response.Status] = responses.filter { $0.name.utf8Equals(name) }.map(\.status)
    if !ranks.isEmpty { return ranks.allSatisfy(\.isClientError) }
    return Response.Status(name)?.isClientError ?? false
  }

  /// The findings about names without a partner; none where most names have none.
  var unmatched: [Diagnostic] {
    let (sent, answered) = (requests.map(\.name), responses.map(\.name))
    let shared = sent.filter { name in answered.contains { $0.utf8Equals(name) } }
    guard shared.count > 1, shared.count * 2 > sent.count, shared.count * 2 > answered.count else { return [] }
    func finding(_ name: String, _ node: JSON, _ side: String, _ others: [String]) -> Diagnostic? {
      if others.contains(where: { $0.utf8Equals(name) }) { return nil }
      return Diagnostic(
        .examplePairUnmatched, "the \(side) example `\(name)` has no partner, unlike the other examples",
        at: Location(start: node), help: Suggestion.phrase(for: name, among: others.filter { !shared.contains($0) }))
    }
    return requests.compactMap { finding($0.name, $0.node, "request", answered) }
      + responses.compactMap { finding($0.name, $0.node, "response", sent) }
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
