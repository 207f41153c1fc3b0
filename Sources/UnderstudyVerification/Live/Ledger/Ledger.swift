/// The exchanges of a live run in their order. It only grows.
package struct Ledger: Sendable {
  /// The intent of a request.
  package enum Kind: String, CaseIterable, Sendable {
    case example, valid, unusual, invalid, fixture, sequence
    /// A parameter twice.
    case duplicate
    /// A method that the path does not have.
    case method
    /// A request without credentials, or with wrong ones.
    case credentials
    /// An accepted request again, which a server that keeps names apart rejects.
    case repetition
    /// A smaller request with the same finding.
    case reduction
    /// Another request that shows whether a rejection is about data.
    case explanation
    /// A read of what the next request changes.
    case original
    /// A request that writes the old value back.
    case restoration
    /// A known request that shows whether the server still responds.
    case liveness
    /// A known request that shows whether the credentials are still accepted.
    case authorization
    /// A request below another base path.
    case basePath = "base path"
  }

  /// The credentials of a request.
  package enum Credentials: String, Sendable {
    case none, given, invented
  }

  /// A request with its purpose, and its response or the reason for a missing one.
  package struct Entry: Sendable {
    /// The position in the ledger, from 1.
    package let number: Int
    package let kind: Kind
    /// `nil` for a request of no operation.
    package let operation: CompiledOperation?
    /// A description: `` query `limit` breaks `maximum` ``.
    package let label: String
    package let violation: Violation?
    package let credentials: Credentials
    /// The numbers of the exchanges that gave the request its values, or that it varies.
    package let bases: [Int]
    package let exchange: Exchange
  }

  package private(set) var entries: [Entry] = []
  /// The number of requests by kind, with those that were not stored.
  package private(set) var counts: [Kind: Int] = [:]
  /// The number of requests that were not stored, as the ledger was full.
  package private(set) var omitted = 0
  /// The positions of the exchanges of each request of an operation.
  private var positions: [WireRequest: [Int]] = [:]
  private var size = 0
  private let limit: Int

  /// The maximum size of a body, in bytes; a longer body is unknown.
  package static let bodyLimit = 64 << 10
  /// The maximum size of all exchanges together, in bytes.
  package static let sizeLimit = 256 << 20

  /// - Parameter limit: The maximum size of the exchanges, in bytes; 0 counts requests alone.
  init(limit: Int = sizeLimit) { self.limit = limit }

  package var count: Int { counts.values.reduce(0, +) }

  /// The number of requests by kind: `168 requests: 48 valid, 40 unusual, 80 invalid`.
  var remark: String? {
    guard count > 0 else { return nil }
    let kinds = Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
    return "\(count.counted("request")): \(kinds.joined(separator: ", "))"
  }

  /// Adds an exchange.
  mutating func append(_ wire: WireRequest, _ purpose: LedgerPurpose, _ outcome: Exchange.Outcome, startedAt: Int) {
    counts[purpose.kind, default: 0] += 1
    let exchange = Self.bounded(wire, outcome, startedAt: startedAt)
    let weight = Self.weight(of: exchange)
    guard size + weight <= limit else {
      omitted += 1
      return
    }
    size += weight
    let number = count
    let bases = purpose.bases.compactMap { self.number(of: $0) }.unique()
    entries.append(
      Entry(
        number: number, kind: purpose.kind, operation: purpose.operation, label: purpose.label,
        violation: purpose.violation, credentials: purpose.credentials, bases: bases, exchange: exchange))
    if purpose.operation != nil { positions[wire, default: []].append(entries.count - 1) }
  }

  /// The last exchange of a request, one whose response has the id if possible, or a success.
  private func number(of base: Base) -> Int? {
    let found = (positions[base.wire] ?? []).lazy.map { entries[$0] }
    return (found.last { $0.exchange.names(base.id) } ?? found.last { 200...299 ~= $0.exchange.status } ?? found.last)?
      .number
  }

  private static func bounded(_ wire: WireRequest, _ outcome: Exchange.Outcome, startedAt: Int) -> Exchange {
    func bounded(_ body: ExchangeBody) -> ExchangeBody {
      body.bytes.count > bodyLimit ? .unknown("a body of more than \(bodyLimit) bytes") : body
    }
    var exchange = Exchange(wire.request, body: bounded(.bytes(wire.body)), startedAt: startedAt)
    exchange.requestSize = wire.body.count
    exchange.outcome = outcome
    if var response = exchange.response {
      response.decodeBody()
      response.body = bounded(response.body)
      exchange.response = response
    }
    return exchange
  }

  private static func weight(of exchange: Exchange) -> Int {
    let request = WireRequest(exchange.request, body: exchange.requestBody.bytes).weight
    guard let response = exchange.response else { return request }
    return request + response.body.bytes.count
      + response.fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
  }
}

extension Exchange {
  /// Whether the response has an id; false for an empty id.
  fileprivate func names(_ id: String) -> Bool {
    guard !id.isEmpty, let response else { return false }
    return response.body.bytes.firstRange(of: Array(id.utf8)) != nil
      || response.fields.first(named: "location")?.contains(id) == true
  }
}

extension Ledger {
  /// A request on whose exchange another one rests.
  struct Base: Hashable {
    let wire: WireRequest
    /// The id that its response gave; empty for none.
    var id = ""

    init(_ wire: WireRequest) { self.wire = wire }
    init(_ call: LiveCall) { wire = call.wire }
    init(_ reference: CreatedReference) { (wire, id) = (reference.creation.call.wire, reference.id.plainText) }
  }
}

/// The intent of a request that is about to be sent.
struct LedgerPurpose: Sendable {
  var kind: Ledger.Kind
  var operation: CompiledOperation?
  var label = ""
  var violation: Violation?
  var credentials = Ledger.Credentials.none
  /// The requests that gave it values, or that it varies.
  var bases: [Ledger.Base] = []

  /// A known request, sent again to learn about the server.
  init(_ kind: Ledger.Kind, label: String = "") { (self.kind, self.label) = (kind, label) }

  /// - Parameters:
  ///   - kind: The kind of the request; `nil` for the kind that its call has.
  ///   - bases: The requests on which it rests, beside the base of the call.
  init(_ call: LiveCall, of subject: LiveOperation, as kind: Ledger.Kind? = nil, after bases: [Ledger.Base] = []) {
    self.kind = kind ?? call.ledgerKind
    operation = subject.compiled
    label = call.label
    violation = call.violation
    credentials = subject.writer.credentials.origin(of: call.draft.credentials, for: subject.operation)
    self.bases = ([call.base.map { Ledger.Base($0) }].compactMap(\.self) + bases).unique()
  }
}

extension LiveCall {
  fileprivate var ledgerKind: Ledger.Kind {
    if fixture != nil { return .fixture }
    switch purpose {
    case .example: return .example
    case .valid: return phase == .stateful ? .sequence : isRepeated ? .repetition : .valid
    case .answerOnly: return .unusual
    case .invalid(.providerAuthIgnored): return .credentials
    case .invalid: return .invalid
    case .duplicate: return .duplicate
    case .method, .options: return .method
    }
  }
}
