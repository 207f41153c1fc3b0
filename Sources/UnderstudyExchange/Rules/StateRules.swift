extension Rule {
  /// The rules about sequences of requests to a running server.
  package static let state: [Rule] = [stateUseAfterDelete, stateCreateUnavailable, stateLinkUnresolvable]

  package static let stateUseAfterDelete = Rule(
    "state.use-after-delete", .error, owner: .provider, "A resource was deleted and can still be read",
    help: """
      It was created, read, deleted with a 2xx (not 202), and read again with a 2xx. Reported only for servers that refuse to \
      read resources that were never created: others keep no state.
      """)

  package static let stateCreateUnavailable = Rule(
    "state.create-unavailable", .error, owner: .provider, "A resource was created and cannot be read",
    help: """
      A link of the contract, `Location`, or the id in the answer to the POST led to 404 or 410 right after a 2xx. A server that \
      needs time answers 202.
      """)

  package static let stateLinkUnresolvable = Rule(
    "state.link.unresolvable", .warning, owner: .provider,
    "A link of the contract takes a value that the answer does not have",
    help: "The runtime expression has no value in a real answer (OAS 3.1, 4.8.20.4), so no client can follow the link.")
}
