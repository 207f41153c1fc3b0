import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// States of resources, and paths that a template of another operation fits.
extension LiveMissedTests {
  private static let projects = """
    /projects:
      get: {operationId: projects, responses: {"200": {description: OK}}}
      post:
        operationId: make
        requestBody:
          required: true
          content:
            application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}
        responses: {"201": {description: Made}, "400": {description: No}}
    /projects/{project_id}/open:
      parameters: [{name: project_id, in: path, required: true, schema: {type: string}}]
      post: {operationId: open, responses: {"204": {description: OK}, "404": {description: None}}}
    /projects/{project_id}/close:
      parameters: [{name: project_id, in: path, required: true, schema: {type: string}}]
      post: {operationId: close, responses: {"204": {description: OK}, "404": {description: None}}}
    /projects/{project_id}/stats:
      parameters: [{name: project_id, in: path, required: true, schema: {type: string}}]
      get: {operationId: stats, responses: {"200": {description: OK}, "404": {description: None}}}
    /projects/{project_id}/locked:
      parameters: [{name: project_id, in: path, required: true, schema: {type: string}}]
      get: {operationId: locked, responses: {"200": {description: OK}, "404": {description: None}}}
    """

  /// - Parameter status: Of what is read of a closed project.
  @Test(arguments: [200, 403, 404]) func `a read that an action of its resource makes fail is a finding`(
    status: Int
  ) async throws {
    let closed = Mutex<[String: Bool]>([:])
    let (sent, report) = try await Self.requests(LiveBaseTests.contract(Self.projects)) { line, body in
      let parts = line.split(separator: " ")[1].split(separator: "?")[0].split(separator: "/").map(String.init)
      return closed.withLock { closed in
        switch (line.split(separator: " ")[0], parts.count) {
        case ("GET", 1): return LiveBaseTests.answer(200, "[]")
        case ("POST", 1):
          guard (try? JSONParser.parse(Array(body.utf8)).root)?["name"]?.isString == true else {
            return LiveBaseTests.answer(400)
          }
          let id = "p-\(closed.count + 1)"
          closed[id] = false
          return LiveBaseTests.answer(201, #"{"project_id": "\#(id)"}"#)
        case ("POST", 3) where ["open", "close"].contains(parts[2]):
          guard closed[parts[1]] != nil else { return LiveBaseTests.answer(404) }
          // What the other operations use stays open.
          closed[parts[1]] = parts[2] == "close" && closed.count > 3 && parts[1] == "p-\(closed.count)"
          return LiveBaseTests.answer(204)
        case ("GET", 3) where ["stats", "locked"].contains(parts[2]):
          guard let isClosed = closed[parts[1]] else { return LiveBaseTests.answer(404) }
          return LiveBaseTests.answer(isClosed && parts[2] == "locked" ? status : 200)
        default: return LiveBaseTests.answer(405, "", [.allow: "GET, POST"])
        }
      }
    }
    let found = report.findings.filter { $0.rule == "resp.status.undocumented" }
    #expect(
      found.map(\.subject.title) == (status == 403 ? ["GET /projects/{project_id}/locked"] : []), "\(report.explained)")
    let lines = found.first?.reproduction?.split(separator: "\n") ?? []
    #expect(lines.count == (status == 403 ? 4 : 0) && lines.dropLast().last?.contains("/close") != false, "\(lines)")
    #expect(sent.contains { $0.hasSuffix("/close") }, "\(sent)")
  }

  @Test(arguments: [404, 405, 422]) func `a method that another template answers for a path is an info`(
    status: Int
  ) async throws {
    let contract = try LiveBaseTests.contract(
      """
      /users/login:
        post: {operationId: login, responses: {"200": {description: OK}}}
      /users/logout:
        post: {operationId: logout, responses: {"200": {description: OK}}}
      /users/{user_id}:
        get:
          operationId: user
          parameters: [{name: user_id, in: path, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}, "404": {description: None}, "422": {description: No}}
        put:
          operationId: change
          parameters: [{name: user_id, in: path, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}, "404": {description: None}, "422": {description: No}}
      """)
    let (sent, report) = try await Self.requests(contract) { line, _ in
      if line.hasPrefix("POST /users/log") { return Base.answer(200) }
      guard line.hasPrefix("GET") || line.hasPrefix("PUT") else { return Base.answer(405, "", [.allow: "POST"]) }
      let id = line.split(separator: "/").last.map { $0.prefix { $0 != "?" } } ?? ""
      return id.hasPrefix("log") ? Base.answer(status, "", [.allow: "POST"]) : Base.answer(Int(id) == nil ? 422 : 404)
    }
    #expect(sent.contains("PUT /users/login"), "\(sent)")
    let found = report.findings.filter { $0.rule == "prov.method.status" }
    #expect(found.count == (status == 422 ? 1 : 0), "\(report.explained)")
    #expect(found.allSatisfy { $0.severity == .info && $0.others.count == 1 }, "\(report.explained)")
  }
}
