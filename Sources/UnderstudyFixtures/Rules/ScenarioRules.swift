extension Rule {
  package static let scenario: [Rule] = [
    scenarioStateUnknown, scenarioStateUnreachable, scenarioStateNoExit, scenarioVariableUnset, scenarioCheckUnknown,
  ]

  package static let scenarioStateUnknown = Rule(
    "scenario.state.unknown", .error, owner: .fixture, "A machine of a scenario names a state that it does not have",
    help: """
      `start`, `to`, `after`, `from` and `in` name states of the same machine. `understudy scenario show NAME` prints the \
      machine.
      """)

  package static let scenarioStateUnreachable = Rule(
    "scenario.state.unreachable", .warning, owner: .fixture, "Nothing leads to a state of a scenario",
    help: """
      A state is reached as the start of its machine, by a rule with `to`, by `after` of another state, or by `moves` of \
      another instance. A state that nothing leads to tests nothing.
      """)

  package static let scenarioStateNoExit = Rule(
    "scenario.state.no-exit", .warning, owner: .fixture, "Nothing leads out of a state of a scenario",
    help: """
      A client that has come to the state stays there until the lane is reset. Where that is meant, add `final: true` to \
      the state.
      """)

  package static let scenarioVariableUnset = Rule(
    "scenario.variable.unset", .warning, owner: .fixture, "A scenario uses a variable that nothing sets",
    help: """
      A condition on the variable never holds, and `{{var.name}}` gives nothing. Variables are set by a rule with `set`, \
      from the request (`{{request.body.otheruid}}`) or from the answer (`{{response.body.createdAt}}`). `understudy verify` \
      also reports a parameter or a field that no valid request has, and the log a value that is missing in a request or \
      an answer: the variable is unset then.
      """)

  package static let scenarioCheckUnknown = Rule(
    "scenario.check.unknown", .error, owner: .fixture, "A scenario asks for a client check that does not exist",
    help: "`understudy explain check.*` lists the client checks; each names the settings that it takes.")
}
