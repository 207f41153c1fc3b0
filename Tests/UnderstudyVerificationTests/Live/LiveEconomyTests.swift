import HTTPTypes
import Synchronization
import Testing
import UnderstudySchema
import UnderstudyTestSupport
import UnderstudyVerification

/// A live run sends no request that can show nothing new.
struct LiveEconomyTests {
  private typealias Base = LiveBaseTests

  private static let contract = """
    /x:
      get:
        operationId: x
        parameters:
          - {in: query, name: page, schema: {type: integer, minimum: 1, maximum: 997}}
          - {in: query, name: size, schema: {type: integer, minimum: 1, maximum: 5003}}
        responses: {"200": {description: OK}, "400": {description: No}}
    """

  /// The queries that a run sends to a server.
  private static func queries(
    _ isAccepted: @escaping @Sendable (_ page: Int?, _ size: Int?) -> Bool
  ) async throws -> (queries: [String], report: Report) {
    let queries = Mutex<[String]>([])
    let report = try await live([Base.contract(contract)]) { request, _ in
      let query = Base.parts(request).query
      queries.withLock { $0.append(query) }
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      var values: [String: Int] = [:]
      for pair in query.split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let number = Int(parts[1]) else { return Base.answer(400) }
        values[parts[0]] = number
      }
      return Base.answer(isAccepted(values["page"], values["size"]) ? 200 : 400)
    }
    return (queries.withLock { $0 }, report)
  }

  private static func isValid(_ page: Int?, _ size: Int?) -> Bool {
    1...997 ~= page ?? 1 && 1...5003 ~= size ?? 1
  }

  @Test func `values at their edges share a request that the server accepts`() async throws {
    let (queries, report) = try await Self.queries(Self.isValid)
    #expect(queries.contains("page=1&size=1") && queries.contains("page=997&size=5003"), "\(queries)")
    #expect(!queries.contains("page=997") && !queries.contains("size=5003"), "\(queries)")
    #expect(report.reported == [], "\(report.explained)")
  }

  @Test func `values at their edges are sent alone if the server refuses them together`() async throws {
    let (queries, report) = try await Self.queries { page, size in Self.isValid(page, size) && size != 5003 }
    #expect(queries.contains("page=997") && queries.contains("size=5003"), "\(queries)")
    #expect(report.reported == ["GET /x 400 prov.valid-rejected"], "\(report.explained)")
    #expect(report.findings.first?.reproduction?.contains("?size=5003'") == true, "\(report.explained)")
  }

  @Test func `an empty map is sent within a list, though the empty list is accepted`() async throws {
    let contract = """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: array
                  items:
                    type: object
                    required: [labels]
                    properties: {labels: {type: object, additionalProperties: {type: string}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """
    let report = try await live([Base.contract(contract)]) { request, body in
      guard request.method == .post else { return Base.answer(405, "", [.allow: "POST"]) }
      guard request.headerFields[.contentType]?.hasPrefix("application/json") == true else { return Base.answer(400) }
      guard let value = try? JSONParser.parse(body).root, value.isArray else { return Base.answer(400) }
      let isAccepted = value.elements.allSatisfy { element in
        guard let labels = element["labels"], labels.isObject else { return false }
        return labels.count > 0 && labels.members.allSatisfy { $0.value.isString }
      }
      return Base.answer(isAccepted ? 200 : 400)
    }
    #expect(report.reported == ["POST /x 400 prov.valid-rejected"], "\(report.explained)")
  }

  @Test func `a parameter that the server does not validate is broken once`() async throws {
    let (queries, report) = try await Self.queries { page, _ in 1...997 ~= page ?? 1 }
    let broken = queries.filter { query in
      query.hasPrefix("size=") && Int(query.dropFirst(5)).map { !(1...5003 ~= $0) } ?? false
    }
    #expect(broken.count == 1, "\(queries)")
    #expect(report.reported == ["GET /x 200 prov.invalid-accepted"], "\(report.explained)")
  }

  @Test func `random requests end when several in a row show nothing new`() async throws {
    let sent = Mutex(0)
    _ = try await live([Base.contract(Self.contract)]) { _, _ in
      sent.withLock { $0 += 1 }
      return Base.answer(200)
    } configure: {
      $0.phases = [.random]
      $0.count = 10
    }
    #expect(sent.withLock { $0 } <= 6)
  }
}
