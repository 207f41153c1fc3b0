import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// The AsyncAPI document beside a contract.
struct AsyncAPIReaderTests {
  private static let contract = """
    openapi: 3.0.3
    info: {title: Shop, version: "1"}
    servers: [{url: /v1}]
    paths:
      /orders/{id}/events:
        get:
          operationId: watchOrder
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: Events, content: {text/event-stream: {schema: {type: string}}}}}
      /orders:
        get: {operationId: listOrders, responses: {"200": {description: d}}}
    components:
      schemas:
        Order: {type: object, required: [id], properties: {id: {type: string, nullable: true}}}

    """

  private static let head = """
    asyncapi: 3.0.0
    info: {title: Shop, version: "1"}

    """

  private func read(_ document: String, events: [String: String] = [:]) throws -> (contract: Contract, found: [String])
  {
    let fixture = ContractFixture(
      Self.contract,
      files: ["api.asyncapi.yaml": document].merging(events.map { ("fixtures/api/_events/\($0)", $1) }) { $1 })
    let contract = try fixture.contract()
    let found = contract.diagnostics.map { finding in
      let place = finding.location
      let file = place?.path?.split(separator: "/").last ?? ""
      return "\(file):\(place?.line ?? 0):\(place?.column ?? 0): \(finding.severity.rawValue): \(finding.message)"
        + (finding.help.map { "\n  help: \($0)" } ?? "")
    }
    return (contract, found)
  }

  private func events(_ contract: Contract) -> [String] {
    contract.eventCells.map { "\($0.transport) \($0.path) \($0.event) \($0.status)" }
  }

  /// What an event of a client or a file of the server breaks.
  private func broken(
    _ contract: Contract, _ name: String, _ arguments: String, of description: Int = 0, isFromClient: Bool = true
  ) throws -> [String] {
    let values = try JSONParser.parse(Array(arguments.utf8)).root.array ?? []
    let result = contract.sockets.validators[description].validate(
      name, values, isFromClient: isFromClient, within: .unlimited)
    return result.findings.map(\.placedMessage)
  }

  @Test func `channels of Socket.IO are namespaces of one socket, and replies are acknowledgements`() throws {
    let (contract, found) = try read(
      Self.head + """
        servers: {chat: {host: localhost, protocol: socket.io, pathname: /io}}
        channels:
          root:
            address: /
            messages:
              joinRoom: {name: join, payload: {type: array, items: [{type: string}, {type: integer}], additionalItems: false}}
              joined: {payload: {type: object, required: [ok], properties: {ok: {type: boolean}}}}
              order: {payload: {$ref: "api.yaml#/components/schemas/Order"}, examples: [{payload: {id: "7"}}]}
          admin: {address: /admin, messages: {kick: {payload: true}}}
        operations:
          onJoin:
            action: receive
            channel: {$ref: "#/channels/root"}
            messages: [{$ref: "#/channels/root/messages/joinRoom"}]
            reply: {messages: [{$ref: "#/channels/root/messages/joined"}]}
          sendOrder: {action: send, channel: {$ref: "#/channels/root"}, messages: [{$ref: "#/channels/root/messages/order"}]}
          sendKick: {action: send, channel: {$ref: "#/channels/admin"}}

        """)
    #expect(found == [])
    #expect(events(contract) == ["socketio /io join recv", "socketio /io order sent", "socketio /io kick sent"])
    #expect(contract.sockets.descriptions.map(\.namespaces) == [["/", "/admin"]])
    #expect(try broken(contract, "join", #"["a", 7]"#) == [])
    #expect(try broken(contract, "join", #"["a"]"#) == ["`join` has 1 argument, expected 2"])
    // A schema of the contract has the dialect of the contract, which knows `nullable`.
    #expect(try broken(contract, "order", #"[{"id": null}]"#, isFromClient: false) == [])
    #expect(try broken(contract, "order", "[{}]", isFromClient: false).count == 1)
    let rule = try #require(contract.sockets.descriptions[0].rules.first)
    #expect(rule.trigger == .event("join"))
    guard case .acknowledge(.arguments(let value))? = rule.actions.first else { throw ContractUnusable([]) }
    #expect(JSONWriter.text(value) == #"[{"ok":true}]"#)
  }

