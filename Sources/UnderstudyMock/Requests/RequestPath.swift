/// The path of a request:
///
/// > route > decode > validate > forced > preferred > 401 > scenario > `when` > the contract's own error > collections >
/// > default
///
/// `prepare` is the part before the state of a lane is seen: it is pure, and where a budget ends it, it is begun again
/// elsewhere. `reply(to:in:at:)` brings request and state together.
extension Mock {
  /// The answer to a request; `nil` where a budget did not suffice, and nothing has happened then. The budget pays for
  /// validation and for answers that have to be made. `body` is `nil` if it is too long to buffer, and `time` is the
  /// clock of the options by default; `override` chooses the response of an operation in place of the mock.
  package func reply(
    to request: HTTPRequest, body: [UInt8]?, in lane: any LaneAccess, at time: LaneTime? = nil,
    within budget: WorkBudget, override: ReplyOverride.Chooser = { _, _ in nil }
  ) -> Reply? {
    let target = request.path ?? "/"
    // `OPTIONS *` is about this server, not the upstream.
    let upstream = target.utf8.first == UInt8(ascii: "/") && request.path != nil ? options.upstream : nil
    if request.method == .options, let preflight = UnroutedRequest.preflight(request, self) {
      return finished(preflight, to: request, body ?? [], isNoted: false, in: lane, at: time, within: budget)
    }
    switch contractSet.router.route(request.method.rawValue, target) {
    case .match(let match):
      let first = options.forwardsAll ? upstream : nil
      guard let prepared = prepare(request, body: body, target, match, first, within: budget) else { return nil }
      if let chosen = override(prepared.operation, prepared.view) { prepared.choose(chosen) }
      return reply(to: prepared, in: lane, at: time ?? LaneTime(options.now)).map {
        guard let sent = callbacks?[match.operation] else { return finished($0, to: request, in: lane, at: time) }
        return finished(calling($0, to: prepared, sent), to: request, in: lane, at: time)
      }
    case let routing:
      if options.addedRoutes.isUsed, lane.isDurable, !budget.isWorker { return nil }
      if let added = withRoutes(of: lane), added.routes(request) {
        return added.reply(to: request, body: body, in: lane, at: time, within: budget, override: override)
      }
      let unrouted = UnroutedRequest(mock: self, request: request, body: body, routing: routing)
      return finished(
        unrouted.reply(upstream), to: request, body ?? [], isNoted: true, in: lane, at: time, within: budget)
    }
  }

  /// Ends the path of a request that reaches no operation; `nil` on an event loop that would wait for a store.
  private func finished(
    _ reply: consuming Reply, to request: HTTPRequest, _ body: [UInt8], isNoted: Bool, in lane: any LaneAccess,
    at time: LaneTime?, within budget: WorkBudget
  ) -> Reply? {
    var reply = reply
    if faults != nil || lane.demand.isForAll, !reply.isAboutMock, reply.forward == nil {
      let event = LaneEvent.unrouted(request, body, reply, isNoted: isNoted)
      if faults?.needsState == true || lane.demand.isForAll {
        if lane.isDurable, !budget.isWorker { return nil }
        do throws(LaneProblem) {
          reply = try changed(reply, by: event, to: request, body, in: lane, at: time ?? LaneTime(options.now))
        } catch {
          reply = error.reply
        }
      } else {
        var none = LaneState()
        reply = apply(event, to: &none, at: nil) ?? reply
      }
    }
    return finished(reply, to: request, in: lane, at: time)
  }

  /// Applies the event of a request that reaches no operation to its lane; a shared store takes the exchange along.
  private func changed(
    _ reply: Reply, by event: LaneEvent, to request: HTTPRequest, _ body: [UInt8], in lane: any LaneAccess,
    at time: LaneTime
  ) throws(LaneProblem) -> Reply {
    guard let number = lane.sharedExchanges?.newNumber() else {
      return try lane.apply(event, of: self, at: time) ?? reply
    }
    var changed = reply
    try lane.update(.event) { state, _ in
      changed = apply(event, to: &state, at: time) ?? reply
    } noting: {
      NumberedExchange(
        number: number,
        ServedRequest(
          startedAt: time.machine, microseconds: 0, request: SharedRequest(request), body: body, reply: changed,
          status: changed.status))
    } then: {
    }
    changed.stored = number
    return changed
  }

  private func finished(
    _ reply: consuming Reply, to request: HTTPRequest, in lane: any LaneAccess, at time: LaneTime?
  ) -> Reply {
    var reply = reply
    if request.method == .head { reply.omitsBody = true }
    // A forwarded request has findings about its answer as well.
    if let forward = reply.forward {
      reply.forward = forward.settled(in: lane, at: time ?? LaneTime(options.now), like: reply)
    } else {
      reply.listViolations()
    }
    return reply
  }

