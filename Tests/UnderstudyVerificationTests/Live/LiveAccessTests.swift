import Foundation
import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The effect of a run on the access to its server, and its conclusions from credentials.
struct LiveAccessTests {
  private typealias Base = LiveBaseTests

  /// A contract whose operations need a key.
  private static func contract(_ paths: String) throws -> Contract {
    try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
      \(paths.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
  }

  private static let lists = """
    /a: {get: {operationId: a, responses: {"200": {description: OK}, "401": {description: No}}}}
    /b: {get: {operationId: b, responses: {"200": {description: OK}, "401": {description: No}}}}

    """

  private static func run(
    _ contract: Contract, configure: (inout LiveSettings) -> Void = { _ in },
    _ server: @escaping @Sendable (_ line: String, _ key: String?) -> Int
  ) async throws -> (sent: [String], report: Report) {
    let sent = Mutex<[String]>([])
    let report = try await live([contract]) { request, _ in
      let line = "\(request.method.rawValue) \(Base.parts(request).path)"
      let key = request.headerFields.first(named: "X-Key")
      sent.withLock { $0.append("\(line) \(key ?? "-")") }
      let status = server(line, key)
      return Base.answer(status, "", status == 405 ? [.allow: "GET"] : [:])
    } configure: {
      configure(&$0)
    }
    return (sent.withLock { $0 }, report)
  }

  // MARK: - Switches

  private static let switches = """
    /auth/disable: {post: {operationId: off, responses: {"200": {description: OK}}}}
    /jwt/settings: {post: {operationId: jwt, responses: {"200": {description: OK}}}}
    /rules:
      put:
        operationId: rules
        summary: Disables authentication for all users
        responses: {"200": {description: OK}}
    /server:
      patch:
        operationId: server
        requestBody:
          content:
            application/json: {schema: {type: object, properties: {legacyTokensEnabled: {type: boolean}}}}
        responses: {"200": {description: OK}}
    /display/settings: {post: {operationId: display, responses: {"200": {description: OK}}}}
    """

  @Test(arguments: [true, false]) func `operations that may switch authentication are sent only where that is allowed`(
    isAllowed: Bool
  ) async throws {
    let contract = try Self.contract(Self.lists + Self.switches)
    let (sent, report) = try await Self.run(contract, configure: { $0.allowsDestructive = isAllowed }) { line, _ in
      ["GET /a", "GET /b"].contains(line) || line.hasPrefix("P") ? 200 : 405
    }
    for line in ["POST /auth/disable", "POST /jwt/settings", "PUT /rules", "PATCH /server"] {
      let first = sent.firstIndex { $0.hasPrefix(line + " ") }
      #expect((first != nil) == isAllowed, "\(line): \(sent)")
      guard let first, let last = sent.lastIndex(where: { $0.hasPrefix("GET /b ") }) else { continue }
      #expect(sent.firstIndex { $0.hasPrefix("POST /display/settings") } ?? first < first)
      #expect(sent.firstIndex { $0.hasPrefix("GET /b ") } ?? last < first)
    }
    #expect(sent.contains { $0.hasPrefix("POST /display/settings") })
    #expect(report.notValidated.contains { $0.reason.contains("may switch authentication") } == !isAllowed)
  }

  private static let flip = """
    /flip: {post: {operationId: flip, responses: {"200": {description: OK}, "401": {description: No}}}}
    """

  @Test func `a run that switched authentication off reports no ignored credentials`() async throws {
    let isOpen = Mutex(false)
    let contract = try Self.contract(Self.lists + Self.flip)
    let (_, report) = try await Self.run(contract, configure: { $0.credentials = ["key": "good"] }) { line, key in
      let isIn = key == "good" || isOpen.withLock { $0 }
      guard ["GET /a", "GET /b", "POST /flip"].contains(line) else { return 405 }
      if isIn, line == "POST /flip" { isOpen.withLock { $0 = true } }
      return isIn ? 200 : 401
    }
    #expect(!report.reported.contains { $0.contains("prov.auth") }, "\(report.explained)")
    #expect(
      report.remarks.contains {
        $0
          == "the server asks for no credentials since POST /flip (200); nothing is reported about credentials after that"
      }, "\(report.remarks)")
    #expect(report.notValidated.contains { $0.reason.hasPrefix("whether credentials are required") })
  }

