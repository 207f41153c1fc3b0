/// A rule with a stable dotted id; each folder declares its rules in `<Area>Rules.swift`.
public struct Rule: Sendable, Hashable, Identifiable {
  /// The stable id: `resp.body.schema`.
  public let id: String
  /// The severity, unless the configuration overrides it.
  public let severity: Severity
  /// The party that fixes a finding.
  public let owner: Owner
  /// The problem that the rule catches, in one line.
  public let summary: String
  /// The reason for the rule and advice, in Markdown, with the section of the specification.
  public let help: String
  /// Contracts with and without the problem; a test runs each of them.
  package let examples: [Example]
  private let makeExchanges: @Sendable () -> [ExchangeExample]
  private let makePairs: @Sendable () -> [PairExample]

  /// - Parameters:
  ///   - exchanges: Made on each use, since a server that starts needs no rule's exchanges.
  ///   - pairs: Made on each use.
  package init(
    _ id: String, _ severity: Severity, owner: Owner, _ summary: String, help: String, examples: [Example] = [],
    exchanges: @autoclosure @escaping @Sendable () -> [ExchangeExample] = [],
    pairs: @autoclosure @escaping @Sendable () -> [PairExample] = []
  ) {
    self.id = id
    self.severity = severity
    self.owner = owner
    self.summary = summary
    self.help = help
    self.examples = examples
    makeExchanges = exchanges
    makePairs = pairs
  }

  /// Requests and responses with and without the problem; a test runs each of them.
  package var exchanges: [ExchangeExample] { makeExchanges() }

  /// Versions of a contract with and without the problem; a test compares each of them.
  package var pairs: [PairExample] { makePairs() }

  /// A contract in YAML with a `↓` directly before each text that a finding must point to; a text without any must
  /// pass.
  package struct Example: Sendable {
    private let make: @Sendable () -> String

    /// - Parameter text: Made on each use.
    package init(_ text: @autoclosure @escaping @Sendable () -> String) { make = text }

    package var text: String { make() }
  }

  /// A request, and possibly its response, for the contract that all examples share.
  package struct ExchangeExample: Sendable, Hashable {
    /// `POST /pets`, header lines, an empty line and a body.
    package let request: String
    /// A status, header lines, an empty line and a body; empty to validate only the request.
    package let response: String
    /// The pointers that the findings must have, in order; empty for a valid exchange.
    package let places: [String]

    package init(_ request: String, _ response: String = "", at places: [String] = []) {
      self.request = request
      self.response = response
      self.places = places
    }
  }

  /// Two versions of a contract in YAML.
  package struct PairExample: Sendable, Hashable {
    package let old: String
    package let new: String
    /// Whether the rule reports the change.
    package let isReported: Bool

    package init(_ old: String, _ new: String, isReported: Bool) {
      self.old = old
      self.new = new
      self.isReported = isReported
    }
  }

  /// Compares the ids.
  public static func == (a: Rule, b: Rule) -> Bool { a.id == b.id }
  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
