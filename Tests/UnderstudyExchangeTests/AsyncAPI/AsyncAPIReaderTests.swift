import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// The AsyncAPI document beside a contract.
struct AsyncAPIReaderTests {
  static let contract = """
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

  static let head = """
    asyncapi: 3.0.0
    info: {title: Shop, version: "1"}

    """

  func read(_ document: String, events: [String: String] = [:]) throws -> (contract: Contract, found: [String]) {
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

  func events(_ contract: Contract) -> [String] {
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
}
