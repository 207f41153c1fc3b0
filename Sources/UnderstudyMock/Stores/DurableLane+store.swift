import Synchronization
import UnderstudySockets
import UnderstudySystem

/// Stores the changes of a lane.
extension DurableLane {
  /// The maximum number of attempts at a change; each conflict means that another process was first.
  private static let attemptLimit = 100

  /// Stores the changes of a batch in order, and delivers each; returns the reason that nothing is stored.
  func store(_ batch: [LaneWork]) -> LaneProblem? {
    do throws(LaneProblem) {
      try keeper.replicas?.requireLease()
      for _ in 0..<Self.attemptLimit {
        if try attempt(batch) { return nil }
      }
      throw LaneProblem(
        .store, "the lane `\(name)` changed \(Self.attemptLimit) times meanwhile in another process",
        help: "send the requests of a lane to one process")
    } catch {
      if error.kind == .outcome { forget() }
      if error.kind != .closed { keeper.count { $0.failures += 1 } }
      return error
    }
  }

  /// Removes the lane from the store; it goes on in memory.
  func close() throws(LaneProblem) {
    let hadClosed = held.withLock { held in
      // In a shared store another process may still change the lane.
      defer { held.isClosed = keeper.replicas == nil || held.isClosed }
      return held.isClosed
    }
    do throws(LaneProblem) {
      // After the changes that are being stored.
      try updateSilently { _ in }
      if hadClosed { return }
      if keeper.replicas != nil { try markClosed() }
      try keeper.database.remove([name.text], expiredBy: nil)
    } catch {
      held.withLock { $0.isClosed = hadClosed }
      throw error
    }
  }

  /// Notes in the store that the lane is being closed, after the last change of every process.
  private func markClosed() throws(LaneProblem) {
    for _ in 0..<Self.attemptLimit {
      var next = try loaded()
      guard let state = next.state else { continue }
      guard next.version != nil else { break }
      next.notes.isClosed = true
      let stored = try keeper.database.commit(try write(state, next))
      if stored.isStored {
        detach()
        return
      }
      reload(keeping: state)
    }
    detach()
  }

  /// - Returns: Whether the changes are stored; otherwise another process has changed the lane.
  private func attempt(_ batch: [LaneWork]) throws(LaneProblem) -> Bool {
    let serving = keeper.serving
    var next = try loaded()
    guard let before = next.state else { return false }
    var state = before
    try requireContract(next, serving)
    let reset = adapt(&state, &next, serving)
    var exchanges: [StoredExchange] = []
    for work in batch {
      work.apply(to: &state, next.revision)
      next.revision &+= 1
      if let shared = keeper.replicas?.exchanges, let noted = work.exchange {
        exchanges.append(shared.stored(noted, of: name))
      }
    }
    let isNew = next.version == nil || next.contract != serving.contract
    let isConfirmed = keeper.replicas != nil && batch.contains { $0.kind != .silent }
    let isChanged = isNew || isConfirmed || !reset.isEmpty || state.differs(from: before)
    next.contract = serving.contract
    if isChanged, !next.isClosed {
      if let replicas = keeper.replicas {
        guard try raise(before, state, &next, replicas) else { return false }
      }
      let isAnnounced = keeper.replicas != nil && concernsOthers(state, before)
      let write = try write(state, next, exchanges, isAnnounced: isAnnounced)
      guard try keeper.database.commit(write).isStored else {
        // Only another replica that opens the lane can be first.
        if batch.contains(where: { $0.kind == .opening }) { throw .taken(name) }
        keeper.count { $0.conflicts += 1 }
        reload(keeping: before)
        return false
      }
      keeper.count { facts in
        facts.commits += 1
        facts.bytes += write.lane.state.utf8.count
      }
      next.version = write.lane.version
      lastWrite.store(write.time, ordering: .relaxed)
    }
    publish(state, next)
    keeper.noteReset(reset, of: name)
    for work in batch { work.shown() }
    return true
  }

  // MARK: - Replicas

  /// Whether other replicas have sockets that get an output or a fault, or timers that a new clock changes.
  private func concernsOthers(_ state: LaneState, _ before: LaneState) -> Bool {
    state.clock != before.clock || state.sockets.faults != before.sockets.faults
      || state.sockets.hasOutputs(outside: keeper.sockets)
  }

