import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// What servers do that no contract says: refuse everything, want plain names, fail at what is there.
struct LiveUntunedTests {
  private typealias Base = LiveBaseTests

  /// The report about a server, and its requests with their bodies.
  private static func run(
    _ contract: String,
    _ server:
      @escaping @Sendable (_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]) -> (
        HTTPResponse, [UInt8]
      ),
    configure: (inout LiveSettings) -> Void = { _ in }
  ) async throws -> (sent: [String], report: Report) {
    let sent = Mutex<[String]>([])
    let report = try await live([Base.contract(contract)]) { request, body in
      let path = Base.parts(request).path
      sent.withLock { $0.append("\(request.method.rawValue) \(path) \(String(decoding: body, as: UTF8.self))") }
      return server(request.method, path, body)
    } configure: {
      configure(&$0)
    }
    return (sent.withLock { $0 }, report)
  }

  private static func name(in body: [UInt8]) -> String? { (try? JSONParser.parse(body).root)?["name"]?.string }

  // MARK: - Refusals

  private static let daemon = """
    /daemon:
      get:
        operationId: daemon
        parameters: [{name: name, in: query, schema: {type: string, minLength: 1}}]
        responses: {"200": {description: OK}, "400": {description: No}}
    """

  @Test(arguments: [true, false]) func `one refusal of every valid request is about the state of the server`(
    isOfState: Bool
  ) async throws {
    let (_, report) = try await Self.run(Self.daemon) { method, _, _ in
      guard method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      return Base.answer(400, isOfState ? #"{"message": "no daemon runs here"}"# : "")
    }
    #expect(report.findings.contains { $0.rule == "prov.valid-rejected" } == !isOfState, "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("every one got the same refusal") } == isOfState)
  }

  @Test func `an operation that refuses all valid requests for their credentials gets no unusual ones`() async throws {
    let (sent, report) = try await Self.run(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [size], properties: {size: {type: integer}, text: {type: string}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """
    ) { method, _, _ in method == .post ? Base.answer(401) : Base.answer(405, "", [.allow: "POST"]) }
    let posts = sent.filter { $0.hasPrefix("POST") }
    #expect((1...6).contains(posts.count), "\(posts)")
    #expect(report.findings.contains { $0.rule == "prov.auth.open" }, "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("for its credentials") })
  }

  // MARK: - Names

  private static func groups(_ schema: String = "{type: string}", responses: String = "") -> String {
    """
    /groups:
      post:
        operationId: addGroup
        requestBody:
          required: true
          content:
            application/json:
              schema: {type: object, required: [name], properties: {name: \(schema)}}
        responses: {"201": {description: Made}, "400": {description: No}, "415": {description: No}\(responses)}
    /groups/{group}:
      get:
        operationId: group
        parameters: [{name: group, in: path, required: true, schema: {type: string}}]
        responses: {"200": {description: OK}, "404": {description: None}}
    """
  }

  @Test func `a refused name is tried as one plain word, and the refusal is still found`() async throws {
    let names = Mutex<Set<String>>([])
    let (sent, report) = try await Self.run(Self.groups()) { method, path, body in
      if method == .get {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return Base.answer(names.withLock { $0.contains(name) } ? 200 : 404)
      }
      guard method == .post else { return Base.answer(405, "", [.allow: "GET, POST"]) }
      guard let name = Self.name(in: body) else { return Base.answer(400, #"{"message": "no object"}"#) }
      guard name.utf8.count > 2, name.utf8.allSatisfy({ 48...57 ~= $0 || 97...122 ~= $0 }) else {
        return Base.answer(400, #"{"message": "letters and digits only"}"#)
      }
      return names.withLock { $0.insert(name).inserted } ? Base.answer(201, "{}") : Base.answer(409)
    }
    let accepted = names.withLock { $0 }
    #expect(
      accepted.contains { $0.hasPrefix("adalovelace") || $0.hasPrefix("gracehopper") || $0.hasPrefix("alan") },
      "\(sent)")
    #expect(sent.contains { line in accepted.contains { line.hasPrefix("GET /groups/\($0) ") } }, "\(sent)")
    #expect(
      report.findings.contains { $0.rule == "prov.valid-rejected" && $0.help?.contains("letters") == true },
      "\(report.explained)")
  }

  @Test func `a server that fails at a name that it has is found, with both requests`() async throws {
    let names = Mutex<Set<String>>([])
    let (_, report) = try await Self.run(Self.groups("{type: string, minLength: 1, maxLength: 60}")) {
      method, path, body in
      guard method == .post else { return Base.answer(method == .get ? 404 : 405, "", [.allow: "GET, POST"]) }
      guard let name = Self.name(in: body), 1...60 ~= name.unicodeScalars.count else { return Base.answer(400) }
      return Base.answer(names.withLock { $0.insert(name).inserted } ? 201 : 500)
    } configure: {
      $0.mode = .positive
    }
    let failures = report.findings.filter { $0.rule == "resp.server-error" }
    #expect(failures.count == 1, "\(report.explained)")
    let lines = failures.first?.reproduction?.split(separator: "\n") ?? []
    #expect(lines.count == 2 && lines.first == lines.last, "\(report.explained)")
  }

  @Test func `a failure at a new name is shown with a name that is new each time`() async throws {
    let names = Mutex<Set<String>>([])
    let contract = Self.groups("{type: string, minLength: 1, maxLength: 60}").replacing(
      "properties: {name:", with: "properties: {size: {type: integer, minimum: 0, maximum: 9}, name:"
    )
    let (_, report) = try await Self.run(contract) { method, path, body in
      guard method == .post else { return Base.answer(method == .get ? 404 : 405, "", [.allow: "GET, POST"]) }
      guard let name = Self.name(in: body), 1...60 ~= name.unicodeScalars.count else { return Base.answer(400) }
      guard names.withLock({ $0.insert(name).inserted }) else { return Base.answer(400, #"{"message": "taken"}"#) }
      let size = (try? JSONParser.parse(body).root)?["size"]?.int
      return Base.answer(size == 9 ? 500 : 201)
    } configure: {
      $0.mode = .positive
    }
    let failure = try #require(report.findings.first { $0.rule == "resp.server-error" }, "\(report.explained)")
    #expect(failure.reproduction?.hasPrefix("moment=$(date +%s%N)") == true, "\(report.explained)")
  }

  // MARK: - Order

  @Test func `every operation has its valid requests before any has an unusual one`() async throws {
    let contract = (1...3).map { number in
      """
      /x\(number):
        get:
          operationId: x\(number)
          parameters: [{name: n, in: query, required: true, schema: {type: integer}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """
    }
    let sent = Mutex<[String]>([])
    _ = try await live([Base.contract(contract.joined(separator: "\n"))]) { request, _ in
      let (path, query) = Base.parts(request)
      let isValid = request.method == .get && query.hasPrefix("n=") && Int(query.dropFirst(2)) != nil
      sent.withLock { $0.append("\(path) \(isValid)") }
      return Base.answer(isValid ? 200 : request.method == .get ? 400 : 405, "", [.allow: "GET"])
    }
    let lines = sent.withLock { $0 }
    let first = try #require(lines.firstIndex { $0.hasSuffix("false") })
    for number in 1...3 { #expect(lines[..<first].contains("/x\(number) true"), "\(lines)") }
  }

  @Test func `one of many operations tries a part of what one reader reads for all`() async throws {
    func contract(_ count: Int) -> String {
      (1...count).map { "/x\($0): {get: {operationId: x\($0), responses: {\"200\": {description: OK}}}}" }
        .joined(separator: "\n")
    }
    var counts: [Int] = []
    for number in [12, 17] {
      let (sent, _) = try await Self.run(contract(number)) { method, _, _ in
        method == .get ? Base.answer(200) : Base.answer(405, "", [.allow: "GET"])
      }
      let methods = Set(sent.map { $0.prefix { $0 != " " } })
      #expect(
        methods == ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "UNDERSTUDY"], "\(sent)")
      counts.append(sent.count)
    }
    // Of each operation.
    #expect(counts[1] * 12 < counts[0] * 17 * 2 / 3, "\(counts)")
  }

  // MARK: - Causes

  @Test func `what a server decoded of a request is no word of its own`() async throws {
    let echoed = try await live([
      Base.contract(
        """
        /x:
          get:
            operationId: x
            parameters: [{name: n, in: query, required: true, schema: {type: string, enum: [café au lait, thé vert]}}]
            responses: {"200": {description: OK}}
        """)
    ]) { request, _ in
      let query = PercentEncoding.decode(Base.parts(request).query) ?? ""
      return Base.answer(500, #"{"message": "cannot brew \#(query)"}"#)
    } configure: {
      $0.mode = .positive
    }
    #expect(echoed.reported == ["GET /x 500 resp.server-error"], "\(echoed.explained)")
  }

  @Test func `valid requests that fail without a word are a cause of each operation`() async throws {
    let contract = (1...6).map { "/x\($0): {get: {operationId: x\($0), responses: {\"200\": {description: OK}}}}" }
    let (_, report) = try await Self.run(contract.joined(separator: "\n")) { method, _, _ in
      Base.answer(method == .get ? 500 : 501, "Internal Server Error")
    }
    #expect(report.findings.count { $0.rule == "resp.server-error" } == 6, "\(report.explained)")
  }

  // MARK: - Paths of files

  @Test func `a path whose pattern wants a root keeps it`() async throws {
    let (sent, _) = try await Self.run(
      """
      /files:
        post:
          operationId: write
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [path, folder]
                  properties: {path: {type: string, pattern: '^/[a-z]+$'}, folder: {type: string, example: /a/b}}
          responses: {"200": {description: OK}}
      """
    ) { _, _, _ in Base.answer(200) }
    #expect(sent.contains { $0.contains(#""path":"/"#) }, "\(sent)")
  }
}
