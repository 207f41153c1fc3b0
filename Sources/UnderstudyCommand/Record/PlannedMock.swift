import UnderstudyMock
import UnderstudyRecording
import UnderstudyVerification

/// A mock of the files that a recording is about to write, beside the fixtures that exist.
struct PlannedMock: Sendable {
  let sources: [ContractSource]
  /// The fixtures folder, which stays as it is.
  let folder: String
  let basePaths: BasePathPolicy
  let rules: RuleSettings

  /// The maximum size of the fixtures that are copied for a mock: 256 MiB.
  private static let limit = 256 << 20
  /// The maximum depth of folders below the folder of a contract.
  private static let depthLimit = 4

  var player: PlanPlayer { { plan, scenario, requests in responses(plan, scenario, requests) } }

  /// The responses to the requests of a session in order; `nil` if the files cannot be played.
  private func responses(
    _ plan: RecordingPlan, _ scenario: String?, _ requests: [Exchange]
  ) -> [Exchange.Response]? {
    guard let copy = try? TemporaryFolder() else { return nil }
    defer { copy.remove() }
    guard let mock = try? self.mock(of: plan, scenario, in: copy.path) else { return nil }
    var state = mock.newState()
    var responses: [Exchange.Response] = []
    for entry in requests {
      let instant = Mock.Instant(microsecondsSince1970: entry.startedAt ?? Timestamp.microseconds())
      let reply = mock.reply(to: entry.request, body: entry.requestBody.bytes, in: &state, at: instant)
      responses.append(Self.response(reply))
    }
    return responses
  }

  private static func response(_ reply: Reply) -> Exchange.Response {
    var body = ExchangeBody.bytes(reply.body)
    if case .streamed = reply.content { body = .unknown("a stream") }
    return Exchange.Response(status: reply.status, fields: reply.response.headerFields, body: body)
  }

  /// Writes the plan to a copy of the fixtures, and reads the contracts with them.
  private func mock(of plan: RecordingPlan, _ scenario: String?, in copy: String) throws -> Mock? {
    var left = Self.limit
    for source in sources {
      try Self.copy(Path.join(folder, source.name), to: Path.join(copy, source.name), &left, depth: 0)
    }
    var plan = plan
    // A person may move them to their place.
    plan.files += plan.doubtful
    plan.doubtful = []
    try plan.write(to: copy)
    var contracts: [Contract] = []
    for source in sources {
      let (contract, _) = Contract.load(source.withFixtures(in: copy), fixtures: copy, basePaths: basePaths)
      guard let contract else { return nil }
      contracts.append(contract)
    }
    var options = Mock.Options()
    options.rules = rules
    options.scenario = scenario
    return Mock(contracts: contracts, options: options)
  }

  private static func copy(_ source: String, to target: String, _ left: inout Int, depth: Int) throws(FileProblem) {
    guard FileSystem.isFolder(source), depth < depthLimit else { return }
    for entry in try FileSystem.list(source) where !entry.name.hasPrefix(".") {
      let (path, place) = (Path.join(source, entry.name), Path.join(target, entry.name))
      guard !entry.isFolder else {
        try copy(path, to: place, &left, depth: depth + 1)
        continue
      }
      guard FileSystem.isRegular(path) else { continue }
      let bytes = try FileSystem.read(path).bytes
      left -= bytes.count
      guard left >= 0 else { throw FileProblem(.tooLarge, source, "more than \(limit.asBytes) of fixtures") }
      try FileSystem.write(bytes, to: place, isPrivate: true)
    }
  }
}

extension Record.LoadedContracts {
  /// Plays a session against planned files.
  func player(_ configuration: Configuration) -> PlanPlayer {
    PlannedMock(
      sources: sources, folder: folder, basePaths: configuration.basePaths(), rules: configuration.rules
    ).player
  }
}
