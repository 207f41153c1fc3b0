/// The path of a request:
///
/// > route > decode > validate > forced > preferred > 401 > scenario > `when` > the contract's own error > collections >
/// > default
///
/// `prepare` is the part before the state of a lane is seen: it is pure, and where a budget ends it, it is begun again
/// elsewhere. `commit` brings request and state together: it is short, and nothing of it happens twice.
extension Mock {
  /// The answer to a request; `nil` where a budget did not suffice, and nothing has happened then.
  ///
  /// - Parameters:
  ///   - request: The head of the request.
  ///   - body: `nil` if it is too long to buffer.
  ///   - lane: Where the state is.
  ///   - time: The clock; that of the options without it.
  ///   - budget: Pays for validation and for answers that have to be made.
  ///   - override: Chooses the answer of an operation in place of the mock.
  package func reply(
    to request: HTTPRequest, body: [UInt8]?, in lane: any LaneAccess, at time: LaneTime? = nil,
    within budget: WorkBudget, override: ReplyOverride.Chooser = { _, _ in nil }
  ) -> Reply? {
    let target = request.path ?? "/"
    // `OPTIONS *` is about this server, not the upstream.
    let upstream = target.utf8.first == UInt8(ascii: "/") && request.path != nil ? options.upstream : nil
    if request.method == .options, let preflight = UnroutedRequest.preflight(request, self) {
      return finished(preflight, to: request, body ?? [], isNoted: false, in: lane, at: time)
    }
    switch contractSet.router.route(request.method.rawValue, target) {
    case .match(let match):
      if operations[match.operation].needsState(of: lane.demand), let origin {
        return origin.reply(to: request, body: body, in: lane, at: time, within: budget, override: override)
      }
      guard let prepared = prepare(request, body: body, target, match, upstream, within: budget) else { return nil }
      let chosen = override(prepared.operation, prepared.view)
      if chosen != nil { prepared.liftBudget() }
      return commit(prepared, choosing: chosen, in: lane, at: time ?? LaneTime(options.now)).map {
        finished($0, to: request, in: lane, at: time)
      }
    case let routing:
      let unrouted = UnroutedRequest(mock: self, request: request, body: body, routing: routing)
      return finished(unrouted.reply(upstream), to: request, body ?? [], isNoted: true, in: lane, at: time)
    }
  }

