import HTTPTypes
import Synchronization
import TestSupport
import Testing
import Understudy

/// The commands that repeat what a live run saw.
struct ReproductionTests {
  private typealias Base = LiveBaseTests

  /// Notes that a PUT creates, whose first answer breaks the contract.
  private static func report(canDelete: Bool) async throws -> Report {
    let gone = #"{"204": {description: Gone}, "404": {description: None}}"#
    let deletion = "\n  delete: {operationId: remove, responses: \(gone)}"
    let contract = try Base.contract(
      """
      /notes/{id}:
        parameters: [{in: path, name: id, required: true, schema: {type: string, pattern: "^[a-z]+$"}}]
        put:
          operationId: write
          responses:
            "200": {description: Changed}
            "201": {description: Made, content: {application/json: {schema: {type: object, required: [id]}}}}
      """ + (canDelete ? deletion : ""))
    let notes = Mutex<Set<String>>([])
    return try await live([contract]) { request, _ in
      let path = Base.parts(request).path
      switch request.method {
      case .put: return notes.withLock { $0.insert(path).inserted } ? Base.answer(201, "{}") : Base.answer(200)
      case .delete: return Base.answer(notes.withLock { $0.remove(path) } == nil ? 404 : 204)
      default: return Base.answer(501)
      }
    } configure: {
      $0.phases = [.coverage, .random]
    }
  }

  @Test func `what a PUT creates is deleted before it is created again`() async throws {
    let report = try await Self.report(canDelete: true)
    let finding = try #require(report.findings.first { $0.subject.status == "201" }, "\(report.explained)")
    let lines = (finding.reproduction ?? "").split(separator: "\n")
    #expect(lines.count == 2, "\(report.explained)")
    #expect(lines.first?.contains("-X DELETE http://localhost:8080/notes/") == true, "\(report.explained)")
    #expect(lines.last?.contains("-X PUT http://localhost:8080/notes/") == true, "\(report.explained)")
    #expect(
      lines.map { $0.split(separator: "/notes/").last.map { $0.prefix { $0.isLetter } } }.unique().count == 1,
      "\(report.explained)")
  }

  @Test func `nothing is deleted that the contract cannot delete`() async throws {
    let report = try await Self.report(canDelete: false)
    let finding = try #require(report.findings.first { $0.subject.status == "201" }, "\(report.explained)")
    #expect(finding.reproduction?.contains("DELETE") == false, "\(report.explained)")
  }
}
