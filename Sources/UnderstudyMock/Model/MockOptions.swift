package import UnderstudySockets

extension Mock {
  /// How a mock answers.
  public struct Options: Sendable {
    /// The answer to a request that breaks its contract.
    public var onInvalid: InvalidPolicy = .contract
    /// The cells that answer every request of an operation.
    package var forced: [ForcingRule] = []
    /// Delays and faults of operations, cells or everything, whichever answer is chosen.
    package var faults: [FaultRule] = []
    package var socketFaults: [SocketFault] = []
    /// Prefer samples to fixtures and examples.
    public var isDynamic = false
    /// The seed of samples; the same seed gives the same bytes.
    public var seed = "0"
    /// The name of a scenario of the fixtures; an unknown one is reported in the mock's `diagnostics`.
    public var scenario: String?
    /// The client checks of every lane, besides those of its scenario.
    package var checks: [ClientCheckSettings] = []
    /// The findings about faults, delays and checks that cannot be read.
    package private(set) var problems: [Diagnostic] = []
    /// How fast the pauses of sockets and of recorded streams pass.
    package var speed = PlaybackSpeed.usual
    /// Whether the operations on collections remember what they were sent.
    public var isStateful = false
    /// Microseconds since 1970: the time of templates and scenarios.
    package var now: @Sendable () -> Int = { Timestamp.microseconds() }
    /// The time of templates, scenarios, outages and client checks; by default that of this machine.
    public var clock: @Sendable () -> Instant {
      get { { [now] in Instant(microsecondsSince1970: now()) } }
      set { now = { newValue().microsecondsSince1970 } }
    }
    package var allowsCrossOrigin = true
    package var rules = RuleSettings()
    /// Validates bearer and ID tokens; without it only their presence and shape are checked.
    package var tokens: TokenCheck?
    /// Whether requests show the certificates of their clients, in `Client-Cert` (RFC 9440).
    package var showsCertificates = false
    /// The server that answers in place of fixtures, examples and samples; its answers are validated too.
    package var upstream: Upstream?
    package var fallback: Fallback = .none
    /// Whether the callbacks of the contract are sent after the responses of their operations.
    package var sendsCallbacks = false
    /// The hosts besides this machine that callbacks and webhooks may be sent to, in lower case.
    package var callbackHosts: Set<String> = []
    /// Whether long answers of the upstream are copied while they are sent on, for a recording of fixtures.
    package var copiesAnswers = false
    /// The routes that clients add while the mock serves.
    package var addedRoutes = AddedRoutes()
    /// Whether the mock shares no bytes of fixtures with another mock of the same contracts.
    var copiesBodies = false
    /// Whether the upstream responds to every request that nothing else decides.
    package var forwardsAll: Bool { upstream != nil && fallback != .upstream }
    /// The path of the console, for the page at `/`; `nil` without one.
    package var consolePath: String?

    /// The options of `understudy serve` without arguments.
    public init() {}

    /// Answers every request to an operation with one cell.
    ///
    /// - Parameters:
    ///   - operation: The id of an operation; `*` for all that have the cell; with a 5xx, for all.
    ///   - cell: A status, a meaning or a variant: `500`, `penaltyFirst`, `200.empty`. An unknown cell is reported in the
    ///     mock's `diagnostics`.
    public mutating func force(_ operation: String, _ cell: String) {
      if let rule = ForcingRule("\(operation)=\(cell)") { forced.append(rule) }
    }

    /// Breaks the responses of an operation as `serve --fault` does: `options.fault("readChat", "reset:body@20%")`.
    ///
    /// - Parameters:
    ///   - operation: The id of an operation, perhaps with a cell, as in `readChat/401`; `*` for all operations.
    ///   - text: A later fault takes precedence over those that it excludes. One that cannot be read, and an unknown
    ///     operation, are reported in the mock's `diagnostics`.
    public mutating func fault(_ operation: String, _ text: String) {
      do throws(TextProblem) {
        guard let fault = try SocketFault.read("\(operation)=\(text)") else {
          return add(operation, text, FaultRule.fault)
        }
        socketFaults.add(fault)
      } catch {
        problems.append(Diagnostic(.configInvalid, error.message, help: error.help))
      }
    }

    /// Delays the responses of an operation as `serve --delay` does: `options.delay("readChat", by: "100ms..2s")`.
    ///
    /// - Parameters:
    ///   - operation: As for a fault.
    ///   - text: A time, a range or a distribution, at most an hour. One that cannot be read is reported in the mock's
    ///     `diagnostics`.
    public mutating func delay(_ operation: String, by text: String) { add(operation, text, FaultRule.delay) }

    private mutating func add(
      _ operation: String, _ text: String, _ read: (String) throws(TextProblem) -> FaultRule
    ) {
      do throws(TextProblem) {
        faults.append(try read("\(operation)=\(text)"))
      } catch {
        problems.append(Diagnostic(.configInvalid, error.message, help: error.help))
      }
    }

    /// Switches client checks on in every lane: `"retry-after-401"`, `"retry-storm=3"`, `"poll-interval:readQueueState=5s"`,
    /// `"kept-fields: {fields: [name]}"`.
    ///
    /// A check that cannot be read, or of an unknown operation, is reported in the mock's `diagnostics`.
    public mutating func expect(checks: String...) {
      for argument in checks {
        do throws(UsageProblem) {
          self.checks.append(try ClientCheckSettings(argument: argument))
        } catch {
          problems.append(Diagnostic(.configInvalid, error.message, help: error.help))
        }
      }
    }
  }

  /// The second source of responses, where there is an upstream.
  package enum Fallback: String, CaseIterable, Sendable {
    case none
    /// The mock responds where the upstream gives no response, or 501.
    case mock
    /// The mock comes first; the upstream gets the requests that no contract has an operation for.
    case upstream
  }

  /// The answer to a request that breaks its contract.
  public enum InvalidPolicy: String, CaseIterable, Sendable {
    /// The contract's own answer.
    case contract
    case problem
    /// The answer to a valid request; the findings are recorded.
    case warn
  }
}
