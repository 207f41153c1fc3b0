import Synchronization
import UnderstudySystem

/// A route that a client adds while the mock serves, in the syntax of a routes file.
package struct AddedRoute: Codable, Sendable, Hashable {
  /// `GET /users/{id}`
  package let key: String
  /// Its reply, as JSON.
  package let reply: String

  package init(_ key: String, _ reply: JSON) { (self.key, self.reply) = (key, JSONWriter.text(reply)) }

  package var value: JSON { (try? JSONParser.parse(Array(reply.utf8)).root) ?? .null }

  /// Routes in the form of a routes file.
  package static func document(_ routes: [AddedRoute]) -> JSON {
    .object([("routes", .object(routes.map { ($0.key, $0.value) }))])
  }
}

/// The routes that clients add while the mock serves; a reload keeps them.
///
/// Requests that no contract has an operation for are decided by another mock, of the contracts and the added routes. Other
/// requests do not read these routes.
package final class AddedRoutes: Sendable {
  /// The name of the contract of added routes.
  package static let contractName = "added"
  /// The maximum number of routes of all lanes together, and of each lane.
  package static let limit = 1_000

  private struct State {
    var routes: [AddedRoute] = []
    /// The latest mocks, of different lanes and event loops.
    var mocks: [Combined] = []
  }

  private struct Combined {
    /// The mock of the contracts, which holds these routes.
    weak var base: Mock?
    let own: [AddedRoute]
    let mock: Mock
  }

  private static let mockLimit = 32
  private let state = Lock(State())
  private let use = Atomic(false)

  package init() {}

  /// Whether routes were ever added, for all lanes or for one; before that no request takes a lock for them.
  var isUsed: Bool {
    get { use.load(ordering: .acquiring) }
    set { use.store(newValue, ordering: .releasing) }
  }

  /// The routes of all lanes.
  package var routes: [AddedRoute] {
    get { state.withLock { $0.routes } }
    set {
      state.withLock { $0 = State(routes: newValue) }
      isUsed = true
    }
  }

  /// A mock of the contracts of another one and the routes of all lanes and of one lane; `nil` without routes.
  func mock(of base: Mock, adding own: [AddedRoute]) -> Mock? {
    let (shared, known) = state.withLock { state in
      (state.routes, state.mocks.first { $0.base === base && $0.own == own }?.mock)
    }
    if let known { return known }
    guard !own.isEmpty || !shared.isEmpty else { return nil }
    let keys = Set(own.map(\.key))
    guard let contract = Self.contract(of: own + shared.filter { !keys.contains($0.key) }).contract else { return nil }
    var options = base.options
    options.addedRoutes = AddedRoutes()
    let mock = Mock(contracts: base.contracts + [contract], options: options)
    state.withLock { state in
      // Another thread may have changed the routes.
      guard state.routes == shared else { return }
      state.mocks.removeAll { $0.base == nil }
      if state.mocks.count >= Self.mockLimit { state.mocks.removeFirst() }
      state.mocks.append(Combined(base: base, own: own, mock: mock))
    }
    return mock
  }

  /// The contract of some routes, which names no files.
  package static func contract(of routes: [AddedRoute]) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    let bytes = JSONWriter.bytes(AddedRoute.document(routes))
    return Contract.load(
      ContractSource("body", name: contractName, contents: bytes, isFromClient: true), fixtures: nil)
  }
}

extension Mock {
  /// The mock with the routes that clients have added for a lane; this mock without any.
  package func withAddedRoutes(of lane: (any LaneAccess)?, waiting waits: Bool = true) -> Mock {
    withRoutes(of: lane, waiting: waits) ?? self
  }

  /// The mock with the added routes; `nil` without any.
  ///
  /// - Parameter waits: Whether it may wait for a store; otherwise the routes that this process knows count.
  func withRoutes(of lane: (any LaneAccess)?, waiting waits: Bool = true) -> Mock? {
    guard options.addedRoutes.isUsed else { return nil }
    var own: [AddedRoute] = []
    if waits {
      // A lane whose store cannot be read answers 503 once its state is needed.
      try? lane?.refresh()
      try? lane?.read { state, _ in own = state.routes.all }
    } else {
      own = lane?.known?.routes.all ?? []
    }
    return options.addedRoutes.mock(of: self, adding: own)
  }
}

extension Mock {
  /// The finding about a route that a contract of this mock has as well.
  package func conflict(with routes: Contract) -> Diagnostic? {
    ContractConflict.routes(contracts.map(\.compiled) + [routes.compiled]).first {
      $0.location?.path == routes.api.root.path
    }
  }
}

/// The routes that are added to a lane.
package struct LaneAddedRoutes: Codable, Sendable, Hashable {
  package var all: [AddedRoute] = []
}

extension KeyedDecodingContainer {
  /// Decodes the routes, which earlier formats lack.
  func decode(_ type: LaneAddedRoutes.Type, forKey key: Key) throws -> LaneAddedRoutes {
    LaneAddedRoutes(all: try decodeIfPresent([AddedRoute].self, forKey: key) ?? [])
  }
}

extension KeyedEncodingContainer {
  /// Encodes the routes of a lane that has some.
  mutating func encode(_ routes: LaneAddedRoutes, forKey key: Key) throws {
    if !routes.all.isEmpty { try encode(routes.all, forKey: key) }
  }
}