  /// Decodes and validates a request to an operation, once; `nil` where the budget did not suffice.
  private func prepare(
    _ request: HTTPRequest, body: [UInt8]?, _ target: String, _ match: RouteMatch, _ upstream: Upstream?,
    within budget: WorkBudget
  ) -> PreparedRequest? {
    let operation = operations[match.operation]
    let view = RequestView(request: request, target: target, captures: match.captures, body: body ?? [])
    var result = operation.validation(of: view, within: budget)
    guard !budget.isExceeded else { return nil }
    if body == nil { result.withdrawBody(Body.tooLong("request")) }
    return PreparedRequest(
      operation: operation, view: view, body: body, result: result, upstream: upstream, within: budget)
  }

  // MARK: - State

  /// Answers a request to an operation; `nil` where the budget did not suffice, and nothing has happened then.
  ///
  /// A request is decided before its lane is locked, if the state chooses no response or the budget is large; under the
  /// lock the decision is committed if the state still leads to it. Otherwise the request is decided under the lock.
  func reply(to prepared: PreparedRequest, in lane: any LaneAccess, at time: LaneTime) -> Reply? {
    let demand = lane.demand
    let isVaried = prepared.varies ?? options.isDynamic
    let needsState = isVaried || prepared.operation.needsState(of: demand)
    let isWorker = prepared.rendering.budget?.isWorker ?? true
    if needsState, lane.isDurable, !isWorker { return nil }
    var draft: Draft?
    if !needsState || demand == .noted && !prepared.operation.isStored && !isVaried {
      draft = Draft(of: prepared, by: self, in: nil, at: time)
    } else if isWorker {
      var snapshot: LaneSnapshot?
      do throws(LaneProblem) {
        try lane.read { state, revision in snapshot = LaneSnapshot(state.choices, revision) }
      } catch {
        return error.reply
      }
      draft = Draft(of: prepared, by: self, in: snapshot.take(), at: time)
    }
    guard prepared.rendering.isWhole else { return nil }
    if !needsState, let draft = draft.take() { return draft.decision.reply(seed: options.seed) }
    var reply: Reply?
    // A shared store takes the exchange along.
    let number = lane.isDurable ? lane.sharedExchanges?.newNumber() : nil
    do throws(LaneProblem) {
      try lane.update(.event) { state, revision in
        reply = commit(draft.take(), of: prepared, to: &state, revision, at: time)
      } noting: {
        number.flatMap { number in reply.map { NumberedExchange(number: number, prepared.served($0, at: time)) } }
      } then: {
      }
    } catch {
      return error.reply
    }
    if let number { reply?.stored = number }
    guard let number = reply?.watched ?? reply?.limit?.number else { return reply }
    reply?.completion = .watched(number: number, prepared.operation, self, lane, time)
    return reply
  }

  /// Moves the state on by a decision: an earlier one if the state leads to it; `nil` where the budget did not suffice.
  private func commit(
    _ earlier: consuming Draft?, of prepared: PreparedRequest, to state: inout LaneState, _ revision: Int,
    at time: LaneTime
  ) -> Reply? {
    let draft: Draft
    if let earlier, earlier.isCurrent(in: state, revision) {
      draft = earlier
    } else {
      draft = Draft(of: prepared, by: self, in: LaneSnapshot(state.choices, revision), at: time)
    }
    guard prepared.rendering.isWhole else { return nil }
    let moment = draft.moment ?? LaneTime.Moment(time, of: state)
    let step = draft.step
    return state.change(by: draft.decision, at: moment.now, seed: options.seed) { decision, lane in
      lane.arrive(moment, step)
      var reply = decision.reply(in: &lane)
      if !prepared.isFallback, reply.forward == nil { finish(&reply, to: prepared, step, in: &lane) }
      return reply
    }
  }

  /// Changes the state of a lane by any other event; `time` is `nil` for a state that is not kept.
  func apply(_ event: LaneEvent, to state: inout LaneState, at time: LaneTime?) -> Reply? {
    let moment = time.map { LaneTime.Moment($0, of: state) }
    let now = moment?.now ?? 0
    switch event {
    case .settled(let prepared, let reply, let isNoted):
      let step = prepared.flatMap { self.step(of: $0, in: state, at: now) }
      var reply = reply
      state.change(at: now, seed: options.seed) { lane in
        lane.fail(&reply, by: prepared.map(\.operation.faults) ?? faults, of: prepared?.operation)
        guard let prepared, isNoted else { return }
        lane.arrive(moment, step)
        finish(&reply, to: prepared, step, in: &lane)
        // Its end validates the body of an upstream's response.
        (reply.watched, reply.limit) = (nil, nil)
      }
      return reply
    case .unrouted(let request, let body, let reply, let isNoted):
      var reply = reply
      state.change(at: now, seed: options.seed) { lane in
        if isNoted, lane.state.seesEveryRequest {
          lane.arrive(moment, nil)
          lane.state.requests += 1
          lane.state.note(&reply, to: request, body, nil, rules: unroutedRules, at: now)
        }
        lane.fail(&reply, by: faults, of: nil)
      }
      return reply
    case .ended(let number, let operation, let reply):
      var reply = reply
      state.change(at: now, seed: options.seed) { lane in
        lane.arrive(moment, nil)
        let limit = reply.limit.flatMap { $0.isExceeded ? $0.duration : nil }
        reply.diagnostics += lane.state.end(number, rules: operation.options, at: now, after: limit)
      }
      return reply
    case .changed(let changes):
      for change in changes { change.apply(to: &state, of: self) }
      return nil
    }
  }

