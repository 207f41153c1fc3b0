extension Rule {
  /// Rules about requests that a mock sends: callbacks and webhooks of the contract.
  package static let callback: [Rule] = [callbackRedirect, callbackTarget, callbackUnanswered]

  package static let callbackRedirect = Rule(
    "callback.redirect", .error, owner: .client, "The receiver of a callback redirects it",
    help: """
      A mock follows no redirect: it could lead to another machine. Give the address of the receiver itself, or let it \
      respond with a status that the contract documents.
      """)

  package static let callbackTarget = Rule(
    "callback.target", .error, owner: .client, "The URL of a callback is not on this machine",
    help: """
      The URL comes from the request, so that a client could make the mock send requests to any machine. A mock sends \
      callbacks and webhooks to localhost, 127.0.0.1 and [::1], and to the hosts of `--allow-callbacks`. Names are not \
      resolved, and other spellings of an address are not accepted.
      """)

  package static let callbackUnanswered = Rule(
    "callback.unanswered", .error, owner: .client, "The receiver of a callback gave no response",
    help: """
      Nothing listens at the URL, or the response did not end in time. The mock sends the request again after growing \
      pauses, four times in all; the journal has each attempt, and only the last one is an error.
      """)
}
