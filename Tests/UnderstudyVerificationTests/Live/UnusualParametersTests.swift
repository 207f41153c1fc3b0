import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Unusual values of parameters, and parameters that the contract does not describe.
struct UnusualParametersTests {
  private typealias Base = LiveBaseTests

  /// The targets of a run, and its findings about failures.
  private static func run(
    _ paths: String, _ answer: @escaping @Sendable (HTTPRequest) -> Int
  ) async throws -> (targets: [String], report: Report) {
    let targets = Mutex<[String]>([])
    let report = try await live([Base.contract(paths)]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      targets.withLock { $0.append(request.path ?? "") }
      return Base.answer(answer(request))
    }
    return (targets.withLock { $0 }, report)
  }

  private static let texts = """
    /x:
      get:
        operationId: x
        parameters: [{in: query, name: a, schema: {type: string}}, {in: query, name: b, schema: {type: string}}]
        responses: {"200": {description: OK}, "400": {description: No}}
    """

  @Test func `unusual values of one kind share a request that the server does not refuse`() async throws {
    let (targets, _) = try await Self.run(Self.texts) { _ in 200 }
    #expect(targets.contains("/x?a=a%00b&b=a%00b"), "\(targets)")
    #expect(!targets.contains("/x?a=a%00b") && !targets.contains("/x?b=a%00b"), "\(targets)")
  }

  @Test func `a failure is found behind another value that the server refuses`() async throws {
    let (targets, report) = try await Self.run(Self.texts) { request in
      let target = request.path ?? ""
      return target.contains("a=a%0D%0Ab") ? 400 : target.contains("b=a%0D%0Ab") ? 500 : 200
    }
    #expect(targets.contains("/x?a=a%0D%0Ab&b=a%0D%0Ab"), "\(targets)")
    #expect(report.reported == ["GET /x 500 resp.server-error"], "\(report.explained)")
    #expect(report.findings.first?.reproduction?.contains("/x?b=a%0D%0Ab'") == true, "\(report.explained)")
  }

  @Test func `operations that share a parameter all get every unusual value of it`() async throws {
    let names = (1...5).map { "o\($0)" }
    let paths = names.map { name in
      """
      /\(name):
        get:
          operationId: \(name)
          parameters: [{in: query, name: a, schema: {type: string}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """
    }
    let (targets, _) = try await Self.run(paths.joined(separator: "\n")) { _ in 200 }
    for name in names {
      for value in ["a%00b", "a%0D%0Ab", "a%1Bb", "%F0%9F%98%80"] {
        #expect(targets.contains("/\(name)?a=\(value)"), "\(targets)")
      }
    }
  }

  @Test func `a text that the contract allows is refused only as documented`() async throws {
    func report(_ schema: String, _ status: Int) async throws -> Report {
      let path = """
        /x:
          get:
            operationId: x
            parameters: [{in: query, name: a, schema: \(schema)}]
            responses: {"200": {description: OK}, "422": {description: No}}
        """
      return try await Self.run(path) { $0.path?.contains("a=%F0%9F%98%80") == true ? status : 200 }.report
    }
    let undocumented = try await report("{type: string}", 400)
    #expect(undocumented.reported == ["GET /x 400 resp.status.undocumented"], "\(undocumented.explained)")
    #expect(undocumented.findings.first?.reproduction?.contains("a=%F0%9F%98%80") == true, "\(undocumented.explained)")
    // A documented refusal of an unusual value may be the server's choice, which the contract does not say.
    let documented = try await report("{type: string}", 422)
    #expect(documented.reported == ["GET /x 422 prov.valid-rejected"], "\(documented.explained)")
    #expect(documented.findings.allSatisfy { $0.severity == .info })
    // The others break the contract there, which this server accepts.
    for schema in [#"{type: string, pattern: "^[a-z]*$"}"#, "{type: string, format: hostname}"] {
      #expect(try await report(schema, 400).reported == ["GET /x 200 prov.invalid-accepted"])
    }
  }

  private static func paths(_ parameter: String, _ names: [String] = ["x"]) -> String {
    names.map { name in
      """
      /\(name):
        get:
          operationId: \(name)
          parameters: [\(parameter), {in: query, name: other, schema: {type: boolean}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """
    }.joined(separator: "\n")
  }

