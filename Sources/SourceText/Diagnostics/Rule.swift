/// One thing that can be wrong, with a stable dotted id; declared beside its area in `Rules+<Area>.swift`.
public struct Rule: Sendable, Hashable, Identifiable {
  /// The stable id: `resp.body.schema`.
  public let id: String
  /// The severity unless the configuration says otherwise.
  public let severity: Severity
  /// Whose duty it is to mend.
  public let owner: Owner
  /// One line: what the rule catches.
  public let summary: String
  /// Why it matters and what to do, in Markdown, with the section of the specification.
  public let help: String
  /// Texts that the rule does or does not complain about; a test runs every one.
  package let examples: [Example]
  /// The same for rules about requests and answers.
  package let exchanges: [Exchange]

  package init(
    _ id: String, _ severity: Severity, owner: Owner, _ summary: String, help: String, examples: [Example] = [],
    exchanges: [Exchange] = []
  ) {
    self.id = id
    self.severity = severity
    self.owner = owner
    self.summary = summary
    self.help = help
    self.examples = examples
    self.exchanges = exchanges
  }

  /// A contract in YAML; every `↓` stands directly before the text that the finding must point to, and a text without
  /// any must pass.
  package struct Example: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }
  }

  /// A request, perhaps with its response, under the contract that the examples of rules share; a test validates every one.
  package struct Exchange: Sendable, Hashable {
    /// `POST /pets`, header lines, an empty line and a body.
    package let request: String
    /// A status, header lines, an empty line and a body; empty where only the request is validated.
    package let response: String
    /// Where the rule must be reported, in order; empty when the exchange is valid.
    package let places: [String]

    package init(_ request: String, _ response: String = "", at places: [String] = []) {
      self.request = request
      self.response = response
      self.places = places
    }
  }

  /// Rules are the same when their ids are.
  public static func == (a: Rule, b: Rule) -> Bool { a.id == b.id }
  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
