/// What an answer was made of, and which rule chose it. Its description is for people: `fixture readChat/200.empty (forced)`.
public struct ReplySource: Sendable, Hashable {
  package var content: Content
  package var rule: Rule
  package var fallback: String?
  /// Why the answer ended before its last byte.
  package var breakOff: String?

  /// Whether it is a problem document in place of an answer of the contract.
  package var isProblem: Bool {
    switch content {
    case .problem, .noUpstream, .unread: true
    default: false
    }
  }

  package var isWritten: Bool { if case .written = content { true } else { false } }

  package init(_ content: Content, by rule: Rule = .usual) { (self.content, self.rule) = (content, rule) }

  package enum Content: Sendable, Hashable {
    case fixture(ResponseName), example(ResponseName), sample(ResponseName)
    case contract(ResponseName)
    /// A status line as text, for a status that the contract does not document.
    case plain(Int)
    case items
    case upstream
    /// The receiver of a callback or a webhook, with its name and reason.
    case receiver(String)
    /// A problem document, with more than its title where there is more to say.
    case problem(status: Int, title: String, detail: String?)
    case noUpstream(status: Int, String)
    case written(String)
    case unread(String)
    case about(MockPart)
    case socket(Int)
  }

  package enum MockPart: String, Sendable { case admin, overview, options, preflight }

  /// The rule that chose the answer, in the order in which rules are asked.
  package enum Rule: Sendable, Hashable {
    /// A reply of the lane, or of a test.
    case replied
    case forcedInLane, forced, preferred
    /// The name of the scenario.
    indirect case scenario(String, Place)
    /// The conditions of a fixture.
    case when
    case refusal(Violation)
    /// What a collection did: `created pets/3`.
    case resource(String)
    /// The default of the operation, or the only thing that there is to say.
    case usual

    package var isScenario: Bool { if case .scenario = self { true } else { false } }
    package var isResource: Bool { if case .resource = self { true } else { false } }

    package enum Place: Sendable, Hashable {
      case step(Int, of: Int)
      /// The machine is empty for the only one of a scenario.
      case state(String, machine: String)
    }
  }
}
