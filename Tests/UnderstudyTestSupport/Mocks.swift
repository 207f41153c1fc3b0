package import HTTPTypes
package import UnderstudyMock

/// A mock with a lane, whose state it keeps between requests.
package final class LaneClient {
  package let mock: Mock
  package var state: LaneState
  /// Microseconds since 1970.
  package var now: Int

  package init(_ mock: Mock, at now: Int = 1_000_000_000) {
    self.mock = mock
    self.now = now
    state = mock.newState()
    state.openedAt = now
  }

  package func advance(by seconds: Int) { now += seconds * 1_000_000 }

  /// The answer to a request; a body is a form unless a header says otherwise.
  @discardableResult
  package func send(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:], body: String = ""
  ) -> Reply {
    let request = Mock.request(method, path, headers, body: body)
    return mock.reply(to: request, body: Array(body.utf8), in: &state, at: Mock.Instant(microsecondsSince1970: now))
  }

  /// The answer to a GET.
  package func send(_ path: String, _ headers: [String: String] = [:]) -> Reply { send(.get, path, headers) }
}

extension Mock {
  /// A mock of the contract in a file.
  package static func load(
    _ path: String, fixtures: String = Project.path("fixtures"), configure: (inout Mock.Options) -> Void = { _ in }
  ) throws -> Mock {
    var options = Mock.Options()
    configure(&options)
    return Mock(contracts: [try Contract(contentsOf: path, fixtures: fixtures)], options: options)
  }

  /// The answer to a request that is the first of its lane; a body is a form unless a header says otherwise.
  package func send(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:], body: String = ""
  ) -> Reply {
    reply(to: Self.request(method, path, headers, body: body), body: Array(body.utf8))
  }

  package static func request(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:], body: String = ""
  ) -> HTTPRequest {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if !body.isEmpty, fields[.contentType] == nil { fields[.contentType] = "application/x-www-form-urlencoded" }
    return HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
  }

  /// The answer to a GET.
  package func send(_ path: String, _ headers: [String: String] = [:]) -> Reply { send(.get, path, headers) }

  /// The findings about the fixtures, the scenario in play and `x-understudy`, as `rule line:column message`.
  package var complaints: [String] {
    contracts.flatMap { contract in
      contract.diagnostics
        + contract.scenarios.filter { $0.name == options.scenario }.flatMap(\.diagnostics)
    }.map { "\($0.place) \($0.message)" }
  }
}

extension Reply {
  package func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { recorded.0.headerFields[$0] }
  }

  /// The body as text.
  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The ids of the rules that the request broke.
  package var rules: [String] { diagnostics.map(\.rule.id) }
}

/// Contracts for mocks.
package enum MockContract {
  /// One operation, `POST /notes/{id}`, that takes anything: for fixtures.
  package static let notes = """
    openapi: 3.1.0
    info: {title: Notes, version: "1"}
    paths:
      /notes/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: string}}]
        get:
          operationId: readNote
          responses:
            "200":
              x-meaning: found
              description: The note.
              content:
                application/json:
                  schema: {type: object}
                  examples:
                    first: {value: {from: contract}}
                    second: {value: {from: contract, number: 2}}
            "404": {x-meaning: lost, description: Gone.}
            "5XX":
              description: Broken.
              content: {text/plain: {schema: {type: string}}}
        post:
          operationId: writeNote
          requestBody:
            content:
              application/x-www-form-urlencoded: {schema: {type: object}}
              application/json: {schema: {}}
          responses:
            "204": {description: Written.}
            "409": {description: Somebody else was first.}

    """
}
