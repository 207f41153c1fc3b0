package struct LiveSettings: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    case positive
    case negative
    case all
  }

  /// The steps of a run, by the names of Schemathesis.
  package enum Phase: String, CaseIterable, Sendable {
    case examples, coverage, random, stateful
  }

  /// The server; its path, if it has one, replaces the contract's base path.
  package var target: Upstream
  /// Whether the base paths of the contract's servers apply where the target has no path.
  package var usesBasePaths = true
  package var basePaths: BasePathPolicy { target.path.isEmpty && usesBasePaths ? .servers : .fixed(target.path) }
  package var mode = Mode.all
  package var phases = Set(Phase.allCases)
  package var seed = "0"
  /// The number of generated valid requests of each operation, and a quarter of that of invalid ones.
  package var count = 10
  /// Whether methods other than GET, HEAD, OPTIONS and QUERY may be sent.
  package var allowsUnsafe = false
  /// Whether operations may be sent that end or reset the server.
  package var allowsDestructive = false
  /// Different in every run: the server may still have what an earlier run created.
  package var run = ""
  package var selection = OperationSelection()
  /// Values that the server knows: by parameter, by operation and parameter, or by schema.
  package var values: [String: [JSON]] = [:]
  /// The day around which dates lie.
  package var clock: SampleClock?
  package var shard = Shard.whole
  package var workers = 1
  /// The run ends after so many errors.
  package var maximumFailures: Int?
  /// How long the answers of one operation may take together, so that a slow one leaves time for the others.
  package var operationTime: Duration?
  /// The maximum size of the stored exchanges, in bytes; 0 counts requests alone.
  package var ledgerSize = 0
  /// Sent with every request, in place of generated ones.
  package var headers: [(name: String, value: String)] = []
  /// By the name of a security scheme: a token, a key, `user:password`.
  package var credentials: [String: String] = [:]
  /// Whether operations get well-formed, invalid credentials where none are given.
  package var inventsCredentials = true
  /// Values that reproductions replace by shell variables.
  package var secrets: [Secret] = []
  package var rules = RuleSettings()

  /// The options that restrict the run; `nil` where none does.
  package var limits: String? {
    let phases = Phase.allCases.filter(phases.contains)
    let options =
      selection.options + (mode == .all ? [] : ["--mode \(mode.rawValue)"])
      + (phases.count == Phase.allCases.count ? [] : ["--phases \(phases.map(\.rawValue).joined(separator: ","))"])
    return options.isEmpty ? nil : options.joined(separator: " ")
  }

  var redactor: Redactor { Redactor(secrets: secrets) }

  /// Hides the values of headers that hold the credentials of these schemes.
  package mutating func hideHeaders(of schemes: [SecurityScheme]) {
    let credentials = LiveCredentials(schemes, given: [:], headers: [])
    for (name, value) in headers where credentials.isPlace(ofHeader: name) {
      guard !secrets.contains(where: { value.contains($0.value) }) else { continue }
      secrets.append(Secret(value, variable: Secret.variable(named: name)))
    }
  }

  package init(target: Upstream) { self.target = target }

  /// The longest answer that is read, in bytes.
  package static let bodyLimit = 16 * 1024 * 1024
}
