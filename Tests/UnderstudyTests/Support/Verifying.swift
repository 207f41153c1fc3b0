import Foundation
import SourceText
import TestSupport
import Understudy

/// What verifying `api.yaml` and fixtures, given as texts by `<operation>/<file>`, finds. Marks (`↓`) stand before the
/// places that are expected, and are taken out of the files.
struct Verified {
  var report: Report
  /// `file line:column` of every mark.
  var marks: [String] = []

  init(
    _ contract: String, fixtures: [String: String] = [:], files: [String: String] = [:],
    options: FixtureVerifier.Options = FixtureVerifier.Options()
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var texts = files
    texts["api.yaml"] = contract
    for (path, text) in fixtures { texts["fixtures/api/\(path)"] = text }
    for (path, text) in texts {
      let places = MarkedPlaces(text)
      texts[path] = places.text
      let source = SourceFile(path: path, text: places.text)
      marks += places.offsets.map { "\(path) \(Self.text(source.position(of: $0)))" }
    }
    try write(texts, in: folder.path)
    report = try await Self.report(folder.path, options)
    let prefix = folder.path + "/"
    report.cases = report.cases.map { current in
      var current = current
      current.findings = current.findings.map { finding in
        var finding = finding
        finding.place = finding.place?.without(prefix)
        finding.notes = finding.notes.map { .init($0.message, at: $0.place?.without(prefix)) }
        return finding
      }
      return current
    }
  }

  private static func report(_ folder: String, _ options: FixtureVerifier.Options) async throws -> Report {
    var report = Report(Report.Run("verify fixtures", contracts: ["api.yaml"], startedAt: Timestamp.now()))
    let (verifier, _) = FixtureVerifier.open(folder + "/api.yaml", fixtures: folder + "/fixtures", options)
    guard let verifier else { throw ContractUnusable() }
    await verifier.verify(into: &report)
    return report
  }

  /// The repairs of one JSON fixture of `readPet`, whose schema is given.
  static func repairs(of fixture: String, schema: String) async throws -> [FixtureRepair] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write(
      ["api.yaml": VerifiedContract.pet(schema), "fixtures/api/readPet/200.json": fixture], in: folder)
    let (verifier, _) = FixtureVerifier.open(
      folder + "/api.yaml", fixtures: folder + "/fixtures", FixtureVerifier.Options())
    guard let verifier else { throw ContractUnusable() }
    return await verifier.repairs(sortingMembers: false)
  }

  private static func text(_ position: SourceFile.Position) -> String { "\(position.line):\(position.column)" }

  /// The ids of the rules of all findings, in order.
  var rules: [String] { report.findings.map(\.rule) }

  /// The messages of all findings, in order.
  var messages: [String] { report.findings.map(\.message) }

  /// `file line:column` of every finding and of its notes, sorted, each once.
  var places: [String] {
    let all = report.findings.flatMap { [$0.place] + $0.notes.map(\.place) }.compactMap(\.self)
    return Set(all.compactMap { place in place.line.map { "\(place.file ?? "") \($0):\(place.column ?? 0)" } }).sorted()
  }
}

extension Report.Place {
  /// The place with its file seen from a folder.
  fileprivate func without(_ folder: String) -> Report.Place {
    var place = self
    place.file = file?.replacing(folder, with: "")
    return place
  }
}

/// Contracts for verifying.
enum VerifiedContract {
  /// `GET /pets/{id}` with an object of three properties, and a 404.
  static func pet(_ schema: String = petSchema) -> String {
    """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
            - {name: kind, in: query, schema: {type: string, enum: [cat, dog]}}
            - {name: X-Trace, in: header, required: true, schema: {type: string}}
          responses:
            "200":
              description: The pet.
              headers: {X-Total: {schema: {type: integer}}}
              content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
            4XX:
              description: No.
              content: {application/json: {schema: {type: object, required: [title]}}}
    components:
      schemas:
        Pet: \(schema)

    """
  }

  static let petSchema =
    "{type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}, "
    + "born: {type: string, format: date-time}, secret: {type: string, writeOnly: true}}}"
}
