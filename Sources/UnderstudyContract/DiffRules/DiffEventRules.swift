extension Rule {
  private static let ok = #"responses: {"200": {description: OK}}"#
  private static let optional = "requestBody: {content: {application/json: {}}}"
  private static let required = "requestBody: {required: true, content: {application/json: {}}}"

  /// A contract with a webhook.
  private static func webhook(_ operation: String) -> String { "webhooks: {born: {post: {\(operation)}}}\npaths: {}" }

  /// An operation with a callback.
  private static func callback(_ expression: String) -> String {
    "get: {callbacks: {born: {\"\(expression)\": {post: {\(ok)}}}}, \(ok)}"
  }

  package static let webhookRemoved = diff(
    "webhook.removed", .error, "A webhook was removed", help: "The provider no longer sends it.", old: webhook(ok),
    new: "paths: {}", text: contract)
  package static let webhookAdded = diff(
    "webhook.added", .info, "A webhook was added", old: "paths: {}", new: webhook(ok), text: contract)
  package static let callbackRemoved = diff(
    "callback.removed", .error, "A callback was removed", help: "The provider no longer sends it.",
    old: callback("{$request.query.url}"), new: "get: {\(ok)}")
  package static let callbackAdded = diff(
    "callback.added", .info, "A callback was added", old: "get: {\(ok)}", new: callback("{$request.query.url}"))
  package static let callbackURL = diff(
    "callback.url", .error, "A callback is sent to another address", old: callback("{$request.query.url}"),
    new: callback("{$request.query.address}"),
    quiet: (callback("{$request.query.url}"), callback("{$request.query.url}")))
  package static let callBodyOptional = diff(
    "call.body-optional", .error, "A webhook or a callback may now have no body",
    help: "Clients read the body that the provider sends.", old: webhook("\(required), \(ok)"),
    new: webhook("\(optional), \(ok)"), text: contract)
  package static let callResponseRemoved = diff(
    "call.response-removed", .error, "A response to a webhook or a callback is no longer accepted",
    help: "Clients write the responses, which are judged like requests.",
    old: webhook("responses: {\"200\": {description: OK}, \"202\": {description: Later}}"), new: webhook(ok),
    text: contract)

  static let diffCalls: [Rule] = [
    webhookRemoved, webhookAdded, callbackRemoved, callbackAdded, callbackURL, callBodyOptional, callResponseRemoved,
  ]

  // MARK: - Messages

  /// A contract with a WebSocket that has these events.
  private static func socket(_ events: String, path: String = "/chat") -> String {
    "paths: {}\nx-understudy-events: {transport: websocket, path: \(path), events: {\(events)}}"
  }

  /// An AsyncAPI document with one channel, whose server receives a message.
  private static func document(
    _ message: String, address: String = "chat",
    reply: String = "reply: {messages: [{$ref: \"#/channels/main/messages/done\"}]}"
  ) -> String {
    """
    asyncapi: 3.0.0
    info: {title: Chat, version: "1"}
    channels:
      main: {address: "\(address)", messages: {say: {\(message)}, done: {payload: {type: boolean}}}}
    operations:
      onSay:
        action: receive
        channel: {$ref: "#/channels/main"}
        messages: [{$ref: "#/channels/main/messages/say"}]
        \(reply)
    """
  }

  private static let chat = "chat: {from: server, arguments: [{type: string}]}"
  private static let typing = "typing: {from: server, arguments: []}"
  private static let say = "payload: {type: string}"

  package static let channelRemoved = diff(
    "channel.removed", .error, "A channel, a socket or a stream was removed", old: socket(chat), new: "paths: {}",
    text: contract)
  package static let channelAdded = diff(
    "channel.added", .info, "A channel, a socket or a stream was added", old: "paths: {}", new: socket(chat),
    text: contract)
  package static let channelAddress = diff(
    "channel.address", .error, "A channel has another address", old: document(say),
    new: document(say, address: "talk"),
    quiet: (document(say, address: "chat/{room}"), document(say, address: "chat/{id}")),
    text: { $0 })
  package static let messageRemoved = diff(
    "message.removed", .error, "A message is no longer sent, or no longer accepted", old: socket("\(chat), \(typing)"),
    new: socket(chat), text: contract)
  package static let messageAdded = diff(
    "message.added", .warning, "A message is now sent",
    help: "A client that knows only the old messages may not handle it. A message that clients may send is a note.",
    old: socket(chat), new: socket("\(chat), \(typing)"), text: contract)
  package static let messageArguments = diff(
    "message.arguments", .error, "A message has another number of arguments", old: socket(chat),
    new: socket("chat: {from: server, arguments: [{type: string}, {type: integer}]}"),
    quiet: (socket(chat), socket("chat: {from: server, arguments: [{type: string, description: Text}]}")),
    text: contract)
  package static let messageContentType = diff(
    "message.content-type", .error, "A message has another media type",
    old: document("\(say), contentType: application/json"), new: document("\(say), contentType: text/plain"),
    quiet: (document(say), document("description: Words, \(say)")), text: { $0 })
  package static let messageReplyRemoved = diff(
    "message.reply-removed", .error, "A message no longer has a reply", old: document(say),
    new: document(say, reply: "description: Silent"), text: { $0 })

  private static func ws(_ server: String, _ bindings: String = "{}") -> String {
    """
    asyncapi: 3.0.0
    info: {title: Chat, version: "1"}
    servers: {main: {host: example.com, \(server)}}
    channels: {main: {address: chat, bindings: \(bindings), messages: {say: {payload: {type: string}}}}}
    """
  }

  package static let channelServerRemoved = diff(
    "channel.server-removed", .warning, "A channel is on no server of before, by protocol and path",
    help: "Hosts and encryption differ between environments, and are not compared.",
    old: ws("protocol: ws, pathname: /v1"), new: ws("protocol: mqtt, pathname: /v1"),
    quiet: (ws("protocol: ws, pathname: /v1"), ws("protocol: wss, pathname: /v1/")), text: { $0 })
  package static let channelBinding = diff(
    "channel.binding", .warning, "A binding of a channel, an operation or a message changed",
    help: "Schemas in bindings are compared like others. Whether a client needs another value depends on the protocol.",
    old: ws("protocol: amqp", "{amqp: {is: queue, queue: {durable: true}}}"),
    new: ws("protocol: amqp", "{amqp: {is: queue, queue: {durable: false}}}"),
    quiet: (
      ws("protocol: amqp", "{amqp: {is: queue, bindingVersion: 0.2.0}}"),
      ws("protocol: amqp", "{amqp: {is: queue, bindingVersion: 0.3.0}}")
    ), text: { $0 })

  static let diffEvents: [Rule] = [
    channelRemoved, channelAdded, channelAddress, channelServerRemoved, channelBinding, messageRemoved, messageAdded,
    messageArguments, messageContentType, messageReplyRemoved,
  ]
}
