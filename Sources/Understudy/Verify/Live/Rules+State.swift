extension Rule {
  /// What shows only over several requests to a running server.
  package static let state: [Rule] = [stateUseAfterDelete, stateCreateUnavailable, stateLinkUnresolvable]

  package static let stateUseAfterDelete = Rule(
    "state.use-after-delete", .error, owner: .provider, "A resource was deleted and can still be read",
    help: """
      It was created, read, deleted with a 2xx (not 202), and read again with a 2xx. Only told of a server that refuses to read \
      what was never created: one that answers for anything keeps no state, and has nothing to delete.
      """)

  package static let stateCreateUnavailable = Rule(
    "state.create-unavailable", .error, owner: .provider, "A resource was created and cannot be read",
    help: """
      A link of the contract, `Location`, or the id in the answer to the POST led to 404 or 410 right after a 2xx. A server that \
      needs time says 202.
      """)

  package static let stateLinkUnresolvable = Rule(
    "state.link.unresolvable", .warning, owner: .provider,
    "A link of the contract takes a value that the answer does not have",
    help: "The runtime expression gave nothing on a real answer (OAS 3.1, 4.8.20.4), so no client can follow the link.")
}
