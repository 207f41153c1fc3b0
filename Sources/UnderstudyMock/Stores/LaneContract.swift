import UnderstudySockets

/// The fingerprint of the contracts that changed a stored state last: under other contracts the state adapts.
struct LaneContract: Sendable, Hashable {
  /// A hash of the contracts, their fixtures' scenarios and the options that a lane begins with.
  private let digest: UInt64
  /// A hash of the seeds and schemas of all collections.
  private let items: UInt64

  init(_ mock: Mock) {
    var parts = mock.contracts.flatMap { [$0.name, JSONWriter.text($0.compiled.api.root)] }
    for scenario in mock.contracts.flatMap(\.scenarios).compactMap(\.scenario) {
      let file = try? FileSystem.read(scenario.path)
      parts += [scenario.name, String(decoding: file?.bytes ?? [], as: UTF8.self)]
    }
    parts += [mock.options.scenario ?? "", mock.options.seed, "\(mock.options.isDynamic)"]
    parts += mock.options.checks.map(\.name)
    digest = StableHash.of(parts)
    let models = [mock.resources] + mock.scenarios.keys.sorted().map { mock.scenarios[$0]?.resources }
    items = StableHash.of(models.flatMap { $0?.fingerprints ?? [] }.sorted().map(String.init))
  }

  /// `nil` for text that another version wrote.
  init?(text: String) {
    let parts = text.split(separator: ".").map { UInt64($0, radix: 16) }
    guard parts.count == 2, let digest = parts[0], let items = parts[1] else { return nil }
    (self.digest, self.items) = (digest, items)
  }

  var text: String { String(digest, radix: 16) + "." + String(items, radix: 16) }

  func hasItems(of other: LaneContract?) -> Bool { items == other?.items }
}

extension Mock {
  /// Adapts a stored state to this mock, and keeps what still applies: a named lane its scenario if it still exists, and
  /// every lane its items if their seeds and schemas are equal.
  ///
  /// - Returns: The names of the parts that begin anew.
  func adapt(_ state: inout LaneState, isNamed: Bool, from old: LaneContract?, to new: LaneContract) -> [String] {
    var reset: [String] = []
    let items = new.hasItems(of: old) ? state.resources : ResourceState()
    if !new.hasItems(of: old), state.resources != items { reset.append("collections") }
    if !isNamed {
      if let scenario = state.scenario { reset.append("scenario `\(scenario)`") }
      state.begin(newState())
    } else if let scenario = state.scenario, scenarios[scenario] == nil {
      state.play(options.scenario, in: self)
      reset.append("scenario `\(scenario)`")
    }
    state.resources = items
    return reset
  }

  /// Continues a state whose process has ended: its sockets have left, and its timers fire that are due.
  func resume(_ state: inout LaneState) {
    if !state.routes.all.isEmpty { options.addedRoutes.isUsed = true }
    for member in Array(state.sockets.sockets) {
      apply(.disconnected(member.id, namespace: member.namespace), to: &state, at: nil)
    }
    apply(.time, to: &state, at: nil)
    state.sockets.forgetProcess()
  }
}
