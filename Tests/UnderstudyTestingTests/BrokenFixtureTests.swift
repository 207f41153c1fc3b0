import UnderstudyTestSupport
import UnderstudyTesting

/// Fixtures and references that cannot be used, in whose place a test would get a sample.
struct BrokenFixtureTests {
  /// - Parameter schema: That of the answer.
  private static func folder(_ files: [String: String], schema: String = "{}") throws -> TemporaryFolder {
    let contract = """
      openapi: 3.1.0
      info: {title: Notes, version: "1"}
      paths:
        /notes:
          get:
            operationId: readNotes
            responses:
              "200": {description: Notes, content: {application/json: {schema: \(schema)}}}

      """
    return try TemporaryFolder(files.merging(["api.yaml": contract]) { first, _ in first })
  }

  @Test func `broken fixtures fail the test at the trait, all of them, before it begins`() async throws {
    let folder = try Self.folder([
      "fixtures/api/readNotes/200.yaml": "bodyFile: none.json", "fixtures/api/readNotes/404.json": "{}",
      "fixtures/api/readNots/200.json": "{}",
    ])
    let line = #line + 1
    let trait = LaneTrait.understudy("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures")
    let found = try await failures(of: trait) { Issue.record("the test ran") }
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.hasPrefix(
        "line \(line): `\(folder.path)/api.yaml` has broken fixtures or references, so a test would get other answers "
          + "than it says\n") == true, "\(found)")
    for part in [
      "the body file `none.json` cannot be read: no such file or folder [fixture.invalid]",
      "readNotes documents no 404 [fixture.status.undocumented]", "[fixture.operation.unknown]",
      "help: did you mean `readNotes`?",
    ] { #expect(found.first?.contains(part) == true, "\(part)\n\(found)") }
  }

  @Test func `a reference that leads nowhere fails the test at the trait`() async throws {
    let folder = try Self.folder([:], schema: "{$ref: \"#/components/schemas/Note\"}")
    let line = #line + 1
    let found = try await failures(of: .understudy("\(folder.path)/api.yaml")) { Issue.record("the test ran") }
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("line \(line): ") == true, "\(found)")
    #expect(found.first?.contains("[spec.ref.unresolved]") == true, "\(found)")
  }

  @Test func `a contract without a folder among the fixtures fails the test at the trait`() async throws {
    let folder = try Self.folder(["fixtures/apis/readNotes/200.json": "{}"])
    let trait = LaneTrait.understudy("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures")
    let found = try await failures(of: trait) { Issue.record("the test ran") }
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.contains("the contract `api` has no folder of fixtures, which would be \(folder.path)/fixtures/api")
        == true, "\(found)")
    #expect(found.first?.contains("help: did you mean `apis`?") == true, "\(found)")
  }

  @Test func `a warning about a fixture does not fail the test`() async throws {
    // In a folder that is not read, and not the JSON of its name.
    let folder = try Self.folder(["fixtures/api/200.json": "{}", "fixtures/api/readNotes/200.json": "{"])
    let trait = LaneTrait.understudy("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures")
    let found = try await failures(of: trait) { #expect((try? send("/notes", fields: ""))?.body == "{") }
    #expect(found == [])
  }

  @Test func `a rule that is allowed accepts them`() async throws {
    let folder = try Self.folder(["fixtures/api/readNots/200.json": "{}", "fixtures/api/readNotes/404.json": "{}"])
    let trait = LaneTrait.understudy("\(folder.path)/api.yaml", fixtures: "\(folder.path)/fixtures")
    let some = try await failures(of: trait.allowing("fixture.operation.unknown")) { Issue.record("the test ran") }
    #expect(some.count == 1 && !some[0].contains("[fixture.operation.unknown]"), "\(some)")
    let found = try await failures(of: trait.allowing("fixture.operation.unknown", "fixture.status.undocumented")) {
      #expect((try? send("/notes", fields: ""))?.status == 200)
    }
    #expect(found == [])
  }

  @Test func `without the trait they are the error of start`() async throws {
    let folder = try Self.folder(["fixtures/api/readNots/200.json": "{}"])
    let (spec, fixtures) = ("\(folder.path)/api.yaml", "\(folder.path)/fixtures")
    let error = await #expect(throws: UnderstudyError.self) {
      try await Lane.open(on: .start(spec, fixtures: fixtures))
    }
    #expect(error?.description.contains("[fixture.operation.unknown]") == true)
    let lane = try await Lane.open(on: .start(spec, fixtures: fixtures, allowing: ["fixture.operation.unknown"]))
    try await lane.close()
  }
}
