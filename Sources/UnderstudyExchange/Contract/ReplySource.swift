/// What an answer was made of, and which rule chose it. Its description is for people: `fixture readChat/200.empty (forced)`.
public struct ReplySource: Sendable, Hashable {
  package var content: Content
  package var rule: Rule
  /// Why the mock answered in place of the upstream.
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

  /// Whether a test or a sweep wrote the response.
  package var isWritten: Bool { if case .written = content { true } else { false } }

  package init(_ content: Content, by rule: Rule = .usual) {
    self.content = content
    self.rule = rule
  }

  /// What the response was made of.
  package enum Content: Sendable, Hashable {
    case fixture(ResponseName), example(ResponseName), sample(ResponseName)
    /// A documented response without a body.
    case contract(ResponseName)
    /// A status line as text, for a status that the contract does not document.
    case plain(Int)
    /// The items of a collection.
    case items
    case upstream
    /// A problem document, with more than its title where there is more to say.
    case problem(status: Int, title: String, detail: String?)
    /// A problem document in place of an answer of the upstream.
    case noUpstream(status: Int, String)
    /// A response that a test or a sweep wrote, as it describes it.
    case written(String)
    /// The server could not read the request.
    case unread(String)
    case about(MockPart)
    /// A socket, by its number.
    case socket(Int)
  }

  /// A part of the mock that answers requests about itself.
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

    /// Where a scenario stands.
    package enum Place: Sendable, Hashable {
      case step(Int, of: Int)
      /// The machine is empty for the only one of a scenario.
      case state(String, machine: String)
    }
  }
}
