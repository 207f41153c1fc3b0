/// How a running server is asked.
package struct LiveSettings: Sendable {
  /// Which kinds of requests are sent.
  package enum Mode: String, CaseIterable, Sendable {
    /// Only requests that keep the contract.
    case positive
    /// Only requests that break it.
    case negative
    case all
  }

  /// The server; its path, if it has one, stands in the place of the contract's base path.
  package var target: Upstream
  /// Whether operations live below the paths of the contract's servers where the target has no path.
  package var usesBasePaths = true
  /// Below which paths the contracts must be compiled.
  package var basePaths: BasePathPolicy {
    target.path.isEmpty && usesBasePaths ? .servers : .fixed(target.path)
  }
  package var mode = Mode.all
  package var seed = "0"
  /// Generated valid requests of each operation, and a quarter of the others.
  package var count = 10
  /// Whether methods other than GET, HEAD, OPTIONS and QUERY may be sent.
  package var allowsUnsafe = false
  /// Operations by id; empty for all.
  package var operations: [String] = []
  package var shard = Shard.whole
  /// Operations that are asked side by side.
  package var workers = 1
  /// The run ends after so many findings that are errors.
  package var maximumFailures: Int?
  /// Sent with every request, over what is generated.
  package var headers: [(name: String, value: String)] = []
  /// By the name of a security scheme: a token, a key, `user:password`.
  package var credentials: [String: String] = [:]
  /// What reproductions show instead of a value: the name of a shell variable.
  package var secrets: [Secret] = []
  package var rules = RuleSettings()

  /// The options that leave something out; `nil` where nothing is.
  package var limits: String? {
    let options = operations.map { "--operation \($0)" } + (mode == .all ? [] : ["--mode \(mode.rawValue)"])
    return options.isEmpty ? nil : options.joined(separator: " ")
  }

  /// Takes the secrets of the run out of what it reports.
  var redaction: Redaction { Redaction(secrets: secrets) }

  /// Hides the values of headers in which these schemes have their credentials.
  package mutating func hideHeaders(of schemes: [SecurityScheme]) {
    let credentials = LiveCredentials(schemes, given: [:], headers: [])
    for (name, value) in headers where credentials.isPlace(ofHeader: name) {
      guard !secrets.contains(where: { value.contains($0.value) }) else { continue }
      secrets.append(Secret(value, variable: Secret.variable(named: name)))
    }
  }

  package init(target: Upstream) { self.target = target }

  /// Answers of which no more than this is read, in bytes.
  package static let bodyLimit = 16 * 1024 * 1024
}
