import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// Changes of the structure that real releases have, with the severities and rules that are reported.
@Suite struct StructureTests {
  static func contract(_ members: String) throws -> API {
    let text = "openapi: 3.1.0\ninfo: {title: Pets, version: \"1\"}\n\(members)"
    let (api, diagnostics) = ContractDiff.read("api.yaml", from: .inMemory(["api.yaml": text]))
    return try #require(api, "\(diagnostics)")
  }

  static func changes(_ old: String, _ new: String) throws -> [String] {
    ContractDiff(try contract(old), try contract(new)).run().map {
      "\($0.diagnostic.severity.rawValue) \($0.diagnostic.rule.id)"
    }
  }

  static func get(_ old: String, _ new: String) throws -> [String] {
    func text(_ lines: String) -> String {
      "paths: {/pets: {get: {responses: {\"200\": {description: OK}}, \(lines)}}}"
    }
    return try changes(text(old), text(new))
  }

  static func parameter(_ old: String, _ new: String) throws -> [String] {
    func text(_ schema: String) -> String { "parameters: [{name: order, in: query, schema: \(schema)}]" }
    return try get(text(old), text(new)).filter { !$0.hasPrefix("info diff.request.widened") }
  }

  // MARK: - Parameters

  @Test func `a query parameter that becomes an array accepts the values of before`() throws {
    #expect(
      try Self.parameter(
        "{type: string, default: id}", "{type: array, items: {type: string}, default: [id]}") == [])
    #expect(
      try Self.parameter("{type: string}", "{type: array, items: {type: integer}}") == ["error diff.request.type"])
    #expect(
      try Self.parameter("{type: string}", "{type: array, minItems: 2, items: {type: string}}").contains(
        "error diff.request.type"))
    #expect(
      try Self.parameter("{type: array, items: {type: string}}", "{type: string}").contains("error diff.request.type"))
  }

  @Test func `a parameter that no longer accepts null accepts the same text`() throws {
    #expect(try Self.parameter("{anyOf: [{type: string}, {type: \"null\"}]}", "{type: string}") == [])
  }

  @Test func `a parameter that moves is one difference`() throws {
    func text(_ location: String) -> String { "parameters: [{name: page, in: \(location), schema: {type: integer}}]" }
    #expect(try Self.get(text("query"), text("header")) == ["error diff.param.location"])
  }

  @Test func `headers that other parts of the contract describe are left out`() throws {
    let header = "parameters: [{name: Authorization, in: header, required: true, schema: {type: string}}]"
    #expect(try Self.get("summary: List", header) == [])
  }

  // MARK: - Bodies

  @Test func `a readOnly property that is added to a request is no difference`() throws {
    func text(_ more: String) -> String {
      """
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}\(more)}}}}}
      """
    }
    #expect(try Self.get(text(""), text(", id: {type: string, readOnly: true}")) == [])
  }

  @Test func `a number of a form that becomes a string is written as before`() throws {
    func text(_ type: String) -> String {
      """
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {n: {type: \(type)}}}}}}
      """
    }
    #expect(try Self.get(text("integer"), text("string")).filter { $0.hasPrefix("error") } == [])
    #expect(try Self.get(text("string"), text("integer")).contains("error diff.request.type"))
  }

  @Test func `the default media type of a part may be written`() throws {
    func text(_ encoding: String) -> String {
      """
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {name: {type: string}}}\(encoding)}}}
      """
    }
    #expect(try Self.get(text(""), text(", encoding: {name: {contentType: text/plain}}")) == [])
    #expect(
      try Self.get(text(""), text(", encoding: {name: {contentType: image/png}}")) == ["error diff.request.encoding"])
  }

  @Test func `a media type of a body that loses its charset is the same`() throws {
    func text(_ range: String) -> String { "requestBody: {content: {\"\(range)\": {schema: {type: object}}}}" }
    #expect(try Self.get(text("application/json; charset=utf-8"), text("application/json")) == [])
  }

  // MARK: - Responses

  static func responses(_ old: String, _ new: String) throws -> [String] {
    func text(_ responses: String) -> String { "paths: {/pets: {get: {responses: {\(responses)}}}}" }
    return try changes(text(old), text(new))
  }

  @Test func `codes may replace a range`() throws {
    let body = "content: {application/json: {schema: {type: string}}}"
    #expect(try Self.responses("2XX: {description: OK, \(body)}", "\"200\": {description: OK, \(body)}") == [])
    #expect(
      try Self.responses("4XX: {description: Bad}", "\"400\": {description: Bad}, \"404\": {description: None}") == [])
  }

  @Test func `default stands for success where no other response does`() throws {
    let body = "content: {application/json: {schema: {type: string}}}"
    #expect(
      try Self.responses("\"200\": {description: OK, \(body)}", "default: {description: OK, \(body)}")
        == ["info diff.response.default-added"])
    #expect(
      try Self.responses("default: {description: OK, \(body)}", "\"200\": {description: OK, \(body)}")
        == ["warning diff.response.default-removed"])
  }

  @Test func `a link may name its operation in another way`() throws {
    func text(_ id: String) -> String {
      """
      paths:
        /pets/{id}: {get: {operationId: \(id), parameters: [{name: id, in: path, required: true, schema: {}}], responses: {}}}
        /pets: {post: {responses: {"201": {description: Made, links: {read: {operationId: \(id)}}}}}}
      """
    }
    #expect(try Self.changes(text("read"), text("readPet")) == ["warning diff.operation.id"])
  }

  // MARK: - The contract

  @Test func `security that operations inherit is one difference with its uses`() throws {
    func text(_ name: String) -> String {
      """
      security: [{key: []}]
      paths:
        /a: {get: {responses: {}}}
        /b: {get: {responses: {}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: \(name)}}}
      """
    }
    let changes = ContractDiff(try Self.contract(text("X-Key")), try Self.contract(text("X-Token"))).run()
    #expect(
      changes.map(\.diagnostic.message)
        == ["the credentials `key` are now an API key in the header `X-Token`, were an API key in the header `X-Key`"])
    #expect(changes.map(\.others.count) == [1])
  }

  @Test func `a scheme that is added or removed is one difference with its uses`() throws {
    func text(_ names: String...) -> String {
      """
      paths:
        /a: {get: {security: [\(names.map { "{\($0): []}" }.joined(separator: ", "))], responses: {}}}
        /b: {get: {security: [\(names.map { "{\($0): []}" }.joined(separator: ", "))], responses: {}}}
      components:
        securitySchemes: {\(names.map { "\($0): {type: http, scheme: \($0)}" }.joined(separator: ", "))}
      """
    }
    func rules(_ old: String, _ new: String) throws -> [String] {
      ContractDiff(try Self.contract(old), try Self.contract(new)).run().map {
        "\($0.diagnostic.rule.id) \($0.others.count)"
      }
    }
    #expect(try rules(text("basic"), text("basic", "bearer")) == ["diff.security.added 1"])
    #expect(try rules(text("basic", "bearer"), text("basic")) == ["diff.security.removed 1"])
  }

  @Test func `a provider of OAuth 2 may have another name`() throws {
    func text(_ name: String, _ url: String) -> String {
      """
      security: [{\(name): [read]}]
      paths: {/a: {get: {responses: {}}}}
      components:
        securitySchemes:
          \(name): {type: oauth2, flows: {clientCredentials: {tokenUrl: "\(url)", scopes: {read: Read}}}}
      """
    }
    #expect(try Self.changes(text("a", "https://example.com/t"), text("b", "https://example.com/t")) == [])
    #expect(
      try Self.changes(text("a", "https://example.com/t"), text("b", "https://example.org/t"))
        == ["error diff.security.removed", "info diff.security.added"])
  }

  @Test func `variables of servers have their defaults`() throws {
    let variable = "servers: [{url: \"{base}/v1\", variables: {base: {default: /api}}}]\npaths: {}"
    #expect(try Self.changes("servers: [{url: /api/v1}]\npaths: {}", variable) == [])
  }

  @Test func `servers of an operation are compared`() throws {
    func text(_ version: Int) -> String { "servers: [{url: \"https://example.com/v\(version)\"}]" }
    #expect(try Self.get(text(1), text(2)) == ["warning diff.server.removed"])
    #expect(try Self.get(text(1), text(1)) == [])
  }

  @Test func `different contracts are one difference, with the prefixes that would match`() throws {
    func text(_ prefix: String) -> String {
      "paths: {" + (0..<12).map { "\(prefix)/pets/\($0): {get: {responses: {}}}" }.joined(separator: ", ") + "}"
    }
    let changes = ContractDiff(try Self.contract(text("/api/v1")), try Self.contract(text("/v2"))).run()
    #expect(
      changes.map(\.diagnostic.message)
        == ["the two contracts have no operation in common: 12 of the old one were removed, 12 added"])
    #expect(
      changes.map(\.diagnostic.help)
        == ["with `--strip-prefix /api/v1 --strip-prefix /v2` 12 operations are in common"])
    var options = ContractDiff.Options()
    (options.oldPrefix, options.newPrefix) = ("/api/v1", "/v2")
    #expect(ContractDiff(try Self.contract(text("/api/v1")), try Self.contract(text("/v2")), options).run().isEmpty)
  }

  @Test func `a prefix ends with a segment`() throws {
    var options = ContractDiff.Options()
    (options.oldPrefix, options.newPrefix) = ("/v1", "")
    let (old, new) = ("paths: {/v10: {get: {responses: {}}}}", "paths: {/v10: {get: {responses: {}}}}")
    #expect(ContractDiff(try Self.contract(old), try Self.contract(new), options).run().isEmpty)
  }

  @Test func `the differences have the same order in every run`() throws {
    func text(_ limit: Int) -> String {
      let paths = (0..<30).map { number in
        """
          /p\(number):
            post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/P\(number % 3)"}}}}, responses: {}}
        """
      }
      let schemas = (0..<3).map { "    P\($0): {type: string, maxLength: \(limit)}" }
      return "paths:\n\(paths.joined(separator: "\n"))\ncomponents:\n  schemas:\n\(schemas.joined(separator: "\n"))"
    }
    func run() throws -> [String] {
      ContractDiff(try Self.contract(text(5)), try Self.contract(text(4))).run().map {
        "\($0.diagnostic) \($0.others.map { "\($0.operation.path) \($0.place)" })"
      }
    }
    let first = try run()
    #expect(first.count == 3)
    for _ in 0..<5 { #expect(try run() == first) }
  }

  // MARK: - Calls and messages

  @Test func `the body of a webhook is judged like a response, and its response like a request`() throws {
    func text(_ body: String, _ response: String) -> String {
      """
      webhooks:
        born:
          post:
            requestBody: {required: true, content: {application/json: {schema: {enum: [\(body)]}}}}
            responses: {"200": {description: OK, content: {application/json: {schema: {enum: [\(response)]}}}}}
      paths: {}
      """
    }
    #expect(try Self.changes(text("a, b", "a"), text("a", "a, b")).filter { $0.hasPrefix("error") } == [])
    #expect(
      try Self.changes(text("a", "a, b"), text("a, b", "a")).filter { $0.hasPrefix("error") }
        == ["error diff.response.enum", "error diff.request.enum"])
  }

  static let events = """
    asyncapi: 3.0.0
    info: {title: Chat, version: "1"}
    channels:
      main:
        address: chat
        messages:
          said: {payload: {type: object, properties: {text: {type: string}, mood: {enum: [good, bad]}}}}
          say: {payload: {type: object, properties: {text: {type: string}, mood: {enum: [good, bad]}}}}
    operations:
      onSay: {action: receive, channel: {$ref: "#/channels/main"}, messages: [{$ref: "#/channels/main/messages/say"}]}
      sendSaid: {action: send, channel: {$ref: "#/channels/main"}, messages: [{$ref: "#/channels/main/messages/said"}]}
    """

  static func messages(_ old: String, _ new: String) throws -> [String] {
    func read(_ text: String) throws -> API {
      let (api, diagnostics) = ContractDiff.read("chat.asyncapi.yaml", from: .inMemory(["chat.asyncapi.yaml": text]))
      return try #require(api, "\(diagnostics)")
    }
    return ContractDiff(try read(old), try read(new)).run().map {
      "\($0.diagnostic.severity.rawValue) \($0.diagnostic.message) [\($0.diagnostic.rule.id)]"
    }
  }

  @Test func `messages of an AsyncAPI document are judged by their sender`() throws {
    #expect(try Self.messages(Self.events, Self.events) == [])
    let wider = Self.events.replacing(
      "said: {payload: {type: object, properties: {text: {type: string}, mood: {enum: [good, bad]}}}}",
      with: "said: {payload: {type: object, properties: {text: {type: string}, mood: {enum: [good, bad, odd]}}}}")
    #expect(
      try Self.messages(Self.events, wider)
        == ["error the message `said` `/mood`: may now be `\"odd\"` [diff.response.enum]"])
    #expect(try Self.messages(wider, Self.events).filter { $0.hasPrefix("error") } == [])
    let narrower = Self.events.replacing(
      "say: {payload: {type: object", with: "say: {payload: {type: object, required: [text]")
    #expect(
      try Self.messages(Self.events, narrower)
        == ["error the message `say`: the property `text` is now required [diff.request.required]"])
  }

  @Test func `AsyncAPI 2 and 3 of one API have no difference`() throws {
    let former = """
      asyncapi: 2.6.0
      info: {title: Chat, version: "1"}
      channels:
        chat:
          publish:
            message: {name: say, payload: {type: object, properties: {text: {type: string}, mood: {enum: [good, bad]}}}}
          subscribe:
            message: {name: said, payload: {type: object, properties: {text: {type: string}, mood: {enum: [good, bad]}}}}
      """
    #expect(try Self.messages(former, Self.events) == [])
    #expect(try Self.messages(Self.events, former) == [])
  }

  @Test func `the AsyncAPI document beside a contract is compared with it`() throws {
    func changes(_ events: String) throws -> [String] {
      func read(_ events: String) throws -> API {
        let files = [
          "shop.yaml": "openapi: 3.1.0\ninfo: {title: Shop, version: \"1\"}\npaths: {}", "shop.asyncapi.yaml": events,
        ]
        return try #require(ContractDiff.read("shop.yaml", from: .inMemory(files)).api)
      }
      return ContractDiff(try read(Self.events), try read(events)).run().map(\.diagnostic.rule.id)
    }
    #expect(try changes(Self.events) == [])
    #expect(try changes(Self.events.replacing("address: chat", with: "address: talk")) == ["diff.channel.address"])
  }

  @Test func `a payload in a foreign format is undecided`() throws {
    func text(_ name: String) -> String {
      """
      asyncapi: 3.0.0
      info: {title: Chat, version: "1"}
      channels:
        main:
          messages:
            said:
              payload: {schemaFormat: "application/vnd.apache.avro;version=1.9.0", schema: {type: record, name: \(name)}}
      operations: {send: {action: send, channel: {$ref: "#/channels/main"}}}
      """
    }
    #expect(try Self.messages(text("A"), text("A")) == [])
    #expect(
      try Self.messages(text("A"), text("B"))
        == [
          "warning the message `said` has another payload, in a format that is not compared [diff.response.undecided]"
        ])
  }

  @Test func `a limit is named as it is written`() throws {
    func text(_ schema: String) throws -> API {
      try Self.contract(
        "paths: {/a: {get: {parameters: [{name: n, in: query, schema: {type: integer, \(schema)}}], responses: {}}}}")
    }
    func messages(_ old: String, _ new: String) throws -> [String] {
      ContractDiff(try text(old), try text(new)).run().map(\.diagnostic.message)
    }
    let name = "the query parameter `n`"
    #expect(
      try messages("exclusiveMinimum: 0", "minimum: 0")
        == ["\(name): `exclusiveMinimum` is now `minimum: 0`, was `0`"])
    #expect(try messages("minimum: 1", "exclusiveMinimum: 0") == [])
    #expect(
      try messages("exclusiveMinimum: 0", "exclusiveMinimum: 5")
        == ["\(name): `exclusiveMinimum` is now `5`, was `0`"])
  }

  // MARK: - Annotations

  @Test func `a default is a note, in a property as well`() throws {
    func text(_ value: Int) -> String {
      """
      paths:
        /pets:
          post:
            requestBody:
              content: {application/json: {schema: {type: object, properties: {n: {type: integer, default: \(value)}}}}}
            responses: {}
      """
    }
    #expect(try Self.changes(text(1), text(2)) == ["info diff.request.default"])
    let parameter = "parameters: [{name: n, in: query, schema: {type: integer, default: "
    #expect(try Self.get("\(parameter)1}}]", "\(parameter)2}}]") == ["warning diff.param.default"])
  }

  @Test func `a changed default does not make an equal schema undecided`() throws {
    func text(_ value: Int) -> String {
      """
      paths:
        /pets:
          post:
            requestBody:
              content: {application/json: {schema: {not: {const: 1}, if: {type: string}, then: {minLength: 2}, properties: {n: {type: integer, default: \(value)}}}}}
            responses: {}
      """
    }
    #expect(try Self.changes(text(1), text(2)) == ["info diff.request.default"])
  }
}
