import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// What a request names of other resources.
extension LiveMissedTests {
  /// A contract of kernels, and of sessions that start them.
  ///
  /// - Parameter opening: The members of the operation that opens a session.
  static func kernels(_ opening: String) throws -> Contract {
    try LiveBaseTests.contract(
      """
      /kernels:
        get: {operationId: kernels, responses: {"200": {description: OK}}}
      /kernels/{kernel_id}:
        delete:
          operationId: stop
          parameters: [{name: kernel_id, in: path, required: true, schema: {type: string}}]
          responses: {"204": {description: Gone}, "404": {description: None}}
      /sessions:
        get: {operationId: sessions, responses: {"200": {description: OK}}}
        post: {operationId: open, \(opening)}
      """)
  }

  private static let namedKernel = """
    requestBody: {required: true, content: {application/json: {schema: {type: object, required: [path, kernel], \
    properties: {path: {type: string}, kernel: {type: object, required: [id, name], \
    properties: {id: {type: string}, name: {type: string}}}}}}}}, \
    responses: {"201": {description: Made}, "400": {description: No}}
    """

  /// The report about sessions, each of which starts a kernel of the named kind.
  ///
  /// - Parameter read: What a list of sessions does whose kernel is gone.
  private static func sessions(_ read: @escaping @Sendable () throws -> Int) async throws -> Report {
    let state = Mutex<(kernels: [String], used: [String])>((["k-1"], []))
    return try await live([kernels(namedKernel)]) { request, body in
      let path = LiveBaseTests.parts(request).path
      return try state.withLock { state in
        switch (request.method, path) {
        case (.get, "/kernels"):
          let kernels = state.kernels.map { #"{"id": "\#($0)", "name": "python3"}"# }
          return LiveBaseTests.answer(200, "[\(kernels.joined(separator: ","))]")
        case (.get, "/sessions"):
          let isWhole = state.used.allSatisfy { state.kernels.contains($0) }
          return LiveBaseTests.answer(isWhole ? 200 : try read())
        case (.post, "/sessions"):
          let value = try? JSONParser.parse(body).root
          guard value?["path"]?.isString == true, value?["kernel"]?["name"] == "python3" else {
            return LiveBaseTests.answer(400, #"{"message": "no such kind"}"#)
          }
          let id = "kernel-\(state.used.count + 101)"
          state.used.append(id)
          state.kernels.append(id)
          return LiveBaseTests.answer(201, #"{"id": "s-\#(id)", "kernel": {"id": "\#(id)", "name": "python3"}}"#)
        case (.delete, _):
          let count = state.kernels.count
          state.kernels.removeAll { "/kernels/\($0)" == path }
          return LiveBaseTests.answer(state.kernels.count < count ? 204 : 404)
        default: return LiveBaseTests.answer(405, "", [.allow: "GET, POST, DELETE"])
        }
      }
    }
  }

  @Test func `an object that is named after a collection has the values of one of its items`() async throws {
    let report = try await Self.sessions { 500 }
    let finding = try #require(
      report.findings.first { $0.subject.title == "GET /sessions" && $0.rule == "resp.server-error" },
      "\(report.explained)")
    #expect(
      finding.reproduction?.contains(#"DELETE "http://localhost:8080/kernels/${kernel_id}""#) == true,
      "\(report.explained)")
  }

  @Test func `a request that gets no response after a deletion is a finding`() async throws {
    let report = try await Self.sessions {
      throw UpstreamFailure(.closed, "it closed the connection without an answer")
    }
    let finding = try #require(
      report.findings.first { $0.subject.title == "GET /sessions" && $0.rule == "prov.no-response" },
      "\(report.explained)")
    #expect(finding.reproduction?.split(separator: "\n").count == 4, "\(finding.reproduction ?? "")")
  }

  @Test func `a thing that a request creates keeps its own values`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /pets:
        get: {operationId: pets, responses: {"200": {description: OK}}}
        post:
          operationId: add
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [pet]
                  properties:
                    pet: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"201": {description: Made}, "409": {description: Taken}}
      /pets/{id}:
        get:
          operationId: pet
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let names = Mutex<[String]>([])
    _ = try await live([contract]) { request, body in
      guard request.method == .post else {
        return LiveBaseTests.answer(200, #"[{"id": "p-1", "name": "Rex"}]"#)
      }
      let value = try? JSONParser.parse(body).root
      if let name = value?["pet"]?["name"], name.isString { names.withLock { $0.append(name.text) } }
      return LiveBaseTests.answer(201)
    }
    #expect(names.withLock { !$0.isEmpty && !$0.contains("Rex") })
  }

  @Test func `a fresh name is not given to what a body refers to`() async throws {
    let names = Mutex<[String]>([])
    let report = try await live([Self.kernels(Self.namedKernel)]) { request, body in
      let path = LiveBaseTests.parts(request).path
      guard request.method == .post else {
        return path == "/kernels"
          ? LiveBaseTests.answer(200, #"[{"id": "k-1", "name": "python3"}]"#) : LiveBaseTests.answer(405)
      }
      let value = try? JSONParser.parse(body).root
      guard let name = value?["path"], name.isString, value?["kernel"]?["name"] == "python3" else {
        return LiveBaseTests.answer(400)
      }
      // A name that is taken ends in a failure.
      return names.withLock { names in
        guard !names.contains(where: { $0.utf8Equals(name.text) }) else { return LiveBaseTests.answer(500) }
        names.append(name.text)
        return LiveBaseTests.answer(202)
      }
    }
    let finding = try #require(
      report.findings.first { $0.subject.title == "POST /sessions" && $0.subject.status == "202" },
      "\(report.explained)")
    #expect(finding.reproduction?.contains("${moment}") == true, "\(report.explained)")
  }
}
