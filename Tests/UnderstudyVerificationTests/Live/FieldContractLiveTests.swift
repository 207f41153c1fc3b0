import HTTPTypes
import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// What a live run sends by contracts from the field.
struct FieldContractLiveTests {
  /// The requests of a live run against the mock of a contract, and what it found.
  private static func run(_ contract: String) async throws -> (requests: [HTTPRequest], reported: [String]) {
    let mock = try ContractFixture(contract).mock()
    let requests = Requests()
    let report = try await live(
      mock.contracts,
      on: { request, body in
        requests.all.withLock { $0.append(request) }
        return mock.server(request, body)
      })
    return (requests.all.withLock { $0 }, report.reported)
  }

  private final class Requests: Sendable { let all = Mutex<[HTTPRequest]>([]) }

  private static func contract(_ operation: String, components: String = "{}") -> String {
    """
    openapi: 3.0.3
    info: {title: t, version: "1"}
    paths:
      /p:
        \(operation)
    components: \(components)

    """
  }

  @Test(arguments: ["accept", "Content-Type", "AUTHORIZATION"])
  func `a header parameter that the specification ignores is not sent`(name: String) async throws {
    let run = try await Self.run(
      Self.contract(
        """
        get: {parameters: [{name: \(name), in: header, required: true, schema: {type: string, default: application/vnd.x+json}}], \
        responses: {"200": {description: ok, content: {application/json: {schema: {type: object}}}}}}
        """))
    #expect(run.reported == [])
    #expect(!run.requests.isEmpty)
    #expect(run.requests.allSatisfy { $0.headerFields[.authorization] == nil })
    // The second is one of the unusual requests.
    #expect(Set(run.requests.map { $0.headerFields[.accept] }) == ["*/*", "application/x-understudy"])
  }

  @Test(arguments: ["query", "header", "cookie"])
  func `a request without credentials has none in a parameter either`(place: String) async throws {
    let run = try await Self.run(
      Self.contract(
        """
        get: {security: [{key: []}], parameters: [{name: api-key, in: \(place), schema: {type: string}}], \
        responses: {"200": {description: ok, content: {application/json: {schema: {type: object}}}}, "401": {description: no}}}
        """, components: "{securitySchemes: {key: {type: apiKey, in: \(place), name: api-key}}}"))
    #expect(run.reported == [])
    let all = run.requests.map { request in
      [request.path ?? ""] + request.headerFields.map { "\($0.name): \($0.value)" }
    }
    #expect(all.contains { lines in !lines.contains { $0.contains("api-key") } })
    // A good credential is there once.
    #expect(all.allSatisfy { lines in lines.count { $0.contains("api-key") } <= 1 })
  }

  @Test(arguments: ["get", "delete"]) func `optional credentials may be left out and may be wrong`(
    method: String
  ) async throws {
    let run = try await Self.run(
      Self.contract(
        """
        \(method): {security: [{}, {key: []}], responses: {"204": {description: done}}}
        """, components: "{securitySchemes: {key: {type: apiKey, in: header, name: api-key}}}"))
    #expect(run.reported == [])
  }

  @Test func `a declared Content-Length is the client's to write`() async throws {
    let run = try await Self.run(
      Self.contract(
        """
        post: {parameters: [{name: Content-Length, in: header, required: true, schema: {type: integer, format: int32}}], \
        requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {"200": {description: ok}}}
        """))
    #expect(run.reported == [])
    #expect(run.requests.contains { $0.headerFields[.contentLength] == "2" })
  }
}
