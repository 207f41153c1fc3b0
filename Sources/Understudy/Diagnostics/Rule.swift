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

  /// Rules are the same when their ids are.
  public static func == (a: Rule, b: Rule) -> Bool { a.id == b.id }
  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Every rule of every area, in the order of the rules page; each area adds its list here.
  public static let all: [Rule] =
    spec + schema + instance + example + fixture + request + response + provider + state + coverage + config

  /// The rule of an id.
  package static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}
