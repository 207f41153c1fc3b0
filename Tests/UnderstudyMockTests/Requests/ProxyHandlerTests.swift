import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The proxy without sockets: the upstream is a closure.
struct ProxyHandlerTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    servers: [{url: /v1}]
    paths:
      /pets:
        get:
          operationId: listPets
          parameters:
            - {name: limit, in: query, schema: {type: integer}}
          responses:
            "200":
              description: ok
              content:
                application/json:
                  schema: {type: array, items: {type: string}}
                  example: [Tom]
            "400": {description: bad}
        post:
          operationId: addPet
          requestBody:
            content: {application/json: {schema: {type: object, required: [name]}}}
          responses:
            "201": {description: added}

    """

  /// What a mock with an upstream replies, once the upstream has answered.
  private func reply(
    _ path: String, method: HTTPRequest.Method = .get, fields: HTTPFields = HTTPFields(), body: String = "",
    configure: (inout Mock.Options) -> Void = { _ in },
    upstream: @escaping Transport
  ) async throws -> Reply {
    let mock = try ContractFixture(Self.contract).mock { options in
      options.upstream = Upstream("http://up/api")
      options.onInvalid = .warn
      configure(&options)
    }
    let request = HTTPRequest(
      method: method, scheme: nil, authority: "localhost", path: path, headerFields: fields)
    let reply = mock.reply(to: request, body: Array(body.utf8))
    guard let forward = reply.forward else { return reply }
    return await forward.reply(by: upstream, body: Body(Array(body.utf8)))
  }

  private static func answering(
    _ status: Int, _ body: String = "", type: String? = "application/json", fields: HTTPFields = HTTPFields()
  ) -> Transport {
    { _, _ in
      var fields = fields
      if let type { fields[.contentType] = type }
      return (HTTPResponse(status: .init(code: status), headerFields: fields), Body(Array(body.utf8)))
    }
  }

  private static let unreachable: Transport = { _, _ in throw UpstreamFailure(.refused, "connection refused") }
  private static let untouched: Transport = { _, _ in
    Issue.record("the upstream was asked")
    return (HTTPResponse(status: .ok), Body())
  }

  // MARK: - Passing on

  @Test func `a good exchange passes as it is`() async throws {
    let reply = try await reply("/v1/pets?limit=1") { request, _ in
      #expect(request.path == "/api/pets?limit=1")
      #expect(request.authority == "up")
      return try await Self.answering(200, #"["Rex"]"#)(request, Body())
    }
    #expect(reply.status == 200)
    #expect(reply.text == #"["Rex"]"#)
    #expect(reply.reason == "upstream")
    #expect(reply.operation?.id == "listPets")
    #expect(reply.rules == [])
    #expect(reply.notValidated == [])
  }

  @Test func `findings of both sides are reported and the answer passes`() async throws {
    let reply = try await reply("/v1/pets?limit=many", upstream: Self.answering(200, "[7]"))
    #expect(reply.status == 200)
    #expect(reply.text == "[7]")
    #expect(reply.diagnostics.map(\.owner) == [.client, .provider])
    #expect(reply.rules == ["req.param.schema", "resp.body.schema"])
    let list = reply.header("sl-violations")
    #expect(list?.hasPrefix(#"[{"location":["query","limit"],"severity":"Error","code":"req.param.schema""#) == true)
    #expect(list?.contains(#"{"location":["response","body","0"]"#) == true)
  }

  @Test func `a bad request that the upstream refused is a warning`() async throws {
    let reply = try await reply("/v1/pets?limit=many", upstream: Self.answering(400, type: nil))
    #expect(reply.rules == ["req.expected-invalid"])
    #expect(reply.diagnostics.map(\.severity) == [.warning])
  }

  @Test func `a fixture with a when that fits marks a refusal of the upstream as meant`() async throws {
    let fixtures = ["listPets/400.many.yaml": "when: {query: {limit: many}}\n"]
    let mock = try ContractFixture(Self.contract, fixtures: fixtures).mock { options in
      options.upstream = Upstream("http://up/api")
      options.onInvalid = .warn
    }
    let request = HTTPRequest(method: .get, scheme: nil, authority: "localhost", path: "/v1/pets?limit=many")
    let forward = try #require(mock.reply(to: request, body: []).forward)
    let reply = await forward.reply(by: Self.answering(400, type: nil), body: Body([]))
    #expect(reply.diagnostics.map(\.severity) == [.info])
  }

  @Test func `a stream is validated at its end, also where its lane watches delayed responses`() async throws {
    let (pieces, upstream) = AsyncStream.makeStream(of: [UInt8].self)
    let settings = try ClientCheckSettings(argument: "cancelled")
    let delay = try FaultRule.delay("listPets=1s")
    var reply = try await reply(
      "/v1/pets",
      configure: { options in
        options.checks = [settings]
        options.faults = [delay]
      },
      upstream: { _, _ in
        (HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), Body(length: nil, pieces))
      })
    guard case .streamed(_, let body) = reply.content else {
      Issue.record("the response is not a stream: \(reply.content)")
      return
    }
    upstream.yield(Array("[7]".utf8))
    upstream.finish()
    for try await _ in body {}
    #expect(reply.delay == .seconds(1) && reply.rules == [])
    #expect(reply.changesAtEnd)
    let before = reply.diagnostics.count
    let isEnough = reply.end(within: WorkBudget(1))
    #expect(!isEnough && reply.changesAtEnd && reply.diagnostics.count == before)
    let hasEnded = reply.end(within: .unlimited)
    #expect(hasEnded && !reply.changesAtEnd && reply.rules == ["resp.body.schema"])
  }

  @Test func `what the contract does not have passes too, unvalidated`() async throws {
    let reply = try await reply("/v1/dogs", upstream: Self.answering(200, "anything"))
    #expect(reply.status == 200)
    #expect(reply.rules == ["req.path.unknown"])
    #expect(reply.notValidated.map(\.reason) == ["the contract has no operation for the request"])
  }

  @Test func `an answer to HEAD has the length of the body that it leaves out`() async throws {
    let reply = try await reply(
      "/v1/pets", method: .head, upstream: Self.answering(200, fields: [.contentLength: "512"]))
    guard case .streamed(_, let body) = reply.content else {
      Issue.record("no announced length")
      return
    }
    #expect(body.length == 512)
    #expect(reply.omitsBody)
  }

  @Test func `an answer too long to be held is passed on, and reported as not validated`() async throws {
    let long = String(repeating: "x", count: Body.bufferLimit + 1)
    let reply = try await reply("/v1/pets", upstream: Self.answering(200, long))
    guard case .streamed(_, let body) = reply.content else {
      Issue.record("held")
      return
    }
    #expect(body.length == Body.bufferLimit + 1)
    #expect(reply.rules == [])
    #expect(
      reply.notValidated == [
        .init(pointer: "/body", reason: "the answer's body is longer than 1048576 bytes, the most that is validated")
      ])
  }

  @Test func `events are not waited for`() async throws {
    let endless = Body(length: nil, AsyncStream<[UInt8]> { _ in })
    let reply = try await reply("/v1/pets") { _, _ in
      (HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream; charset=utf-8"]), endless)
    }
    guard case .streamed = reply.content else {
      Issue.record("held")
      return
    }
    #expect(reply.notValidated.map(\.pointer) == ["/body"])
  }

  // MARK: - The mock in the proxy

  @Test func `a forced operation is answered by the mock`() async throws {
    let reply = try await reply(
      "/v1/pets", configure: { $0.forced = [ForcingRule("listPets=400")!] }, upstream: Self.untouched)
    #expect(reply.status == 400)
    #expect(reply.reason.hasSuffix("(forced)"))
  }

  @Test func `a preflight is answered here`() async throws {
    let reply = try await reply(
      "/v1/pets", method: .options, fields: [.accessControlRequestMethod: "GET"], upstream: Self.untouched)
    #expect(reply.reason == "preflight")
  }

  @Test(arguments: [unreachable, answering(501), answering(501, String(repeating: "x", count: 1 << 21))])
  func `the mock stands in where it may`(upstream: @escaping Transport) async throws {
    let reply = try await reply("/v1/pets", configure: { $0.fallback = .mock }, upstream: upstream)
    #expect(reply.status == 200)
    #expect(reply.text == #"["Tom"]"#)
    #expect(reply.reason.hasPrefix("example listPets/200 (fallback: "))
  }

  @Test func `the mock cannot stand in for what the contract does not have`() async throws {
    let reply = try await reply("/v1/dogs", configure: { $0.fallback = .mock }, upstream: Self.unreachable)
    #expect(reply.status == 502)
  }

  // MARK: - Findings as answers

  @Test func `a bad request is refused before it is passed on`() async throws {
    let reply = try await reply(
      "/v1/pets?limit=many", configure: { $0.onInvalid = .problem }, upstream: Self.untouched)
    #expect(reply.status == 422)
    #expect(reply.text.contains(#""validation":[{"location":["query","limit"]"#))
    let unknown = try await self.reply("/v1/dogs", configure: { $0.onInvalid = .problem }, upstream: Self.untouched)
    #expect(unknown.status == 404)
  }

  @Test func `a bad request is answered as the contract has it`() async throws {
    let reply = try await reply(
      "/v1/pets?limit=many", configure: { $0.onInvalid = .contract }, upstream: Self.untouched)
    #expect(reply.status == 400)
  }

  @Test func `a bad answer becomes a problem of the gateway`() async throws {
    let reply = try await reply(
      "/v1/pets", configure: { $0.onInvalid = .problem }, upstream: Self.answering(200, "[7]"))
    #expect(reply.status == 502)
    #expect(reply.text.contains(#""type":"urn:understudy:problem:invalid-response""#))
    #expect(reply.text.contains(#""location":["response","body","0"],"severity":"Error","code":"resp.body.schema""#))
  }

  @Test func `a warning about an answer lets it pass`() async throws {
    let reply = try await reply(
      "/v1/pets",
      configure: { options in
        options.onInvalid = .problem
        options.rules = RuleSettings(levels: [.responseBodySchema: .warning])
      }, upstream: Self.answering(200, "[7]"))
    #expect(reply.status == 200)
    #expect(reply.rules == ["resp.body.schema"])
  }

  @Test func `a path that is off passes though findings are answers`() async throws {
    let reply = try await reply(
      "/v1/dogs",
      configure: { options in
        options.onInvalid = .problem
        options.rules = RuleSettings(levels: [.requestPathUnknown: .off])
      }, upstream: Self.answering(200))
    #expect(reply.status == 200)
    #expect(reply.rules == [])
  }

  // MARK: - No answer

  @Test(arguments: [(UpstreamFailure.Kind.refused, 502), (.timeout, 504), (.tls, 502), (.malformed, 502)])
  func `a missing answer is a problem with the reason`(kind: UpstreamFailure.Kind, status: Int) async throws {
    let reply = try await reply("/v1/pets") { _, _ in throw UpstreamFailure(kind, "it is gone") }
    #expect(reply.status == status)
    #expect(reply.text.contains(#""type":"urn:understudy:problem:upstream-\#(kind.rawValue)""#))
    #expect(reply.text.contains(#""detail":"http://up/api: it is gone""#))
    #expect(reply.reason == "problem \(status) upstream: it is gone")
  }

  @Test func `an answer that breaks off is none`() async throws {
    let reply = try await reply("/v1/pets") { _, _ in
      let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
        continuation.yield([91])
        continuation.finish(throwing: UpstreamFailure(.closed, "it closed the connection in the middle"))
      }
      return (HTTPResponse(status: .ok), Body(length: nil, body))
    }
    #expect(reply.status == 502)
  }

  @Test func `a request that goes in circles is stopped`() async throws {
    let via = [String](repeating: "1.1 understudy", count: URLRewriter.hopLimit).joined(separator: ", ")
    #expect(try await reply("/v1/pets", fields: [.via: via], upstream: Self.untouched).status == 508)
  }
}
