import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// A run ends when its credentials stop working, and for no other refusal.
struct LiveProgressTests {
  private typealias Base = LiveBaseTests

  /// Three operations, with a key of the contract or without security.
  private static func protected(bySchemes isSecured: Bool) throws -> Contract {
    try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [\(isSecured ? "{key: []}" : "")]
      paths:
        /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
        /b: {get: {operationId: b, responses: {"200": {description: OK}}}}
        /c: {get: {operationId: c, responses: {"200": {description: OK}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
  }

  /// The report about a server that refuses the key after some requests, and the number of requests.
  private static func report(
    refusing status: Int, after limit: Int, isSecured: Bool
  ) async throws -> (report: Report, sent: Int) {
    let sent = Mutex(0)
    let report = try await live([Self.protected(bySchemes: isSecured)]) { request, _ in
      let count = sent.withLock { count in
        count += 1
        return count
      }
      let key = request.headerFields.first(named: "X-Key")
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      return Base.answer(key == "good" && count <= limit ? 200 : status)
    } configure: {
      if isSecured { $0.credentials = ["key": "good"] } else { $0.headers = [("X-Key", "good")] }
    }
    return (report, sent.withLock { $0 })
  }

  @Test(arguments: [401, 403], [true, false])
  func `credentials that stop working end the run, and are reported once`(status: Int, isSecured: Bool) async throws {
    let (report, _) = try await Self.report(refusing: status, after: 11, isSecured: isSecured)
    #expect(report.run.abortedBecause?.contains("the credentials stopped working") == true)
    #expect(report.run.abortedBecause?.contains("now gets \(status)") == true)
    #expect(report.reported == [], "\(report.explained)")
  }

  @Test(arguments: [true, false]) func `credentials that stop working before the first operation end the run as well`(
    isSecured: Bool
  ) async throws {
    let (report, sent) = try await Self.report(refusing: 403, after: isSecured ? 2 : 1, isSecured: isSecured)
    #expect(report.run.abortedBecause?.contains("the credentials stopped working: GET /a") == true)
    #expect(report.reported == [], "\(report.explained)")
    // The second request is refused, and the first one is sent again. Where a scheme has the key, one without it came before.
    #expect(sent == (isSecured ? 4 : 3))
  }

  /// Pets with toys, which are there as long as the pet is.
  private static let pets = """
    /pets: {get: {operationId: pets, responses: {"200": {description: OK}}}}
    /pets/{petId}:
      parameters: [{in: path, name: petId, required: true, schema: {type: string}}]
      get: {operationId: read, responses: {"200": {description: OK}, "403": {description: None}}}
      delete: {operationId: remove, responses: {"204": {description: OK}, "403": {description: None}}}
    /pets/{petId}/toys:
      parameters: [{in: path, name: petId, required: true, schema: {type: string}}]
      get: {operationId: toys, responses: {"200": {description: OK}, "403": {description: None}}}
    """

  @Test func `things that the run deleted and that get 403 do not end it`() async throws {
    let pets = Mutex<Set<String>>(["a", "b"])
    let report = try await live([Base.contract(Self.pets)]) { request, _ in
      let parts = Base.parts(request).path.split(separator: "/").map(String.init)
      return pets.withLock { pets in
        guard parts.count > 1 else {
          guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
          return Base.answer(200, "[" + pets.sorted().map { #"{"id": "\#($0)"}"# }.joined(separator: ",") + "]")
        }
        guard pets.contains(parts[1]) else { return Base.answer(403) }
        switch request.method {
        case .get: return Base.answer(200)
        case .delete where parts.count == 2:
          pets.remove(parts[1])
          return Base.answer(204)
        default: return Base.answer(405, "", [.allow: parts.count == 2 ? "GET, DELETE" : "GET"])
        }
      }
    } configure: {
      $0.allowsUnsafe = true
      $0.headers = [("X-Key", "good")]
    }
    #expect(report.run.abortedBecause == nil, "\(report.explained)")
  }

  @Test func `an operation that its caller may not use does not end the run`() async throws {
    let report = try await live([Self.protected(bySchemes: true)]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      guard request.headerFields.first(named: "X-Key") == "good" else { return Base.answer(401) }
      return Base.answer(request.path == "/b" ? 403 : 200)
    } configure: {
      $0.credentials = ["key": "good"]
    }
    #expect(report.run.abortedBecause == nil)
  }
}
