import HTTPTypes
import Understudy

extension Mock {
  /// The answer to a request; a body is a form unless a header says otherwise.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:], body: String = ""
  ) -> Reply {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if !body.isEmpty, fields[.contentType] == nil { fields[.contentType] = "application/x-www-form-urlencoded" }
    let request = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    return reply(to: request, body: Array(body.utf8))
  }

  /// The answer to a GET.
  func send(_ path: String, _ headers: [String: String] = [:]) -> Reply { send(.get, path, headers) }

  /// The findings about the fixtures and `x-understudy`, as `rule line:column message`.
  var complaints: [String] {
    contracts.flatMap { $0.diagnostics + $0.scenarioErrors }.map { "\($0.place) \($0.message)" }
  }
}

extension Reply {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The ids of the rules that the request broke.
  var rules: [String] { diagnostics.map(\.rule.id) }
}

/// Contracts for mocks.
enum MockContract {
  /// One operation, `POST /notes/{id}`, that takes anything: for fixtures.
  static let notes = """
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