  /// Ends the path of a request that reaches no operation.
  private func finished(
    _ reply: consuming Reply, to request: HTTPRequest, _ body: [UInt8], isNoted: Bool, in lane: any LaneAccess,
    at time: LaneTime?
  ) -> Reply {
    var reply = reply
    if faults != nil || lane.demand.isForAll, !reply.isAboutMock, reply.forward == nil {
      let event = LaneEvent.unrouted(request, body, reply, isNoted: isNoted)
      if faults?.needsState == true || lane.demand.isForAll {
        reply = lane.apply(event, of: self, Rendering(), at: time ?? LaneTime(options.now)) ?? reply
      } else {
        var none = LaneState()
        if case .reply(let changed) = apply(event, to: &none, at: nil) { reply = changed }
      }
    }
    return finished(reply, to: request, in: lane, at: time)
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

  /// Commits a request to its lane, if the state has to see it.
  ///
  /// Where the state chooses no response, the request is decided before the lane is locked. Where the state chooses a
  /// response that is not rendered yet, it is rendered between two attempts, while other requests have the lane.
  private func commit(
    _ prepared: PreparedRequest, choosing chosen: ReplyOverride?, in lane: any LaneAccess, at time: LaneTime
  ) -> Reply? {
    guard prepared.operation.needsState(of: lane.demand) else {
      let decision = decision(prepared, chosen, in: nil, nil, at: 0)
      return prepared.rendering.isComplete ? decision.reply(seed: options.seed) : nil
    }
    if lane.demand == .noted, !prepared.operation.isStored {
      prepared.decision = decision(prepared, chosen, in: nil, nil, at: 0)
      guard prepared.rendering.isComplete else { return nil }
    }
    return lane.apply(.request(prepared, chosen), of: self, prepared.rendering, at: time).map { reply in
      var reply = reply
      if let number = reply.watched ?? reply.limit?.number {
        reply.ending = .watched(number: number, prepared.operation, self, lane, time)
      }
      return reply
    }
  }

  /// Changes the state of a lane: the one door for all events.
  ///
  /// - Parameter time: `nil` for a state that is not kept.
  func apply(_ event: LaneEvent, to state: inout LaneState, at time: LaneTime?) -> LaneOutcome {
    let moment = time.map { LaneTime.Moment($0, of: state) }
    let now = moment?.now ?? 0
    switch event {
    case .request(let prepared, let chosen):
      return answer(prepared, chosen, isFallback: false, in: &state, at: moment)
    case .fallback(let prepared): return answer(prepared, nil, isFallback: true, in: &state, at: moment)
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
      return .reply(reply)
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
      return .reply(reply)
    case .ended(let number, let operation, let reply):
      var reply = reply
      state.change(at: now, seed: options.seed) { lane in
        lane.arrive(moment, nil)
        let limit = reply.limit.flatMap { $0.isExceeded ? $0.duration : nil }
        reply.diagnostics += lane.state.end(number, rules: operation.options, at: now, after: limit)
      }
      return .reply(reply)
    case .changed(let changes):
      for change in changes { change.apply(to: &state, of: self) }
      return .none
    }
  }

  /// Answers a request, for which the state moves on; or says what has to be made first, and the state is as it was.
  private func answer(
    _ prepared: PreparedRequest, _ chosen: ReplyOverride?, isFallback: Bool, in state: inout LaneState,
    at moment: LaneTime.Moment?
  ) -> LaneOutcome {
    let now = moment?.now ?? 0
    let step = step(of: prepared, in: state, at: now)
    let decision = decision(prepared, chosen, isFallback: isFallback, in: state, step, at: now)
    guard prepared.rendering.isComplete else { return .needs(state) }
    return .reply(
      state.change(by: decision, at: now, seed: options.seed) { decision, lane in
        lane.arrive(moment, step)
        var reply = decision.reply(in: &lane)
        if !isFallback, reply.forward == nil { finish(&reply, to: prepared, step, in: &lane) }
        return reply
      })
  }

  /// The decision for a request in a state: the one from before, where the state chooses nothing.
  private func decision(
    _ prepared: PreparedRequest, _ chosen: ReplyOverride?, isFallback: Bool, in state: LaneState, _ step: ScenarioStep?,
    at now: Int
  ) -> Decision {
    if !isFallback, !state.choosesAnswers, let known = prepared.takeDecision() { return known }
    return decision(prepared, chosen, isFallback: isFallback, in: LaneSnapshot(state), step, at: now)
  }

  /// Decides the answer; the copy of the state that it reads is gone when the state changes.
  private func decision(
    _ prepared: PreparedRequest, _ chosen: ReplyOverride?, isFallback: Bool = false, in state: LaneSnapshot?,
    _ step: ScenarioStep?, at now: Int
  ) -> Decision {
    var handler = RequestHandler(mock: self, prepared, state: state, step: step, now: now)
    return isFallback ? handler.fallback() : handler.decision(chosen)
  }

  /// The machines of a lane's scenario at a request; `nil` without a scenario.
  private func step(of prepared: PreparedRequest, in state: LaneState, at now: Int) -> ScenarioStep? {
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
    }
    lane.state.note(&reply, to: view.request, view.body, view, rules: operation.options, at: lane.now)
    if lane.state.history.exchanges.last?.isUnderWay == true { reply.watched = lane.state.requests }
    reply.limit = lane.state.limit.map { Reply.Limit(number: lane.state.requests, duration: $0) }
  }
}

/// What changes the state of a lane.
enum LaneEvent {
  case request(PreparedRequest, ReplyOverride?)
  /// The mock answers in place of the upstream.
  case fallback(PreparedRequest)
  /// The upstream has answered; whether the answer moves the scenario, and the checks see it.
  case settled(PreparedRequest?, Reply, isNoted: Bool)
  /// A request that reaches no operation was answered; whether the checks see it.
  case unrouted(HTTPRequest, [UInt8], Reply, isNoted: Bool)
  /// The client has the answer of an exchange, or has left.
  case ended(Int, MockOperation, Reply)
  /// The admin API, the console or a test changes the lane.
  case changed([LaneChange])
}

extension LaneAccess {
  /// Changes the lane between two requests.
  package func change(_ changes: LaneChange..., by mock: Mock) {
    update { state in _ = mock.apply(.changed(changes), to: &state, at: nil) }
  }

  /// Adds a reply, and returns it with its number; `nil` if the lane is full.
  package func add(_ reply: LaneReply, by mock: Mock) -> LaneReply? {
    var added: LaneReply?
    update { state in
      let count = state.replyCount
      _ = mock.apply(.changed([.reply(reply)]), to: &state, at: nil)
      added = state.replyCount > count ? state.replies.last : nil
    }
    return added
  }

  /// Applies an event; where the state chooses an answer that was not made yet, makes it in between.
  ///
  /// - Returns: `nil` where the budget did not suffice; then nothing has happened.
  func apply(_ event: LaneEvent, of mock: Mock, _ rendering: Rendering, at time: LaneTime) -> Reply? {
    // Other requests may move the state on each time.
    for attempt in 0... {
      var outcome: LaneOutcome?
      rendering.begin(isAllowed: attempt >= Self.attemptLimit)
      update { state in outcome = mock.apply(event, to: &state, at: time) }
      switch outcome {
      case .reply(let reply)?: return reply
      case .needs(var state)?:
        rendering.begin(isAllowed: true)
        _ = mock.apply(event, to: &state, at: time)
        guard rendering.isWhole else { return nil }
      case LaneOutcome.none?, nil: return nil
      }
    }
    return nil
  }

  /// After it the answer is made while the lane waits.
  private static var attemptLimit: Int { 8 }
}