  @Test func `a server that ignores credentials from the start is still reported`() async throws {
    let contract = try Self.contract(Self.lists + Self.flip)
    let (_, report) = try await Self.run(contract, configure: { $0.credentials = ["key": "good"] }) { line, key in
      line == "GET /a" ? 200 : ["GET /b", "POST /flip"].contains(line) ? (key == "good" ? 200 : 401) : 405
    }
    #expect(
      report.reported.filter { $0.contains("prov.auth") } == ["GET /a 200 prov.auth.ignored"], "\(report.explained)")
    #expect(!report.remarks.contains { $0.contains("asks for no credentials") })
  }

  @Test func `a run that switched authentication on ends and names the request`() async throws {
    let isClosed = Mutex(false)
    let contract = try Base.contract(Self.lists + Self.flip)
    let (_, report) = try await Self.run(contract) { line, _ in
      guard ["GET /a", "GET /b", "POST /flip"].contains(line) else { return 405 }
      if isClosed.withLock({ $0 }) { return 401 }
      if line == "POST /flip" { isClosed.withLock { $0 = true } }
      return 200
    }
    let reason = report.run.abortedBecause ?? ""
    #expect(reason.hasPrefix("the server asks for credentials since POST /flip (200): GET /"), "\(reason)")
    #expect(
      reason.hasSuffix(" succeeded before and now gets 401; the requests after that are not counted"), "\(reason)")
    #expect(!report.reported.contains { $0.contains("401") }, "\(report.explained)")
  }

  // MARK: - Made-up credentials

  @Test func `credentials are not made up where the server responds as well without`() async throws {
    let contract = try Self.contract(Self.lists)
    // It needs no key, and rejects a bad one.
    let (sent, report) = try await Self.run(contract) { line, key in
      ["GET /a", "GET /b"].contains(line) ? (key == nil ? 200 : 401) : 405
    }
    #expect(sent.dropFirst(4).allSatisfy { $0.hasSuffix(" -") }, "\(sent)")
    #expect(
      report.remarks.contains(
        "no credentials were given, and made-up ones are left out: the server responds as well without (200)"),
      "\(report.remarks)")
    #expect(report.reported.filter { $0.contains("prov.auth.ignored") }.count == 1, "\(report.explained)")
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `credentials are made up where the server looks whether there are any`() async throws {
    let contract = try Self.contract(Self.lists)
    let (sent, report) = try await Self.run(contract) { line, key in
      ["GET /a", "GET /b"].contains(line) ? (key == nil ? 401 : 200) : 405
    }
    #expect(sent.contains("GET /b understudy"), "\(sent)")
    #expect(!report.remarks.contains { $0.contains("left out") })
    #expect(report.reported == [], "\(report.explained)")
  }

  @Test(
    arguments: [
      ("good", "the request had the given credentials"),
      (nil, "the request had made-up credentials; the run was given none for this operation"),
    ] as [(String?, String)])
  func `an undocumented 401 shows the origin of the credentials`(key: String?, help: String) async throws {
    let contract = try Self.contract(
      Self.lists + #"/c: {get: {operationId: c, responses: {"200": {description: OK}}}}"#)
    let (_, report) = try await Self.run(
      contract, configure: { settings in if let key { settings.credentials = ["key": key] } }
    ) { line, key in
      ["GET /a", "GET /b"].contains(line) ? (key == nil ? 401 : 200) : line == "GET /c" ? 401 : 405
    }
    let finding = try #require(report.findings.first { $0.rule == "resp.status.undocumented" }, "\(report.explained)")
    #expect(finding.help == "it documents 200; \(help)")
  }

  // MARK: - Configuration

  @Test(arguments: [("export is disabled on this server", false), ("the size is odd", true)])
  func `a rejection for the configuration of the server is not about the request`(
    message: String, isReported: Bool
  ) async throws {
    let report = try await live([
      Base.contract(
        """
        /x:
          get:
            operationId: x
            parameters: [{name: export, in: query, schema: {type: boolean}}]
            responses: {"200": {description: OK}, "400": {description: No}}
        """)
    ]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let query = Base.parts(request).query
      guard query.contains("export=") else { return Base.answer(200) }
      return Base.answer(400, #"{"message": "\#(message)"}"#)
    }
    #expect(report.findings.contains { $0.rule == "prov.valid-rejected" } == isReported, "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("for its configuration") } == !isReported)
  }

  // MARK: - Names

  @Test func `no server that is measured has a rule of its own`() throws {
    let measured = try Project.text("Evidence/measured_servers.py")
    let names = measured.matches(of: /(?m)^    "([a-z-]+)": dict\(/).map { String($0.output.1) }
    #expect(names.count >= 16)
    for name in names {
      let word = name.replacing("-", with: "")
      for (path, text) in try Self.sources() where text.contains(word) { Issue.record("\(path) names \(name)") }
    }
  }

  /// The sources of live runs in lower case, by path.
  private static func sources() throws -> [(path: String, text: String)] {
    let root = "Sources/UnderstudyVerification/Live"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Project.path(root))
    return try paths.filter { $0.hasSuffix(".swift") }.map { ($0, try Project.text("\(root)/\($0)").lowercased()) }
  }
}
