/// Compares the exchanges of two passes over one session, to find what differs though nothing was changed.
package struct SessionComparison: Sendable {
  private let routes: RecordedRoutes
  package private(set) var places = VolatilePlaces()

  package init(_ contracts: [Contract], scope: TrafficScope) {
    routes = RecordedRoutes(contracts.map(\.compiled), scope: scope)
  }

  package mutating func skip(_ reason: String) { places.skip(reason) }

  package mutating func compare(_ first: Exchange, _ second: Exchange) {
    guard let (operation, view) = routes.place(first, isOwn: first.isOwn),
      let other = routes.place(second, isOwn: second.isOwn), other.operation == operation,
      let a = first.response, let b = second.response
    else { return }
    guard a.status == b.status else {
      return places.skip("\(routes.contracts.operations[operation].id) answered \(a.status), and then \(b.status)")
    }
    guard a.body.reason == nil, b.body.reason == nil else { return places.skip("a body is not known") }
    let compiled = routes.contracts.operations[operation]
    places.add(
      RequestSummary(view, compiled.operation), RequestSummary(other.view, compiled.operation), ofOperation: operation)
    places.add(Self.differences(a, b, of: compiled), status: a.status, ofOperation: operation)
  }

  private static func differences(
    _ a: Exchange.Response, _ b: Exchange.Response, of operation: CompiledOperation
  ) -> VolatilePointers {
    var pointers = VolatilePointers()
    guard a.body.bytes != b.body.bytes else { return pointers }
    let type = a.mediaType
    if type?.syntax == .json, let one = try? JSONParser.parse(a.body.bytes).root,
      let other = try? JSONParser.parse(b.body.bytes).root
    {
      return VolatilePointers(one, other, operation.schema(ofAnswer: a.status, type: type))
    }
    pointers.add(.value, at: "")
    return pointers
  }

  /// Compares two recordings. Requests of the same method, URL and body are pairs in their order; others are pairs in the
  /// order of their operation, if both recordings have as many of them.
  package mutating func compare(_ session: HeldSession, with again: HeldSession) {
    let (first, second) = (session.exchanges, again.exchanges)
    var waiting: [String: [Exchange]] = [:]
    for exchange in second.reversed() { waiting[Self.key(exchange), default: []].append(exchange) }
    var alone: [Exchange] = []
    for exchange in first {
      if let pair = waiting[Self.key(exchange)]?.popLast() {
        compare(exchange, pair)
      } else {
        alone.append(exchange)
      }
    }
    let taken = Dictionary(grouping: alone, by: operation)
    let left = Set(waiting.values.joined().map(\.position.index))
    let others = Dictionary(grouping: second.filter { left.contains($0.position.index) }, by: operation)
    for (operation, exchanges) in taken.sorted(by: { $0.key < $1.key }) where operation >= 0 {
      let pairs = others[operation] ?? []
      guard pairs.count == exchanges.count else {
        for _ in exchanges { places.skip("the second recording has other requests to \(name(of: operation))") }
        continue
      }
      for (exchange, pair) in zip(exchanges, pairs) { compare(exchange, pair) }
    }
  }

  private func name(of operation: Int) -> String { routes.contracts.operations[operation].id }

  /// The position of the operation, or -1.
  private func operation(of exchange: Exchange) -> Int {
    routes.place(exchange, isOwn: exchange.isOwn)?.operation ?? -1
  }

  private static func key(_ entry: Exchange) -> String {
    "\(entry.method) \(entry.url) \(RecordingIndex.hash(entry.requestBody.bytes))"
  }
}
