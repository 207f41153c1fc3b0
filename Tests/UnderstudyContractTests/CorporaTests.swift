import Foundation
import Testing
import UnderstudyContract
import UnderstudyTestSupport

/// Real descriptions; a debug build takes every tenth, a release build all of them.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct CorporaTests {
  private static let folders = [
    "Azure+openapi-diff", "Bungie-net+api", "OAI+OpenAPI-Specification/tests", "OAI+learn.openapis.org",
    "OpenAPITools+openapi-diff", "Redocly+museum-openapi-example", "XeroAPI+Xero-OpenAPI", "box+box-openapi",
    "discord+discord-api-spec", "figma+rest-api-spec", "line+line-openapi", "moby+moby", "netlify+open-api",
    "octokit+openapi",
    "openai+openai-openapi", "readmeio+oas-examples", "slackapi+slack-api-specs", "swagger-api+swagger-petstore",
  ]

  private static var stride: Int {
    #if DEBUG
    10
    #else
    1
    #endif
  }

  private static func files(in folder: String) -> [String] {
    let root = Corpora.path(folder)
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { name in [".json", ".yaml", ".yml"].contains { name.hasSuffix($0) } }.sorted().map {
      "\(root)/\($0)"
    }
  }

  @Test func `every description reads, or is refused with a position`() {
    var read = 0
    var refused = 0
    for (number, path) in Self.folders.flatMap(Self.files).enumerated() where number % Self.stride == 0 {
      let (api, diagnostics) = OpenAPIReader.read(path, from: DocumentStore())
      if let api {
        read += 1
        for finding in Linter.lint(api) {
          #expect(finding.location?.start != nil, "\(path): \(finding.rule.id) \(finding.message)")
        }
      } else {
        refused += 1
        let reason = diagnostics.first
        #expect(reason?.rule == .specUnparsable, "\(path)")
        #expect(reason?.location?.start != nil, "\(path): \(reason?.message ?? "")")
      }
    }
    #expect(read > 400 / Self.stride)
    #expect(refused < read)
  }

  @Test func `a description of about a thousand files is read as one`() throws {
    let store = DocumentStore()
    let path = Corpora.path("digitalocean+openapi/specification/DigitalOcean-public.v2.yaml")
    let api = try #require(OpenAPIReader.read(path, from: store).api)
    #expect(api.diagnostics.map(\.message) == [])
    #expect(api.operations.count > 600)
    #expect(api.files.count > 1_000)
    #expect(store.missing == [])
  }

  @Test(arguments: ["OAI+learn.openapis.org/examples", "readmeio+oas-examples"])
  func `JSON and YAML twins have the same cells`(_ folder: String) throws {
    var pairs = 0
    // These twins differ themselves: other methods, another callback.
    let unlike = ["3.1/json/parameters-style.json", "tictactoe.json"]
    for json in Self.files(in: folder) where json.hasSuffix(".json") && !unlike.contains(where: json.hasSuffix) {
      let yaml = String(json.replacingOccurrences(of: "/json/", with: "/yaml/").dropLast(5)) + ".yaml"
      guard FileManager.default.fileExists(atPath: yaml), let a = OpenAPIReader.read(json, from: DocumentStore()).api
      else {
        continue
      }
      let b = try #require(OpenAPIReader.read(yaml, from: DocumentStore()).api, "\(yaml)")
      #expect(cells(a) == cells(b), "\(json)")
      pairs += 1
    }
    #expect(pairs > 10)
  }

  private func cells(_ api: API) -> [String] {
    (api.operations + api.webhooks).flatMap { operation in
      operation.responses.map { "\(operation.id) \(operation.method) \(operation.path) \($0.status)" }
    }.sorted()
  }

  @Test(arguments: [
    "swagger-api+swagger-petstore/src/main/resources/openapi.yaml", "Redocly+museum-openapi-example/openapi.yaml",
    "box+box-openapi/openapi.json", "octokit+openapi/cache/api.github.com.json", "moby+moby/api/swagger.yaml",
    "discord+discord-api-spec/specs/openapi.json", "figma+rest-api-spec/openapi/openapi.yaml",
  ])
  func `descriptions that thousands rely on have no errors`(_ path: String) throws {
    let api = try #require(OpenAPIReader.read(Corpora.path(path), from: DocumentStore()).api)
    #expect(Linter.lint(api).filter { $0.severity == .error }.map { "\($0.place) \($0.message)" } == [])
  }
}
