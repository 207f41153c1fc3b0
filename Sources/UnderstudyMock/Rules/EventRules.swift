extension Rule {
  /// The rules about events of sockets and streams, of clients and in the files of `_events`.
  package static let event: [Rule] = [eventUndeclared, eventArguments, eventSchema]

  package static let eventUndeclared = Rule(
    "event.undeclared", .warning, owner: .client, "An event has a name that the contract does not declare",
    help: """
      `events` of `x-understudy-events` lists the events of clients (`from: client`) and of the server (`from: server`). \
      No client or server listens to an event of another name, and there is no error. A declaration without `events` is not checked.
      """)

  package static let eventArguments = Rule(
    "event.arguments", .error, owner: .client, "An event has more or fewer arguments than the contract declares",
    help: """
      `arguments` of an event lists a schema for each of its arguments. An acknowledgement that the client asks for is no \
      argument.
      """)

  package static let eventSchema = Rule(
    "event.schema", .error, owner: .client, "An argument of an event breaks its schema",
    help: """
      The pointer begins with the position of the argument, from 0: `/arguments/0/createdAt`. A message of a WebSocket is \
      the only argument of its event; a text that its schema refuses is read as JSON. A file of `_events` that breaks the \
      rule on purpose is a `.yaml` file with `violates: [event.schema]`.
      """)
}