  /// The machines of a lane's scenario at a request; `nil` without a scenario.
  fileprivate func step(of prepared: PreparedRequest, in state: LaneState, at now: Int) -> ScenarioStep? {
    guard let scenario = state.scenario.flatMap({ scenarios[$0] }) else { return nil }
    return ScenarioStep(scenario, prepared.operation, prepared.view, in: state, at: now)
  }

  /// Moves the machines as the answer asks for, and adds what the client breaks by its request.
  private func finish(
    _ reply: inout Reply, to prepared: PreparedRequest, _ step: ScenarioStep?, in lane: inout LaneTransaction
  ) {
    let (operation, view) = (prepared.operation, prepared.view)
    lane.state.requests += 1
    if sockets != nil { answer(&reply, to: prepared, inSocketsOf: &lane) }
    if let step {
      let found = step.finish(operation, view, reply, in: &lane.state)
      reply.diagnostics += found.compactMap(operation.options.weighed)
      for send in step.sends {
        guard let callback = sent.first(where: { $0.name.utf8Equals(send.name) && $0.isOf(operation) }) else {
          continue
        }
        order(callback, to: send.to ?? callback.expression ?? "", prepared, &reply, reason: "by scenario")
      }
      let pushes = lane.state.pushes.names(of: lane.state.requests)
      if !pushes.isEmpty { reply.pushes = pushes }
    }
    lane.state.note(&reply, to: view.request, view.body, view, rules: operation.options, at: lane.now)
    if lane.state.history.exchanges.last?.isUnderWay == true { reply.watched = lane.state.requests }
    reply.limit = lane.state.limit.map { Reply.Limit(number: lane.state.requests, duration: $0) }
  }
}

/// A decision, before the state of the lane has been changed.
private struct Draft: ~Copyable {
  private(set) var decision: Decision
  let step: ScenarioStep?
  /// The time of the request in the lane; `nil` for a decision that read no state.
  let moment: LaneTime.Moment?
  /// The revision of the state; `nil` for a decision that read no state.
  private let revision: Int?

  /// - Parameter snapshot: `nil` where the state chooses no response; it is released before the state changes.
  init(of prepared: PreparedRequest, by mock: Mock, in snapshot: consuming LaneSnapshot?, at time: LaneTime) {
    moment = snapshot.map { LaneTime.Moment(time, of: $0.value) }
    let now = moment?.now ?? 0
    step = snapshot.flatMap { mock.step(of: prepared, in: $0.value, at: now) }
    revision = snapshot?.revision
    var handler = RequestHandler(mock: mock, prepared, state: snapshot, step: step, now: now)
    decision = handler.decision()
    if !handler.turns.isEmpty { decision.turns = handler.turns.unique() }
  }

  /// Whether the state chooses this decision as well.
  func isCurrent(in state: borrowing LaneState, _ revision: Int) -> Bool {
    if let own = self.revision { own == revision } else { !state.choosesAnswers }
  }
}

/// An event that changes the state of a lane, besides a request to an operation.
enum LaneEvent {
  /// The upstream has answered; whether the answer moves the scenario, and the checks see it.
  case settled(PreparedRequest?, Reply, isNoted: Bool)
  /// A request that reaches no operation was answered; whether the checks see it.
  case unrouted(HTTPRequest, [UInt8], Reply, isNoted: Bool)
  case ended(Int, MockOperation, Reply)
  case changed([LaneChange])
}

extension WorkBudget {
  /// The maximum budget of a decision under the lock of a lane: a few milliseconds. Only a decision that another event has
  /// overtaken may take longer.
  private static let lockedWorkLimit = 100_000

  /// Whether a worker has the budget, which may take long and wait for a store.
  package var isWorker: Bool { left > Self.lockedWorkLimit }
}

extension Lane {
  /// Changes the lane between two requests.
  package func change(_ changes: LaneChange..., by mock: Mock) {
    update { state in _ = mock.apply(.changed(changes), to: &state, at: nil) }
  }
}

extension LaneAccess {
  /// Changes the lane between two requests.
  package func change(_ changes: LaneChange..., by mock: Mock) throws(LaneProblem) {
    try update { state in _ = mock.apply(.changed(changes), to: &state, at: nil) }
  }

  /// Adds a reply, and returns it with its number; `nil` if the lane is full.
  package func add(_ reply: LaneReply, by mock: Mock) throws(LaneProblem) -> LaneReply? {
    var added: LaneReply?
    try update { state in
      let count = state.replyCount
      _ = mock.apply(.changed([.reply(reply)]), to: &state, at: nil)
      added = state.replyCount > count ? state.replies.last : nil
    }
    return added
  }

  /// Applies an event, and returns the reply as it changes it; `nil` for an event without one.
  func apply(_ event: LaneEvent, of mock: Mock, at time: LaneTime) throws(LaneProblem) -> Reply? {
    var reply: Reply?
    try update { state in reply = mock.apply(event, to: &state, at: time) }
    return reply
  }
}
