import Testing
import UnderstudySchema
import UnderstudyTestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Every schema of real descriptions gets a sample; all of them with `UNDERSTUDY_FULL_CORPORA=1`, a few without.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora")) struct SampleCorporaTests {
  static let isFull = ProcessInfo.processInfo.environment["UNDERSTUDY_FULL_CORPORA"] != nil

  static let small = [
    "swagger-api+swagger-petstore/src/main/resources/openapi.yaml", "Redocly+museum-openapi-example/openapi.yaml",
    "readmeio+oas-examples/2.0/yaml/petstore.yaml", "readmeio+oas-examples/3.0/yaml/discriminators.yaml",
    "readmeio+oas-examples/3.0/yaml/polymorphism.yaml", "readmeio+oas-examples/3.0/yaml/schema-circular.yaml",
    "readmeio+oas-examples/3.1/yaml/schema-types.yaml", "line+line-openapi/webhook.yml",
  ]

  static let large = [
    "readmeio+oas-examples/3.0/yaml/schema-validation.yaml", "readmeio+oas-examples/3.0/yaml/schema-types.yaml",
    "readmeio+oas-examples/3.1/yaml/petstore.yaml", "readmeio+oas-examples/3.0/yaml/readme.yaml",
    "OAI+learn.openapis.org/examples/v3.0/uspto.yaml", "OAI+learn.openapis.org/examples/v3.1/tictactoe.yaml",
    "XeroAPI+Xero-OpenAPI/xero_accounting.yaml", "XeroAPI+Xero-OpenAPI/xero_files.yaml",
    "XeroAPI+Xero-OpenAPI/xero_bankfeeds.yaml", "XeroAPI+Xero-OpenAPI/xero-projects.yaml",
    "XeroAPI+Xero-OpenAPI/xero-finance.yaml", "line+line-openapi/messaging-api.yml", "line+line-openapi/insight.yml",
    "line+line-openapi/manage-audience.yml", "netlify+open-api/swagger.yml", "figma+rest-api-spec/openapi/openapi.yaml",
    "moby+moby/api/swagger.yaml", "moby+moby/api/docs/v1.43.yaml",
    "slackapi+slack-api-specs/web-api/slack_web_openapi_v2.json",
    "discord+discord-api-spec/specs/openapi.json", "Bungie-net+api/openapi-2.json", "Bungie-net+api/openapi.json",
    "box+box-openapi/openapi.json", "openai+openai-openapi/openapi.yaml", "octokit+openapi/cache/api.github.com.json",
    "digitalocean+openapi/specification/DigitalOcean-public.v2.yaml",
  ]

  /// Schemas that nothing fits, since they contradict themselves: strings listed for an integer, equal branches of
  /// `oneOf`.
  static let contradictory = [
    "readmeio+oas-examples/3.0/yaml/discriminators.yaml": 1, "readmeio+oas-examples/3.0/yaml/schema-types.yaml": 2,
    "readmeio+oas-examples/3.1/yaml/schema-types.yaml": 2, "readmeio+oas-examples/3.0/yaml/readme.yaml": 4,
    "discord+discord-api-spec/specs/openapi.json": 1, "Bungie-net+api/openapi-2.json": 152,
    "Bungie-net+api/openapi.json": 152,
  ]

  @Test(arguments: isFull ? small + large : small, isFull ? ["0", "7"] : ["0"])
  func `every schema has a sample`(path: String, seed: String) throws {
    let document = try TextDocument.read(FileSystem.read(Corpora.path(path)))
    let library = SchemaLibrary(dialect: .openAPI31, load: Self.load)
    let generator = SampleGenerator(schemas: library, seed: seed)
    let schemas = Self.schemas(of: document.root, library)
    var missing: [String] = []
    for schema in schemas where generator.sample(of: schema, direction: .response) == nil {
      missing.append("#\(schema.pointer): \(generator.conflict(of: schema, direction: .response)?.description ?? "")")
    }
    print("\(path), seed \(seed): \(schemas.count) schemas, \(missing.count) without a sample")
    for line in missing { print("  \(line)") }
    #expect(missing.count == Self.contradictory[path] ?? 0)
  }

  /// At full size this is `UnderstudyEvidence properties`: every description, 20 seeds.
  @Test(arguments: small)
  func `every invalid sample breaks its keyword in another library too`(path: String) throws {
    let document = try TextDocument.read(FileSystem.read(Corpora.path(path)))
    let library = SchemaLibrary(dialect: .openAPI31, load: Self.load)
    let validates = SchemaLibrary(dialect: .openAPI31, load: Self.load)
    let generator = SampleGenerator(schemas: library, seed: "3")
    for schema in Self.schemas(of: document.root, library) {
      for miss in generator.invalidSamples(of: schema, direction: .either).prefix(20) {
        let failures = validates.schema(at: schema).failures(miss.value)
        #expect(
          failures.contains { $0.keyword == miss.keyword && $0.instance == miss.instance },
          "\(schema.pointer): \(JSONWriter.text(miss.value)) does not break \(miss.keyword)")
      }
    }
  }

  @Sendable static func load(_ uri: String) -> JSONDocument? {
    let remotes = Corpora.path("json-schema-org+JSON-Schema-Test-Suite/remotes/")
    let path = uri.hasPrefix("http://localhost:1234/") ? remotes + uri.dropFirst(22) : uri
    return try? TextDocument.read(FileSystem.read(path))
  }

  /// The schemas that a description names: those of media types, parameters and headers, and its components, in all
  /// its files.
  static func schemas(of root: JSON, _ library: SchemaLibrary) -> [JSON] {
    var found: [JSON] = []
    var seen: Set<String> = []
    var pending = [root]
    while let node = pending.popLast() {
      if let reference = node["$ref"]?.string, reference.utf8.first != UInt8(ascii: "#"),
        let target = library.target(ofReference: node),
        seen.insert("\(target.document.source?.path ?? "") \(target.index)").inserted
      {
        pending.append(target)
      }
      pending += node.elements.reversed()
      for member in node.members {
        switch member.name {
        case "schema": if member.value.isObject { found.append(member.value) }
        case "schemas", "definitions": found += member.value.members.map(\.value)
        case "example", "examples", "x-examples": break
        default: pending.append(member.value)
        }
      }
    }
    return found
  }

  /// The official suite: where a valid instance is given, one can be made.
  @Test(arguments: ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"])
  func `every satisfiable schema of the official suite has a sample`(draft: String) throws {
    let folder = Corpora.path("json-schema-org+JSON-Schema-Test-Suite/tests/\(draft)")
    let dialects: [String: Dialect] = [
      "draft4": .draft4, "draft6": .draft6, "draft7": .draft7, "draft2019-09": .draft2019, "draft2020-12": .draft2020,
    ]
    var count = 0
    var missing: [String] = []
    for entry in try FileSystem.list(folder) where entry.name.hasSuffix(".json") {
      let document = try JSONParser.parse(FileSystem.read(folder + "/" + entry.name))
      for group in document.root.elements {
        guard let schema = group["schema"],
          group["tests"]?.elements.contains(where: { $0["valid"]?.bool == true }) == true
        else { continue }
        count += 1
        // A document of its own, since the suite's references start at the schema.
        let node = JSON.make { $0.append(schema) }
        let library = SchemaLibrary(dialect: dialects[draft] ?? .draft2020, load: Self.load)
        let generator = SampleGenerator(schemas: library, seed: "0")
        guard generator.sample(of: node, direction: .either) == nil else { continue }
        missing.append(
          "\(entry.name) / \(group["description"]?.string ?? ""): \(generator.conflict(of: node)?.description ?? "")")
      }
    }
    print("\(draft): \(count) schemas, \(missing.count) without a sample")
    for line in missing { print("  \(line)") }
    #expect(missing.isEmpty)
    #expect(count > 100)
  }
}
