import HTTPTypes
import UnderstudyMock

/// The requests to `/__admin/lanes`.
struct LaneRoutes {
  private let admin: AdminRequest
  /// Of the path; `nil` for the list.
  private let name: LaneName?

  /// - Parameter parameters: The names that the query may have.
  init(_ admin: AdminRequest, parameters: [String] = []) throws(LaneProblem) {
    self.admin = admin
    name = admin.path.count > 1 ? try Self.name(admin.path[1], admin) : nil
    try admin.requireParameters(parameters)
  }

  /// `~` is the lane of the address that the request came to.
  private static func name(_ text: String, _ admin: AdminRequest) throws(LaneProblem) -> LaneName {
    text == "~" ? admin.lane ?? .unnamed : try LaneName(text)
  }

  private var lanes: any LaneStore { admin.host.lanes }
  private var mock: Mock { admin.mock }
  private var body: [UInt8] { admin.body }

  func list() -> Reply {
    let names = [LaneName.unnamed] + lanes.names
    return answer(.ok, .object([("lanes", .array(names.map { entry($0) }))]))
  }

  /// Opens a lane, with a name that nothing else has where none is given.
  func open() throws(LaneProblem) -> Reply {
    var opening = try LaneOpeningReader.read(body, for: mock)
    let name: LaneName
    if let given = opening.name { name = given } else { name = try Self.unusedName() }
    // A lane that a request opens has none.
    opening.name = name
    guard name != .unnamed else {
      throw LaneProblem(.taken, "the lane `\(name)` is always open", help: "take another name")
    }
    if opening.port != nil, let port = admin.host.lanePorts.port(of: name) {
      throw LaneProblem(.taken, "the lane `\(name)` has the port \(port)", help: "leave `port` out")
    }
    return try open(name, opening.state(of: mock), port: opening.port)
  }

  /// - Parameter port: A port that the lane gets to itself; 0 for a free one.
  func open(_ name: LaneName, _ state: LaneState, port: Int?) throws(LaneProblem) -> Reply {
    try lanes.openStored(name, state)
    admin.host.closed.forget(name)
    guard let port else { return opened(name) }
    return admin.answer(later: {
      do throws(LaneProblem) {
        try await admin.host.lanePorts.open(name, port: port)
        return opened(name)
      } catch {
        _ = try? lanes.close(name)
        return error.reply
      }
    })
  }

  private func opened(_ name: LaneName) -> Reply {
    answer(.created, entry(name), location: "\(admin.root)/lanes/\(name)")
  }

  /// The verdict so far; with `state=true` also all that the lane remembers.
  func read() throws(LaneProblem) -> Reply {
    let showsState = admin.text("state")
    if let showsState, !["true", "false"].contains(showsState) {
      throw LaneProblem(.invalid, "`state` is true or false", help: "state=true shows all that the lane remembers")
    }
    return try detail(withState: showsState == "true")
  }

  func detail(withState: Bool = true) throws(LaneProblem) -> Reply {
    let (name, lane) = try lane()
    let state = try lane.value
    let verdict = try verdict(of: state, name)
    let messages = mock.pushes(of: state)
    let url = url(name)
    // An event loop has no time to learn the secrets of many exchanges.
    return admin.answer(later: { [admin] in
      var redactor = admin.redactor
      let pushes = messages.isEmpty ? nil : LaneJSON.pushes(messages, &redactor).value
      let shown = withState ? LaneJSON.value(state, &redactor).value : nil
      return admin.answer(
        verdict.json(&redactor).map { verdict in
          .object(
            ("name", .string(name.text)), ("url", .string(url)), ("verdict", verdict), ("pushes", pushes),
            ("state", shown))
        })
    })
  }

  /// The verdict of a lane. The lane without a name sees only requests that depend on its state; the journal counts the rest.
  ///
  /// A named lane stores each request that its verdict depends on, whichever replica serves it.
  private func verdict(of state: LaneState, _ name: LaneName) throws(LaneProblem) -> LaneVerdict {
    guard name == .unnamed else { return mock.verdict(of: state) }
    let journal = admin.host.journal
    if let replicas = admin.host.replicas {
      let (tally, reasons) = try replicas.tally(since: state.openedAt)
      var verdict = mock.verdict(of: state).adding(tally.unnamed, [])
      verdict.reasons = reasons
      return verdict
    }
    return mock.verdict(of: state).adding(journal.unnamed, journal.entries())
  }

