import Foundation
import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// The schemas that the OpenAPI Initiative publishes for its own documents.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct OfficialSchemaTests {
  private func document(_ path: String) throws -> JSON {
    try JSONParser.parse(Array(try Data(contentsOf: URL(fileURLWithPath: Corpora.path(path))))).root
  }

  private func swagger2() throws -> Schema {
    let schema = try document("OAI+OpenAPI-Specification/_archive_/schemas/v2.0/schema.json")
    return SchemaLibrary(dialect: .draft4).schema(at: schema)
  }

  // MARK: - OpenAPI 3

  /// A schema written in YAML, with the files that it refers to by their `$id`.
  private func schema(_ path: String, with others: [String] = [], _ dialect: Dialect) throws -> Schema {
    var named: [String: JSONDocument] = [:]
    for other in others {
      let document = try TextDocument.read(FileSystem.read(Corpora.path(Self.folder + other)))
      named[try #require(document.root["$id"]?.string)] = document
    }
    let known = named
    let root = try TextDocument.read(FileSystem.read(Corpora.path(Self.folder + path))).root
    return SchemaLibrary(dialect: dialect, load: { known[$0] }).schema(at: root)
  }

  private static let folder = "OAI+OpenAPI-Specification/"

  private static func documents(in path: String) -> [String] {
    let names = (try? FileSystem.list(Corpora.path(folder + path)).map(\.name)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.map { path + $0 }
  }

  private func schema31() throws -> Schema {
    let folder = "src/schemas/validation/"
    return try schema(
      folder + "schema-base.yaml", with: ["schema.yaml", "dialect.yaml", "meta.yaml"].map { folder + $0 }, .draft2020)
  }

  private func value(_ path: String) throws -> JSON {
    try TextDocument.read(FileSystem.read(Corpora.path(Self.folder + path))).root
  }

  @Test func `the folders of OpenAPI 3 documents are there`() {
    #expect(Self.documents(in: "tests/schema/pass/").count >= 30)
    #expect(Self.documents(in: "tests/schema/fail/").count >= 10)
    #expect(Self.documents(in: "_archive_/schemas/v3.0/pass/").count >= 6)
  }

  @Test(arguments: documents(in: "tests/schema/pass/"))
  func `the valid OpenAPI 3_1 documents pass`(path: String) throws {
    let schema = try schema31()
    #expect(schema.problems.isEmpty)
    #expect(schema.failures(try value(path)).map(\.message) == [])
  }

  @Test(arguments: documents(in: "tests/schema/fail/"))
  func `the invalid OpenAPI 3_1 documents fail`(path: String) throws {
    guard case .refused = try schema31().verdict(try value(path)) else {
      Issue.record("\(path) was not refused")
      return
    }
  }

  @Test(arguments: documents(in: "_archive_/schemas/v3.0/pass/"))
  func `the valid OpenAPI 3_0 documents pass`(path: String) throws {
    let schema = try schema("_archive_/schemas/v3.0/schema.yaml", .draft4)
    #expect(schema.problems.isEmpty)
    #expect(schema.failures(try value(path)).map(\.message) == [])
  }

  /// There is no folder of documents that must fail as 3.0: those that must pass, each with one thing broken.
  @Test(arguments: documents(in: "_archive_/schemas/v3.0/pass/"))
  func `a document of OpenAPI 3_0 without its info fails`(path: String) throws {
    let whole = try value(path)
    let broken: JSON = .object(whole.members.filter { $0.name != "info" }.map { ($0.name, $0.value) })
    let failures = try schema("_archive_/schemas/v3.0/schema.yaml", .draft4).failures(broken)
    #expect(failures.map(\.message) == ["the property `info` is missing"])
  }

  // MARK: - Swagger 2.0

  /// The official repository has no documents for 2.0; these are real ones and small ones of others.
  private static let swagger2Documents = [
    "slackapi+slack-api-specs/web-api/slack_web_openapi_v2.json", "moby+moby/api/swagger.yaml",
    "readmeio+oas-examples/2.0/yaml/api-with-examples.yaml", "readmeio+oas-examples/2.0/yaml/petstore-expanded.yaml",
    "readmeio+oas-examples/2.0/yaml/petstore-minimal.yaml", "readmeio+oas-examples/2.0/yaml/petstore-simple.yaml",
    "readmeio+oas-examples/2.0/yaml/petstore.yaml", "readmeio+oas-examples/2.0/yaml/schema-circular.yaml",
  ]

  @Test(arguments: swagger2Documents)
  func `a Swagger 2.0 document passes, and fails without its info`(path: String) throws {
    let schema = try swagger2()
    let whole = try TextDocument.read(FileSystem.read(Corpora.path(path))).root
    #expect(schema.failures(whole).map(\.message) == [])
    let broken: JSON = .object(whole.members.filter { $0.name != "info" }.map { ($0.name, $0.value) })
    #expect(schema.failures(broken).map(\.message) == ["the property `info` is missing"])
  }

  @Test func `an unknown field in a Swagger 2.0 document is reported with its position`() throws {
    let failures = try swagger2().failures(try document("Bungie-net+api/openapi-2.json"), limit: 500)
    let strays = failures.filter { $0.keyword == "additionalProperties" }
    #expect(!strays.isEmpty)
    #expect(strays.contains { $0.instance.tokens.suffix(2) == ["items", "description"] })
    #expect(strays.allSatisfy { $0.message.contains("`\($0.instance.tokens.last ?? "")` is not declared") })
  }
}
