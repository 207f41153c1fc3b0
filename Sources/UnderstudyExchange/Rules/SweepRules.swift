extension Rule {
  package static let sweep: [Rule] = [
    sweepCrash, sweepHang, sweepRetryStorm, sweepSwallowed, sweepUncaught, sweepUnexpected,
  ]

  package static let sweepCrash = Rule(
    "sweep.crash", .error, owner: .client, "A signal ended the client",
    help: """
      The variant names the response: `required-null /nick` is the default one with `null` in a required member. A client \
      should turn any answer into a value or an error; a forced unwrap or an unchecked index ends the program.
      """)

  package static let sweepHang = Rule(
    "sweep.hang", .error, owner: .client, "The client did not end within the limit",
    help: """
      Either it waits for an answer without a timeout, or it repeats a request without end: what it sent next stands behind \
      the finding. `--limit` sets the longest run.
      """)

  package static let sweepRetryStorm = Rule(
    "sweep.retry-storm", .error, owner: .client, "The client sent the same request again and again",
    help: """
      More than 20 requests that are equal in method, target and body, and more than twice as many as with default responses: a \
      refresh that does not end after a 401, a retry without a limit and a pause. A real server would be called as often by \
      every user at once.
      """)

  package static let sweepUncaught = Rule(
    "sweep.uncaught", .warning, owner: .client, "An exception that nothing in the client caught ended it",
    help: """
      A traceback, an `Uncaught TypeError`, a panic: the client does not tell this answer from a bug of its own. A client \
      should turn any answer into a value or into an error of its own kind.
      """)

  package static let sweepSwallowed = Rule(
    "sweep.swallowed", .warning, owner: .client, "The client succeeded with an answer that it cannot have used",
    help: """
      A page or an empty or truncated body in place of data, or a broken connection: a client that ends with success has \
      ignored an error, and its user sees nothing. An `--expect-file` with `html: passes` accepts it.
      """)

  package static let sweepUnexpected = Rule(
    "sweep.unexpected", .error, owner: .client, "The client did something other than the file of expectations names",
    help: "`understudy sweep --expect-file FILE` names what each variant should do: passes, fails, any or an exit code."
  )
}
