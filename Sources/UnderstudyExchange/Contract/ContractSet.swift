/// Contracts that are served together: their operations in one list, with one router.
package struct ContractSet: Sendable {
  package let contracts: [CompiledContract]
  /// The operations of all contracts, in the order of the contracts.
  package let operations: [CompiledOperation]
  /// Finds operations by their position in `operations`; of two with one route, the earlier one.
  package let router: Router
  private let owners: [Int]

  package init(_ contracts: [CompiledContract]) {
    self.contracts = contracts
    operations = contracts.flatMap(\.operations)
    owners = contracts.enumerated().flatMap { index, contract in contract.operations.map { _ in index } }
    router = contracts.count == 1 ? contracts[0].router : Router(of: operations)
  }

  package func contractIndex(ofOperation index: Int) -> Int { owners[index] }

  /// The position of the contract whose rules apply to a request: by operation or nearest template, or the first.
  package func contractIndex(along routing: Routing) -> Int {
    let operation: Int? =
      switch routing {
      case .match(let match): match.operation
      case .wrongMethod(_, let operation, _): operation
      case .notFound(let suggestion): suggestion.operation
      }
    return operation.map { owners[$0] } ?? 0
  }

  /// An operation of the path where the path lacks the method of the request.
  package func neighbour(along routing: Routing) -> CompiledOperation? {
    guard case .wrongMethod(_, let operation, _) = routing else { return nil }
    return operations[operation]
  }

  /// The finding about a request that reaches no operation; `nil` for one that reaches an operation, and for an OPTIONS that
  /// asks a path for its methods, or the server (RFC 9110, 9.3.7).
  package func miss(_ request: HTTPRequest, along routing: Routing) -> Diagnostic? {
    switch routing {
    case .match: return nil
    case .wrongMethod where request.method == .options: return nil
    case .notFound where request.path == "*": return nil
    case .wrongMethod(let allowed, let operation, let hint):
      return Diagnostic(
        .requestMethodUnknown, "`\(operations[operation].operation.path)` has no \(request.method.rawValue)",
        at: Location(exchange: "/method"),
        help: hint ?? "it has \(allowed.joined(separator: ", "))")
    case .notFound(let suggestion):
      let path = String(decoding: (request.path ?? "/").utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
      return Diagnostic(
        .requestPathUnknown, "no path of the contract matches `\(path)`", at: Location(exchange: "/path"),
        help: routeAdvice(on: request.method.rawValue, path, suggestion) ?? suggestion.sentence)
    }
  }

  /// The line that adds a route, for a mock that serves a routes file and has no similar path.
  private func routeAdvice(on method: String, _ path: String, _ suggestion: RouteSuggestion) -> String? {
    guard suggestion.reason == .unknown, let routes = contracts.first(where: { $0.api.routes != nil }) else {
      return nil
    }
    let (key, file) = (VisibleText.shortened("\(method) \(path)", to: 200), routes.api.root.path)
    return "to add the route, write `\(key): ok` below `routes:`\(file.hasPrefix("-") ? "" : " in \(file)")"
  }
}