  @Test func `the messages of a WebSocket have the name that a member of each has`() throws {
    let (contract, found) = try read(
      Self.head + """
        servers: {live: {host: localhost, protocol: wss, pathname: /live}, local: {host: localhost, protocol: ws, pathname: /live}}
        channels:
          prices:
            address: /prices/{symbol}
            parameters: {symbol: {description: A symbol}}
            messages:
              subscribe: {payload: {properties: {op: {const: subscribe}, v: {const: "1"}}, required: [op]}}
              ask: {payload: {properties: {op: {const: ask}, v: {const: "1"}, n: {type: integer}}}}
              price: {payload: {$ref: "#/components/schemas/Price"}}
              gone: {payload: {properties: {op: {enum: [price]}, v: {const: "1"}, text: {type: string}}, required: [text]}}
        operations:
          onAsk:
            action: receive
            channel: {$ref: "#/channels/prices"}
            messages: [{$ref: "#/channels/prices/messages/subscribe"}, {$ref: "#/channels/prices/messages/ask"}]
            reply: {channel: {$ref: "#/channels/prices"}, messages: [{$ref: "#/channels/prices/messages/price"}]}
          sendPrice:
            action: send
            channel: {$ref: "#/channels/prices"}
            messages: [{$ref: "#/channels/prices/messages/price"}, {$ref: "#/channels/prices/messages/gone"}]
        components:
          schemas:
            Price:
              allOf: [{properties: {op: {const: price}, v: {const: "1"}}}, {required: [n], properties: {n: {type: integer}}}]

        """)
    #expect(found == [])
    #expect(
      events(contract) == [
        "websocket /live/prices/{symbol} subscribe recv", "websocket /live/prices/{symbol} ask recv",
        "websocket /live/prices/{symbol} price sent",
      ])
    let socket = try #require(contract.sockets.descriptions.first)
    #expect(socket.eventKey == "op")
    #expect(socket.parameters(of: "/live/prices/abc/")?.map(\.value) == ["abc"])
    #expect(!socket.answers("/live/prices/") && !socket.answers("/live/prices/a/b") && !socket.answers("/live/b/a"))
    // Of two messages with one name, an event keeps one.
    #expect(try broken(contract, "price", #"[{"op": "price", "v": "1", "n": 1}]"#, isFromClient: false) == [])
    #expect(try broken(contract, "price", #"[{"op": "price", "v": "1", "text": "x"}]"#, isFromClient: false) == [])
    #expect(try broken(contract, "price", #"[{"op": "price", "v": "1"}]"#, isFromClient: false).count == 1)
    #expect(socket.rules.map(\.trigger) == [.event("subscribe"), .event("ask")])
  }

  @Test func `a stream is the response of the operation at its address, and sends each message once`() throws {
    let (contract, found) = try read(
      Self.head + """
        servers: {web: {host: localhost, protocol: https, pathname: /v1}}
        channels:
          orders:
            address: /orders/{orderId}/events
            messages: {placed: {payload: {type: object}}, shipped: {payload: {const: far}}}
        operations: {watch: {action: send, channel: {$ref: "#/channels/orders"}}}

        """, events: ["placed.json": #"{"id": "7"}"#])
    #expect(found == [])
    let stream = try #require(contract.sockets.descriptions.first)
    #expect(stream.kind == .sse && stream.operation == "watchOrder")
    #expect(stream.rules.map(\.trigger) == [.connect] && stream.rules[0].actions.count == 3)
    #expect(stream.rules[0].fixtures == ["placed"])
  }

  @Test func `the rules of a channel precede the replies, and a document may describe the client`() throws {
    let (contract, found) = try read(
      Self.head + """
        x-understudy-role: client
        channels:
          news:
            address: /news
            messages: {ask: {payload: {type: string}}, news: {payload: {type: string}}}
            x-understudy-events:
              transport: websocket
              heartbeat: 5s
              rules: [{on: {event: message}, do: [{emit: news, argument: mine}]}]
        operations:
          ask:
            action: send
            channel: {$ref: "#/channels/news"}
            messages: [{$ref: "#/channels/news/messages/ask"}]
            reply: {messages: [{$ref: "#/channels/news/messages/news"}]}

        """)
    #expect(
      found == [
        """
        api.asyncapi.yaml:6:5: info: no member names the event of each message: those of clients are all called `message`
          help: `x-understudy-events: {eventKey: type}` in the channel names a member
        """
      ])
    #expect(events(contract) == ["websocket /news message recv", "websocket /news news sent"])
    let socket = try #require(contract.sockets.descriptions.first)
    #expect(socket.heartbeat == .seconds(5) && socket.rules.count == 2)
    guard case .emit("news", .arguments(let value), _)? = socket.rules[0].actions.first else {
      throw ContractUnusable([])
    }
    #expect(JSONWriter.text(value) == #"["mine"]"#)
  }

  @Test func `events join those of a socket that the contract declares`() throws {
    let fixture = ContractFixture(
      Self.contract + "x-understudy-events: {rules: [{on: {event: join}, remember: {uid: '{{event.0}}'}}]}\n",
      files: [
        "api.asyncapi.yaml": Self.head + """
          servers: {io: {host: localhost, protocol: socketio}}
          channels: {join: {address: join, messages: {Join: {payload: {type: string}}}}}
          operations: {join: {action: receive, channel: {$ref: "#/channels/join"}}}

          """
      ])
    let contract = try fixture.contract()
    #expect(contract.diagnostics.map(\.message) == [])
    #expect(contract.sockets.descriptions.count == 1 && contract.sockets.descriptions[0].rules.count == 1)
    // An address without a slash is the name of its only event.
    #expect(events(contract) == ["socketio /socket.io/ join recv"])
  }

  @Test(arguments: [
    ("asyncapi: 2.6.0\n", "1:11: error: the version `2.6.0` is not read: expected `asyncapi: 3.0.0`, or a later 3.x"),
    ("openapi: 3.1.0\n", "1:1: error: this is not an AsyncAPI document: expected `asyncapi: 3.0.0`"),
    ("asyncapi: [3]\n", "1:11: error: the version `array` is not read: expected `asyncapi: 3.0.0`, or a later 3.x"),
    ("- a\n", "1:1: error: this is not an AsyncAPI document: expected `asyncapi: 3.0.0`"),
    ("asyncapi: 3.0.0\nchannels: 7\n", "2:11: error: `channels` must be an object, found number"),
    ("asyncapi: 3.1.0\nchanels: {}\n", "2:1: error: an AsyncAPI document has no `chanels`"),
    (
      "asyncapi: 3.0.0\nservers: {a: {protocol: ws}}\nchannels: {a: {address: /a, mesages: {}}}\n",
      "3:29: error: a channel has no `mesages`"
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

  @Test(arguments: [
    ("specs/shop.yaml", "specs/shop.asyncapi.yaml"), ("openapi.json", "asyncapi.yaml"),
    ("a/shop.openapi.yaml", "a/shop.asyncapi.yaml"), ("swagger-v2.yml", "asyncapi-v2.yaml"),
  ])
  func `the document has the name of its contract`(contract: String, document: String) throws {
    let name = String(contract.split(separator: "/").last ?? "")
    let folder = try TemporaryFolder([
      contract: Self.contract,
      document: Self.head + "servers: {a: {protocol: ws}}\nchannels: {a: {address: /a, messages: {b: {}}}}\n",
    ])
    let path = "\(folder.path)/\(contract)"
    let read = try Contract(contentsOf: path, fixtures: nil)
    #expect(read.eventCells.count == 2, "\(name)")
    #expect(read.watched.contains("\(folder.path)/\(document)"))
  }

  @Test func `a reply in another channel is an event of the same socket, or is reported`() throws {
    let (contract, found) = try read(
      Self.head + """
        servers: {io: {host: localhost, protocol: socketio}, live: {host: localhost, protocol: ws}}
        channels:
          ask: {address: ask, servers: [{$ref: "#/servers/io"}], messages: {Ask: {payload: {type: string}}}}
          tell: {address: tell, servers: [{$ref: "#/servers/io"}], messages: {Tell: {payload: {const: yes it is}}}}
          live: {address: live, servers: [{$ref: "#/servers/live"}], messages: {Told: {payload: {type: string}}}}
        operations:
          ask: {action: receive, channel: {$ref: "#/channels/ask"}, reply: {channel: {$ref: "#/channels/tell"}}}
          again: {action: receive, channel: {$ref: "#/channels/ask"}, reply: {channel: {$ref: "#/channels/live"}}}

        """)
    #expect(
      found == ["api.asyncapi.yaml:10:70: warning: the reply is not sent: the channel `live` is another socket"])
    #expect(
      events(contract) == [
        "socketio /socket.io/ ask recv", "socketio /socket.io/ tell sent", "websocket /live Told sent",
      ])
    #expect(contract.sockets.descriptions.map(\.rules.count) == [1, 0])
    let rule = try #require(contract.sockets.descriptions[0].rules.first)
    guard rule.trigger == .event("ask"), case .emit("tell", .arguments(let value), _)? = rule.actions.first else {
      throw ContractUnusable([])
    }
    #expect(JSONWriter.text(value) == #"["yes it is"]"#)
  }

  @Test func `a socket has one member that names its events, and settings of one place`() throws {
    let fixture = ContractFixture(
      Self.contract + "x-understudy-events: {transport: websocket, path: /live, eventKey: op}\n",
      files: [
        "api.asyncapi.yaml": Self.head + """
          servers: {live: {host: localhost, protocol: ws}, other: {host: localhost, protocol: ws, pathname: other}}
          channels:
            live:
              address: /live
              servers: [{$ref: "#/servers/live"}]
              messages: {a: {payload: {properties: {op: {const: ping}, type: {const: x}}}}}
              x-understudy-events: {eventKey: type, heartbeat: 1s}
            first: {servers: [{$ref: "#/servers/other"}], x-understudy-events: {heartbeat: 2s}}
            second: {servers: [{$ref: "#/servers/other"}], x-understudy-events: {heartbeat: 3s}}
          operations: {a: {action: receive, channel: {$ref: "#/channels/live"}}}

          """
      ])
    let contract = try fixture.contract()
    #expect(
      contract.diagnostics.map { "\($0.location?.line ?? 0): \($0.message)" } == [
        "9: the settings of this socket are those of the contract",
        "11: the settings of this socket are those of the channel `first`",
      ])
    #expect(events(contract) == ["websocket /live ping recv"])
    #expect(contract.sockets.descriptions.map(\.heartbeat) == [nil, .seconds(2)])
    #expect(contract.sockets.descriptions.map(\.path) == ["/live", "/other"])
  }

  @Test func `a stream without operations is from the server, and is one in the contract`() throws {
    let (contract, found) = try read(
      Self.head + """
        servers: {web: {host: localhost, protocol: sse, pathname: v1}}
        channels:
          orders: {address: "/orders/{id}/events", messages: {placed: {payload: {type: object}}}}
          list: {address: /orders, messages: {placed: {payload: {type: object}}}}

        """)
    #expect(
      found == [
        """
        api.asyncapi.yaml:6:3: warning: the channel `list` is not served: no success of the operation `listOrders` is a stream
          help: add `text/event-stream` to it, or a `ws` binding to the channel
        """
      ])
    let streams = contract.sockets.descriptions
    #expect(streams.map(\.operation) == ["watchOrder"] && streams[0].events.map(\.name) == ["placed"])
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
