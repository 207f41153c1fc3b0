extension Rule {
  package static let event: [Rule] = [eventUndeclared, eventArguments, eventSchema]

  package static let eventUndeclared = Rule(
    "event.undeclared", .warning, owner: .client, "An event has a name that the contract does not declare",
    help: """
      `events` of `x-understudy-events` lists the events of clients (`from: client`) and of the server (`from: server`), \
      and the operations of an AsyncAPI document do. \
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

  package static let asyncAPI: [Rule] = [asyncAPIInvalid, asyncAPIIgnored]

  package static let asyncAPIInvalid = Rule(
    "asyncapi.invalid", .error, owner: .contract, "An AsyncAPI document has an invalid part",
    help: """
      `shop.asyncapi.yaml` beside the contract `shop.yaml` declares its sockets and streams; it is a document of AsyncAPI \
      3. The part is not used; the rest of the document is.
      """)

  package static let asyncAPIIgnored = Rule(
    "asyncapi.ignored", .warning, owner: .contract, "A part of an AsyncAPI document is not served or not validated",
    help: """
      Channels of WebSockets, Socket.IO and streams over HTTP are served, and payloads are validated by schemas of \
      AsyncAPI, of JSON Schema and of the contract. A warning is about a channel or an event that differs from the document; \
      a note is about a part without an effect, such as `correlationId`.
      """)

  package static let fixtureInvalid = Rule(
    "fixture.invalid", .error, owner: .fixture, "A fixture description has an invalid value",
    help: "The message states what was expected. The fixture is not served until it is fixed.")

  package var isAboutEvents: Bool { Self.event.contains { $0.id == id } }

  /// The rules about WebSockets that a proxy relays.
  package static let socket: [Rule] = [socketHandshake, socketFrame]

  package static let socketHandshake = Rule(
    "socket.handshake", .error, owner: .provider, "A server accepts a WebSocket with a wrong `Sec-WebSocket-Accept`",
    help: """
      A client closes a connection whose `Sec-WebSocket-Accept` is not the hash of its own `Sec-WebSocket-Key` (RFC 6455, \
      4.1 and 4.2.2). The response is relayed as it is.
      """)

  package static let socketFrame = Rule(
    "socket.frame", .error, owner: .provider, "A frame of a WebSocket breaks RFC 6455",
    help: """
      The other side closes the connection because of it (RFC 6455, 7.1.7). The bytes are relayed as they are; after a \
      frame that cannot be read no message of its side is decoded.
      """)
}