  /// Lets all replicas ask for the state, before a change by which more requests have to see it.
  ///
  /// Otherwise a client that has seen the change could get a response from a replica that has not. The change itself is stored
  /// by a second write, after the replicas know of the first.
  ///
  /// - Returns: Whether the change can be stored now; otherwise it has to be made again.
  private func raise(
    _ before: LaneState, _ state: LaneState, _ next: inout Held, _ replicas: ReplicaGroup
  ) throws(LaneProblem) -> Bool {
    let isAcknowledged = next.notes.raise.map { $0.replica == replicas.name && $0.number == next.raised } ?? false
    guard next.version != nil, !isAcknowledged, !before.demand.isForAll, before.demand.rawValue < state.demand.rawValue
    else {
      if let raise = next.notes.raise, isAcknowledged || raise.end < keeper.now() { next.notes.raise = nil }
      return true
    }
    // This write changes nothing but the note.
    var raised = held.withLock { $0 }
    guard raised.version == next.version, raised.state != nil else { return false }
    let number = LaneWrite.newNumber()
    raised.notes.raise = LaneNotes.DemandRaise(
      replica: replicas.name, number: number, end: keeper.now() + 2 * ReplicaGroup.acknowledgementLimit)
    let write = try write(before, raised, isAnnounced: true)
    guard case .stored(let announcement) = try keeper.database.commit(write) else {
      keeper.count { $0.conflicts += 1 }
      reload(keeping: before)
      return false
    }
    raised.version = write.lane.version
    raised.raised = number
    publish(before, raised)
    if let announcement { try replicas.awaitAcknowledgement(of: announcement) }
    return false
  }

  /// Throws while another replica serves the contract that the lane is stored by.
  private func requireContract(_ next: Held, _ serving: LaneKeeper.Serving) throws(LaneProblem) {
    guard let replicas = keeper.replicas, next.version != nil, let contract = next.contract,
      contract != serving.contract, !next.isClosed
    else { return }
    guard let other = try replicas.replica(serving: contract.text) else { return }
    showDemand(next, serving)
    throw LaneProblem(
      .store, "the replica \(other) serves the contract of the lane `\(name)`, and this one another",
      help: "the lane is carried over once no replica serves its contract")
  }

  private func adapt(_ state: inout LaneState, _ next: inout Held, _ serving: LaneKeeper.Serving) -> [String] {
    guard next.generation != serving.generation || next.isForeign else { return [] }
    var reset: [String] = []
    if next.version != nil, next.contract != serving.contract {
      reset = serving.mock.adapt(&state, isNamed: name != .unnamed, from: next.contract, to: serving.contract)
    }
    // Its responses belong to the operations of another mock.
    state.resources.answers = ItemResponses()
    if next.isForeign { serving.mock.resume(&state) }
    (next.isForeign, next.generation) = (false, serving.generation)
    return reset
  }

  private func write(
    _ state: LaneState, _ next: Held, _ exchanges: [StoredExchange] = [], isAnnounced: Bool = false
  ) throws(LaneProblem) -> LaneWrite {
    let time = keeper.now()
    // A lane with connected sockets is not idle; a process that ends leaves it to the next one.
    let expires = name == .unnamed ? nil : time + keeper.idleLimit
    // A name that is opened again never has the version of an earlier lane.
    let first = keeper.replicas == nil ? 0 : time
    return LaneWrite(
      key: name.text, version: next.version,
      lane: StoredLane(
        version: (next.version ?? first) + 1, state: try LaneStateText.write(state, next.notes),
        contract: next.contract?.text ?? ""),
      entry: StoredLaneEntry(
        key: name.text, due: state.sockets.nextDue.map { $0 - state.clock.offset }, expires: expires),
      format: LaneStateFormat.current, time: time, number: LaneWrite.newNumber(), exchanges: exchanges,
      isAnnounced: isAnnounced)
  }
}

extension LaneState {
  /// Whether a store would hold another text for this state.
  fileprivate func differs(from before: LaneState) -> Bool {
    var before = before
    before.sockets.takeLocalParts(of: sockets)
    return self != before
  }
}
