import HTTPTypes
import Synchronization
import UnderstudyVerification

/// A small server in this process that keeps its contract, or breaks it in one chosen way.
final class Shelf: Sendable {
  enum Bug: CaseIterable {
    case none, wrongType, undocumentedStatus, failsAtEdge, acceptsAnyLimit, ignoresHeader, ignoresKey, acceptsAnyType
    case answersPatch, ignoresLimitAndHeader, keepsDeleted, losesCreated, refusesValid, asksForKey
  }

  static let contract = """
    openapi: 3.1.0
    info: {title: Shelf, version: "1"}
    paths:
      /things:
        get:
          operationId: listThings
          parameters:
            - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
            - {name: X-Trace, in: header, required: true, schema: {type: string, minLength: 1}}
          responses:
            "200": {description: OK, content: {application/json: {schema: {type: array, items: {type: integer}}}}}
            "400": {description: Refused}
        post:
          operationId: addThing
          security: [{key: []}]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties: {name: {type: string, maxLength: 9}}
                example: {name: lamp}
          responses:
            "201":
              description: Created
              content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}
            "400": {description: Refused}
            "401": {description: Who are you?}
            "415": {description: JSON please}
      /things/{thingId}:
        parameters: [{name: thingId, in: path, required: true, schema: {type: integer}}]
        get:
          operationId: readThing
          responses: {"200": {description: OK}, "400": {description: Refused}, "404": {description: None}}
        delete:
          operationId: removeThing
          responses: {"204": {description: OK}, "400": {description: Refused}, "404": {description: None}}
    components:
      securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
    """

  private struct State {
    var things: Set<Int> = []
    var last = 0
  }

  private let bug: Bug
  private let state = Mutex(State())
  private let sent = Mutex<[String]>([])

  init(_ bug: Bug = .none) { self.bug = bug }

  /// Every request that came: `GET /things?limit=3`.
  var requests: [String] { sent.withLock { $0 } }

  var server: LocalServer {
    { request, body in
      let line = "\(request.method.rawValue) \(request.path ?? "")"
      self.sent.withLock { $0.append(line + " " + String(decoding: body, as: UTF8.self)) }
      return self.answer(request, body)
    }
  }

  private func answer(_ request: HTTPRequest, _ body: [UInt8]) -> (HTTPResponse, [UInt8]) {
    let target = (request.path ?? "/").split(separator: "?", maxSplits: 1)
    let parts = target[0].split(separator: "/")
    switch (request.method.rawValue, parts.count) {
    case ("GET", 1): return list(request, target.count > 1 ? String(target[1]) : "")
    case ("POST", 1): return add(request, body)
    case ("GET", 2), ("DELETE", 2):
      guard let id = Int(parts[1]) else { return Self.empty(400) }
      let isThere = state.withLock { $0.things.contains(id) }
      guard isThere, bug != .losesCreated || request.method != .get else { return Self.empty(404) }
      if request.method == .get { return Self.empty(200) }
      if bug != .keepsDeleted { state.withLock { _ = $0.things.remove(id) } }
      return Self.empty(204)
    case ("PATCH", 1) where bug == .answersPatch: return Self.empty(200)
    default: return Self.empty(405, [("Allow", parts.count == 1 ? "GET, POST" : "GET, DELETE")])
    }
  }

  private func list(_ request: HTTPRequest, _ query: String) -> (HTTPResponse, [UInt8]) {
    if bug == .asksForKey { return Self.empty(401, [("WWW-Authenticate", "Basic")]) }
    let trace = request.headerFields.first(named: "X-Trace")
    guard trace.map({ !$0.isEmpty }) ?? (bug == .ignoresHeader || bug == .ignoresLimitAndHeader) else {
      return Self.empty(400)
    }
    if query.hasPrefix("limit=") {
      let limit = Int(query.dropFirst(6).prefix { $0 != "&" })
      guard bug == .acceptsAnyLimit || bug == .ignoresLimitAndHeader || limit.map({ 1...50 ~= $0 }) == true else {
        return Self.empty(400)
      }
      if limit == 50, bug == .failsAtEdge { return Self.empty(500) }
    }
    if bug == .undocumentedStatus { return Self.empty(206) }
    return Self.json(200, bug == .wrongType ? ["one"] : [1, 2])
  }

  private func add(_ request: HTTPRequest, _ body: [UInt8]) -> (HTTPResponse, [UInt8]) {
    guard bug == .ignoresKey || request.headerFields.first(named: "X-Key") != nil else { return Self.empty(401) }
    guard bug == .acceptsAnyType || request.headerFields[.contentType] == "application/json" else {
      return Self.empty(415)
    }
    let name = (try? JSONParser.parse(body).root)?["name"]?.string
    guard let name, name.unicodeScalars.count <= 9 else { return Self.empty(400) }
    if bug == .refusesValid, name == "lamp" { return Self.empty(400) }
    let id = state.withLock { state in
      state.last += 1
      state.things.insert(state.last)
      return state.last
    }
    return Self.json(201, ["id": JSON(integerLiteral: id)])
  }

  private static func empty(_ status: Int, _ headers: [(String, String)] = []) -> (HTTPResponse, [UInt8]) {
    var fields = HTTPFields()
    for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    return (HTTPResponse(status: .init(code: status), headerFields: fields), [])
  }

  private static func json(_ status: Int, _ value: JSON) -> (HTTPResponse, [UInt8]) {
    (
      HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"]),
      JSONWriter.bytes(value)
    )
  }
}
