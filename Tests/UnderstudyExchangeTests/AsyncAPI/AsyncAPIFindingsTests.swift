import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Findings about the AsyncAPI document beside a contract.
extension AsyncAPIReaderTests {
  @Test(arguments: [
    ("asyncapi: 2.6.0\n", "1:11: error: the version `2.6.0` is not read: expected `asyncapi: 3.0.0`, or a later 3.x"),
    ("openapi: 3.1.0\n", "1:1: error: this is not an AsyncAPI document: expected `asyncapi: 3.0.0`"),
    ("asyncapi: [3]\n", "1:11: error: the version `array` is not read: expected `asyncapi: 3.0.0`, or a later 3.x"),
    ("- a\n", "1:1: error: this is not an AsyncAPI document: expected `asyncapi: 3.0.0`"),
    ("asyncapi: 3.0.0\nchannels: 7\n", "2:11: error: `channels` must be an object, found number"),
    ("asyncapi: 3.1.0\nchanels: {}\n", "2:1: error: unknown key `chanels`"),
    (
      "asyncapi: 3.0.0\nservers: {a: {protocol: ws}}\nchannels: {a: {address: /a, mesages: {}}}\n",
      "3:29: error: unknown key `mesages`"
    ),
    (
      "asyncapi: 3.0.0\nservers: {a: {protocol: ws}}\nchannels: {a: {address: 7}}\n",
      "3:25: error: `address` must be a string, found number"
    ),
    (
      "asyncapi: 3.0.0\noperations: {a: {action: send, channel: {$ref: '#/channels/a'}}}\n",
      "2:48: error: the reference `#/channels/a` leads nowhere: the document has no `channels`"
    ),
    (
      "asyncapi: 3.0.0\noperations: {a: {action: send}}\n",
      "2:17: error: the operation `a` requires `channel`"
    ),
    (
      "asyncapi: 3.0.0\nservers: {a: {protocol: ws}}\nchannels: {a: {address: /a}}\n"
        + "operations: {a: {action: publish, channel: {$ref: '#/channels/a'}}}\n",
      "4:26: error: the operation `a` requires `action: send` or `action: receive`"
    ),
    (
      "asyncapi: 3.0.0\nservers: {a: {protocol: ws}}\nchannels: {a: {address: /a, messages: {b: {payload: "
        + "{$ref: '#/components/schemas/No'}}}}}\noperations: {a: {action: send, channel: {$ref: '#/channels/a'}}}\n",
      "3:60: error: the reference `#/components/schemas/No` leads nowhere: the document has no `components`"
    ),
    (
      "asyncapi: 3.0.0\nservers: {a: {protocol: ws}}\nchannels: {a: {address: /a, messages: {b: {payload: "
        + "{type: strin}}}}}\noperations: {a: {action: send, channel: {$ref: '#/channels/a'}}}\n",
      "3:60: warning: `type` expects one of string, integer, number, boolean, object, array or null, found string \"strin\""
    ),
    (
      "asyncapi: 3.0.0\nx-understudy-role: both\n", "2:20: error: expected `server` or `client` for `x-understudy-role`"
    ),
    ("asyncapi: 3.0.0\nchannels: {a: [\n", "3:1: error: "),
  ])
  func `a mistake has its place in the document`(document: String, finding: String) throws {
    let (_, found) = try read(document)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("api.asyncapi.yaml:\(finding)") == true, "\(found)")
  }

  @Test func `what is not served or not validated is named at its place`() throws {
    let (contract, found) = try read(
      Self.head + """
        servers:
          live: {host: localhost, protocol: ws, security: [{type: http}], bindings: {ws: {}}}
          broker: {host: localhost, protocol: kafka}
          web: {host: localhost, protocol: http}
          io: {host: localhost, protocol: Socket.IO}
        channels:
          topic: {address: topic, servers: [{$ref: "#/servers/broker"}], messages: {a: {correlationId: {}}}}
          requests: {address: /orders, servers: [{$ref: "#/servers/web"}]}
          nowhere: {address: /nowhere, servers: [{$ref: "#/servers/web"}], bindings: {http: {method: POST}}}
          unknown: {servers: [{$ref: "#/servers/live"}]}
          live:
            address: /live/{room}?token=x
            servers: [{$ref: "#/servers/live"}]
            parameters: {room: {enum: [a, b]}}
            bindings: {ws: {query: {type: object}, bindingVersion: 0.1.0}, kafka: {}}
            messages:
              avro: {payload: {schemaFormat: application/vnd.apache.avro;version=1.9.0, schema: {}}}
              inline: {payload: {schemaFormat: application/vnd.oai.openapi;version=3.0.0, schema: {nullable: true}}}
              binary: {contentType: application/octet-stream, payload: {type: string}}
              headed: {headers: {type: object}, correlationId: {location: $message.header#/id}, traits: [{bindings: {amqp: {}}}]}
              unsaid: {payload: {type: string}}
          room:
            address: room
            servers: [{$ref: "#/servers/io"}]
            messages: {any: {payload: {type: array, items: [{}], additionalItems: {}}}, acked: {}}
          spaces: {address: "/spaces/{id}", servers: [{$ref: "#/servers/io"}]}
        operations:
          receiveTopic: {action: receive, channel: {$ref: "#/channels/topic"}, security: []}
          sendLive:
            action: send
            channel: {$ref: "#/channels/live"}
            security: [{type: http}]
            bindings: {mqtt: {}}
            messages:
              - {$ref: "#/channels/live/messages/avro"}
              - {$ref: "#/channels/live/messages/inline"}
              - {$ref: "#/channels/live/messages/binary"}
          receiveLive:
            action: receive
            channel: {$ref: "#/channels/live"}
            messages: [{$ref: "#/channels/live/messages/headed"}]
          sendRoom:
            action: send
            channel: {$ref: "#/channels/room"}
            messages: [{$ref: "#/channels/room/messages/any"}]
            reply: {address: {location: $message.header#/to}, messages: [{$ref: "#/channels/room/messages/acked"}]}

        """)
    #expect(found.joined(separator: "\n") + "\n" == Self.ignored)
    #expect(
      events(contract) == [
        "websocket /live/{room} avro sent", "websocket /live/{room} inline sent", "websocket /live/{room} binary sent",
        "websocket /live/{room} message recv", "websocket /live/{room} unsaid sent", "socketio /socket.io/ room sent",
      ])
  }

  private static let ignored = """
    api.asyncapi.yaml:4:41: info: `security` of a server is not checked
      help: a rule `on: connect` refuses clients
    api.asyncapi.yaml:4:78: info: the binding `ws` of a server is not used
    api.asyncapi.yaml:5:39: warning: the protocol `kafka` is not served
      help: known: ws, wss, socketio, sse, http, https
    api.asyncapi.yaml:9:3: warning: the channel `topic` is not served: the protocol is `kafka`
      help: known: ws, wss, socketio, sse, http, https; or add `x-understudy-events: {transport: websocket}` to the channel
    api.asyncapi.yaml:10:3: warning: the channel `requests` is not served: no success of the operation `listOrders` is a stream
      help: add `text/event-stream` to it, or a `ws` binding to the channel
    api.asyncapi.yaml:11:3: warning: the channel `nowhere` is not served: the contract has no operation `POST /nowhere`
      help: a stream is the response of an operation of the contract; a WebSocket needs a `ws` binding
    api.asyncapi.yaml:12:3: warning: the channel `unknown` is not served: it has no address
      help: add the path of the WebSocket as `address`
    api.asyncapi.yaml:14:14: info: the query of an address is not checked
    api.asyncapi.yaml:17:21: info: `query` of the binding `ws` is not checked
    api.asyncapi.yaml:17:68: info: the binding `kafka` of a channel is not used
    api.asyncapi.yaml:16:25: info: `enum` of a parameter is not checked
    api.asyncapi.yaml:22:16: info: `headers` of a message is not used
    api.asyncapi.yaml:22:41: info: `correlationId` of a message is not used
    api.asyncapi.yaml:22:110: info: the binding `amqp` of a message is not used
    api.asyncapi.yaml:35:16: info: the binding `mqtt` of an operation is not used
    api.asyncapi.yaml:34:5: info: `security` of an operation is not checked
      help: a rule `on: connect` refuses clients
    api.asyncapi.yaml:48:13: info: `address` of a reply is not used
    api.asyncapi.yaml:23:15: warning: no operation says who sends the message `unsaid`: it may come from both sides
      help: add an operation with `action: send` for a message of the server
    api.asyncapi.yaml:14:5: info: no member names the event of each message: those of clients are all called `message`
      help: `x-understudy-events: {eventKey: type}` in the channel names a member
    api.asyncapi.yaml:19:38: warning: a payload of the format `application/vnd.apache.avro;version=1.9.0` is not validated
      help: known: application/vnd.aai.asyncapi, application/schema+json;version=draft-07
    api.asyncapi.yaml:20:40: warning: a payload of the format `application/vnd.oai.openapi;version=3.0.0` is not validated
      help: refer to it in a document that declares its dialect
    api.asyncapi.yaml:21:29: warning: messages of `application/octet-stream` are not validated
    api.asyncapi.yaml:27:75: warning: an event of any number of arguments is not validated
    api.asyncapi.yaml:48:12: info: the acknowledgements of clients are not validated
    api.asyncapi.yaml:28:21: warning: the namespace `/spaces/{id}` is not served: it has parameters

    """
}