  /// Changes what is given: the scenario begins anew, forced answers and checks are added, the clock moves forward.
  func change() throws(LaneProblem) -> Reply {
    let (_, lane) = try lane()
    let opening = try LaneOpeningReader.read(body, for: mock)
    guard opening.name == nil else {
      throw LaneProblem(.invalid, "a lane keeps its name", help: "open another lane")
    }
    guard opening.port == nil else {
      throw LaneProblem(.invalid, "a lane gets its port when it opens", help: "close it, and open it with `port`")
    }
    try lane.change(.add(opening), by: mock)
    return try detail()
  }

  func reset() throws(LaneProblem) -> Reply {
    let (name, lane) = try lane()
    try lane.change(.reset(isNamed: name != .unnamed), by: mock)
    if name == .unnamed { try admin.host.restartUnnamed() }
    return answer(.ok, entry(name))
  }

  /// Lets the mock decide again.
  func release() throws(LaneProblem) -> Reply {
    let (_, lane) = try lane()
    try lane.change(.release, by: mock)
    return try detail()
  }

  /// Ends the faults and delays of the lane.
  func mend() throws(LaneProblem) -> Reply {
    let (_, lane) = try lane()
    try lane.change(.mend, by: mock)
    return try detail()
  }

  func close() throws(LaneProblem) -> Reply {
    let (name, lane) = try lane()
    guard name != .unnamed else {
      throw LaneProblem(.conflict, "the lane `\(name)` cannot be closed", help: "reset it, or open lanes with names")
    }
    // First, as a late request would open the lane again.
    let isForTest = try lane.value.origin?.name != nil
    if isForTest { try admin.host.noteClosed(name) }
    let found: (any LaneAccess)?
    do throws(LaneProblem) {
      found = try lanes.close(name)
    } catch {
      if error.kind != .closed { admin.host.closed.forget(name) }
      throw error
    }
    guard let closed = found else { throw unknown(name) }
    admin.host.sockets.finish(closed, by: mock)
    let last = try closed.value
    admin.host.closed.add(mock.closingFindings(of: last))
    let verdict = mock.verdict(of: last, isClosing: true)
    admin.host.sockets.close(closed)
    let end = admin.host.lanePorts.close(name)
    let run = admin.host.runs.close(name)
    return admin.answer(later: { [admin] in
      // A port ends after the answer to the request that closes its lane.
      if admin.portLane == name { Task { await end?() } } else { await end?() }
      var redactor = admin.redactor
      let shown = verdict.json(&redactor)
      guard let run else { return admin.answer(shown) }
      let report = await run.report(of: name, verdict.requests, admin)
      return admin.answer(shown.map { .object($0.members.map { ($0.name, $0.value) } + [("run", report.value)]) })
    })
  }

  // MARK: - Parts

  func lane() throws(LaneProblem) -> (LaneName, any LaneAccess) {
    let name = name ?? .unnamed
    if name == .unnamed { return (name, lanes.unnamed) }
    guard let lane = try lanes.find(name) else { throw unknown(name) }
    return (name, lane)
  }

  private func unknown(_ name: LaneName) -> LaneProblem {
    let names = lanes.names.prefix(1_000).map(\.text)
    return LaneProblem(
      .unknown, "no lane `\(name)` is open",
      help: Suggestion.phrase(for: name.text, among: names)
        ?? "POST \(admin.root)/lanes opens one; it is closed when no request has reached it for a time")
  }

  static func unusedName() throws(LaneProblem) -> LaneName {
    try LaneName("lane-" + String(UInt64.random(in: .min ... .max), radix: 36))
  }

  /// The address of a lane as this client reaches it: its own port, else a prefix of the path.
  private func url(_ name: LaneName) -> String {
    let authority = admin.request.authority ?? "localhost"
    let scheme = admin.request.scheme ?? "http"
    if name == (admin.portLane ?? .unnamed) { return "\(scheme)://\(authority)" }
    guard let port = admin.host.lanePorts.port(of: name) else { return "\(scheme)://\(authority)/~\(name)" }
    return "\(scheme)://\(authority[..<Self.portStart(of: authority)]):\(port)"
  }

  /// Where the port of an authority begins; its end where it has none.
  private static func portStart(of authority: String) -> String.Index {
    authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 } ?? authority.endIndex
  }

  private func entry(_ name: LaneName) -> JSON {
    .object([("name", .string(name.text)), ("url", .string(url(name)))])
  }

  private func answer(_ status: HTTPResponse.Status, _ value: JSON, location: String? = nil) -> Reply {
    admin.answer(value, status, location: location)
  }
}
