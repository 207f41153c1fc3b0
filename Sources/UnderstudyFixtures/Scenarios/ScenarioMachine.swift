/// A state machine of a scenario: what operations answer in a state, and what moves it to another.
package struct ScenarioMachine: Sendable {
  /// Empty for the only machine of a scenario.
  package var name: String
  /// What requests of one instance have in common; `nil` for a machine that all requests share.
  package var owner: Owner?
  package var start = ""
  /// In the order of the file.
  package var states: [State] = []
  /// The rules of every state, which come after its own; by operation id.
  package var rules: [String: [Rule]] = [:]

  /// The part of a request that distinguishes the instances of a machine, such as the header with the token.
  package struct Owner: Sendable {
    package var part: RequestPart
    package var name: String
    /// The claim of a JSON Web Token that is taken in place of the token.
    package var claim: String?
    package var location: Location?
  }

  package struct State: Sendable {
    package var name: String
    package var summary: String?
    /// By operation id.
    package var rules: [String: [Rule]] = [:]
    package var timer: Timer?
    /// The operations that the client must not call.
    package var never: [String] = []
    /// The operations of which the client must call one before the lane is closed.
    package var expects: [String] = []
    /// Whether nothing leads out of it, on purpose.
    package var isFinal = false
    package var location: Location?
  }

  /// Moves the machine some time after it has come to a state.
  package struct Timer: Sendable {
    package var after: Duration
    package var next: String
    /// The messages that it sends to the app of its instance.
    package var pushes: [PushMessage] = []
    package var location: Location?
  }

  /// The first rule of an operation whose conditions hold applies.
  package struct Rule: Sendable {
    package var when: RequestMatcher?
    /// Of the conditions of `when`.
    package var whenLocations: [Location] = []
    /// Of the answer; without it a rule without an answer of its own applies to the success of the operation.
    package var status: Response.Status?
    package var conditions: [VariableCondition] = []
    package var other: OtherCondition?
    /// For the answer; an instance is in the first list that it fits.
    package var others: [OtherList] = []
    package var answer: Forcing?
    package var next: String?
    package var changes: [VariableChange] = []
    package var moves: [Move] = []
    package var pushes: [Push] = []
    package var sends: [Send] = []
    package var advance = Duration.zero
    /// Of `next`.
    package var location: Location?
    package var templates: [PlacedTemplate] = []
  }

  /// A template with its place in the file.
  package struct PlacedTemplate: Sendable {
    package var template: FixtureTemplate
    package var location: Location
  }

  package struct Move: Sendable {
    package var who: FixtureTemplate
    /// The states in which it applies; empty for all.
    package var from: [Reference] = []
    package var next: Reference?
    package var changes: [VariableChange] = []
  }

  /// A callback or a webhook of the contract, which is sent after the response.
  package struct Send: Sendable {
    package var name: String
    /// The URL; `nil` for the URL of the callback.
    package var to: FixtureTemplate?
  }

  /// A push message to the app of an instance.
  package struct Push: Sendable {
    package var message: PushMessage
    /// The user that the message is for; `nil` for a scenario with one user.
    package var recipient: FixtureTemplate?
  }

  /// What another instance must be like.
  package struct OtherCondition: Sendable {
    package var who: FixtureTemplate
    /// Empty for all.
    package var states: [Reference] = []
    package var conditions: [VariableCondition] = []
  }

  /// The other instances that are in some state and have some variables, as `{{#others.name}}` shows them.
  package struct OtherList: Sendable {
    package var name: String
    /// Empty for all.
    package var states: [Reference] = []
    package var conditions: [VariableCondition] = []
  }

  /// A state that is named elsewhere.
  package struct Reference: Sendable {
    package var name: String
    package var location: Location?
  }

  package struct VariableCondition: Sendable {
    package var name: String
    package var test: Test
    package var location: Location?

    package enum Test: Sendable {
      case fixed(RequestMatcher.Test)
      /// Equal to what a template gives.
      case template(FixtureTemplate)
    }
  }

  package struct VariableChange: Sendable {
    package var name: String
    package var value: FixtureTemplate
    package var location: Location
  }

  package func state(_ name: String) -> State? { states.first { $0.name.utf8Equals(name) } }

  /// All rules with the states that they belong to, by operation; those of every state belong to none.
  package var allRules: [(state: State?, operation: String, rule: Rule)] {
    (states.map { ($0, $0.rules) } + [(nil, rules)]).flatMap { state, rules in
      rules.sorted { $0.key < $1.key }.flatMap { operation, rules in rules.map { (state, operation, $0) } }
    }
  }

  package func names(_ operation: String) -> Bool {
    rules[operation] != nil
      || states.contains { state in
        state.rules[operation] != nil || state.never.contains { $0.utf8Equals(operation) }
      }
  }

  /// For messages: `state waiting`, `state waiting of user`.
  package func label(of state: String) -> String { "\(ReplySource.Rule.Place.state(state, machine: name))" }
}