  @Test(arguments: [
    ("{type: string}", "", "with an empty text"), ("{type: string}", "a%1Bb", "with an escape character"),
    ("{type: integer}", "-1", "with a negative number"), ("{type: number}", "-1", "with a negative number"),
  ])
  func `a documented refusal of an unusual value that the contract allows is an info`(
    schema: String, value: String, what: String
  ) async throws {
    let (_, report) = try await Self.run(Self.paths("{in: query, name: a, schema: \(schema)}")) { request in
      let query = Base.parts(request).query.split(separator: "&", omittingEmptySubsequences: false)
      if let other = query.first(where: { $0.hasPrefix("other=") }), !["other=true", "other=false"].contains(other) {
        return 400
      }
      guard let pair = query.first(where: { $0.hasPrefix("a=") }) else { return 200 }
      return pair == "a=\(value)" || (schema != "{type: string}" && Double(pair.dropFirst(2)) == nil) ? 400 : 200
    }
    #expect(report.reported == ["GET /x 400 prov.valid-rejected"], "\(report.explained)")
    let finding = try #require(report.findings.first)
    #expect(finding.severity == .info && finding.message.hasSuffix(": query `a` \(what)"), "\(report.explained)")
    #expect(finding.reproduction?.contains("/x?a=\(value)'") == true, "\(report.explained)")
  }

  @Test(arguments: [
    ("{type: string, minLength: 1}", ""), ("{type: string, format: hostname}", ""), ("{type: string, enum: [x]}", ""),
    ("{type: integer, minimum: 0}", "-1"), ("{type: integer, enum: [1, 2]}", "-1"),
  ])
  func `a value that the contract forbids is not called allowed`(schema: String, value: String) async throws {
    let (_, report) = try await Self.run(Self.paths("{in: query, name: a, schema: \(schema)}")) { request in
      let query = Base.parts(request).query.split(separator: "&", omittingEmptySubsequences: false)
      return query.contains("a=\(value)") ? 400 : 200
    }
    #expect(!report.findings.contains { $0.rule == "prov.valid-rejected" }, "\(report.explained)")
  }

  @Test func `the empty texts that several operations refuse are one finding`() async throws {
    let paths = Self.paths("{in: query, name: a, schema: {type: string}}", ["x", "y", "z"])
    let (_, report) = try await Self.run(paths) { request in
      Base.parts(request).query.split(separator: "&", omittingEmptySubsequences: false).contains("a=") ? 400 : 200
    }
    let refusals = report.findings.filter { $0.rule == "prov.valid-rejected" }
    #expect(refusals.count == 1, "\(report.explained)")
    #expect(refusals.first?.others.map(\.subject.title) == ["GET /y", "GET /z"], "\(report.explained)")
  }

  @Test func `what a server refuses in every valid request too is no refusal of an unusual value`() async throws {
    let (_, report) = try await Self.run(Self.paths("{in: query, name: a, schema: {type: string}}")) { request in
      Base.parts(request).query.split(separator: "&", omittingEmptySubsequences: false).contains("a=") ? 400 : 403
    }
    #expect(!report.findings.contains { $0.severity == .info }, "\(report.explained)")
  }

  @Test func `a negative number in a path is refused in an undocumented status`() async throws {
    let path = """
      /roles/{id}:
        get:
          operationId: role
          parameters: [{in: path, name: id, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """
    let (_, report) = try await Self.run(path) { request in
      request.path?.hasPrefix("/roles/-") == true ? 405 : Int(request.path?.dropFirst(7) ?? "") == nil ? 404 : 200
    }
    #expect(report.reported.contains("GET /roles/{id} 405 resp.status.undocumented"), "\(report.explained)")
  }

  @Test func `a parameter without a type is sent as a number of three digits`() async throws {
    let path = """
      /status/{code}:
        get:
          operationId: status
          parameters: [{in: path, name: code, required: true}]
          responses: {"200": {description: OK}, "404": {description: None}}
      /codes:
        get:
          operationId: codes
          parameters: [{in: query, name: code, schema: {}}]
          responses: {"200": {description: OK}}
      """
    let (_, report) = try await Self.run(path) { request in
      let target = request.path ?? ""
      return target == "/status/299" || target == "/codes?code=299" ? 299 : 200
    }
    #expect(
      report.reported == [
        "GET /status/{code} 299 resp.status.undocumented", "GET /codes 299 resp.status.undocumented",
      ], "\(report.explained)")
  }

  @Test func `a parameter without a schema is sent as a text and as a number`() async throws {
    let path = """
      /status/{code}:
        get:
          operationId: status
          parameters: [{in: path, name: code, required: true}, {in: header, name: X-Tag}]
          responses: {"200": {description: OK}}
      """
    let (_, report) = try await Self.run(path) { request in
      request.path == "/status/0" ? 500 : request.headerFields.first(named: "X-Tag") == "0" ? 503 : 200
    }
    #expect(
      report.reported == ["GET /status/{code} 500 resp.server-error", "GET /status/{code} 503 resp.server-error"],
      "\(report.explained)")
  }

  @Test func `a name in the path without a parameter is filled, and its answers are validated`() async throws {
    let path = """
      /tags/{tag}:
        get: {operationId: tag, responses: {"200": {description: OK}}}
      """
    let (targets, report) = try await Self.run(path) { request in request.path == "/tags/understudy" ? 202 : 400 }
    #expect(targets.contains("/tags/understudy"), "\(targets)")
    // Whether 400 refuses a valid value is not known.
    #expect(report.reported == ["GET /tags/{tag} 202 resp.status.undocumented"], "\(report.explained)")
  }

  @Test func `a path parameter that the path does not name keeps no operation from being called`() async throws {
    let path = """
      /tags:
        get:
          operationId: tags
          parameters: [{in: path, name: tag, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}}
      """
    let (targets, report) = try await Self.run(path) { _ in 202 }
    #expect(targets.contains("/tags"), "\(targets)")
    #expect(report.reported == ["GET /tags 202 resp.status.undocumented"], "\(report.explained)")
  }

  @Test(arguments: [4, 6]) func `operations that share a parameter break it together in every way`(
    count: Int
  ) async throws {
    let parameter = "{in: query, name: n, schema: {type: integer, minimum: 1, maximum: 9, multipleOf: 2}}"
    func paths(_ names: [String]) -> String {
      names.map { name in
        """
        /\(name):
          get: {operationId: \(name), parameters: [\(parameter)], responses: {"200": {description: OK}, "400": {description: No}}}
        """
      }.joined(separator: "\n")
    }
    func values(_ targets: [String]) -> Set<String> {
      Set(targets.compactMap { $0.split(separator: "?").last.map(String.init) }.filter { $0.hasPrefix("n=") })
    }
    @Sendable func refuses(_ request: HTTPRequest) -> Int {
      let value = (request.path ?? "").split(separator: "=").last.map(String.init)
      guard let value, request.path?.contains("n=") == true else { return 200 }
      return Int(value).map { 1...9 ~= $0 && $0 % 2 == 0 } == true ? 200 : 400
    }
    let (alone, _) = try await Self.run(paths(["o"]), refuses)
    let names = (1...count).map { "o\($0)" }
    let (together, report) = try await Self.run(paths(names), refuses)
    #expect(values(alone).isSubset(of: values(together)), "\(values(alone).subtracting(values(together)))")
    #expect(Set(together.map { $0.prefix { $0 != "?" } }).count == count)
    #expect(report.reported == [], "\(report.explained)")
  }

  /// The report about many operations that have no data for any request; they all get the same answer but for an empty text.
  private static func withoutData(_ valid: Int, _ empty: Int) async throws -> Report {
    let names = (1...14).map { "o\($0)" }
    let paths = names.map { name in
      """
      /\(name):
        get:
          operationId: \(name)
          parameters: [{in: query, name: p\(name), required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "400": {description: No}, "404": {description: None}}
      """
    }
    return try await live([Base.contract(paths.joined(separator: "\n"))]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let query = Base.parts(request).query
      guard query.hasPrefix("po") else { return Base.answer(400, #"{"message": "missing"}"#) }
      return query.hasSuffix("=")
        ? Base.answer(empty, #"{"message": "empty"}"#) : Base.answer(valid, #"{"message": "none"}"#)
    }
  }

  @Test func `an empty text is refused where any other one finds no data`() async throws {
    let report = try await Self.withoutData(404, 400)
    let found = report.findings.filter { $0.rule == "prov.valid-rejected" }
    #expect(found.count == 1 && found.first?.others.count == 13, "\(report.explained)")
    #expect(found.first?.severity == .info && found.first?.message.hasSuffix("with an empty text") == true)
  }

  @Test(arguments: [(400, 404), (404, 404)])
  func `a refusal of an empty text is unclear where other refusals may be the reason`(
    valid: Int, empty: Int
  ) async throws {
    let report = try await Self.withoutData(valid, empty)
    #expect(!report.findings.contains { $0.message.contains("an empty text") }, "\(report.explained)")
  }
}
