import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// Dialects that metaschemas describe.
struct VocabularyTests {
  private func metaschema(_ vocabularies: [String], _ year: String = "2020-12", schema: String? = nil) -> String {
    let all = vocabularies.map {
      $0.contains(":") ? "\"\($0)\": true" : "\"https://json-schema.org/draft/\(year)/vocab/\($0)\": true"
    }
    return """
      {"$schema": "\(schema ?? "https://json-schema.org/draft/\(year)/schema")", "$vocabulary": {\(all.joined(separator: ", "))}}
      """
  }

  private func verdict(
    _ keywords: String, _ value: String, _ metaschemas: [String: String], root: String = "https://mine/"
  ) throws -> SchemaVerdict {
    var documents: [String: JSONDocument] = [:]
    for (uri, text) in metaschemas { documents[uri] = try SchemaText.parse(text).document }
    let known = documents
    let schema = SchemaLibrary(dialect: .draft2020) { known[$0] }
      .schema(at: try SchemaText.parse(#"{"$schema": "\#(root)", \#(keywords)}"#), direction: .request)
    return schema.verdict(try SchemaText.parse(value))
  }

  private func accepts(_ keywords: String, _ value: String, _ metaschemas: [String: String]) throws -> Bool? {
    switch try verdict(keywords, value, metaschemas) {
    case .accepted: true
    case .refused: false
    case .notValidated: nil
    }
  }

  @Test(arguments: [
    ("2020-12", ["core", "applicator", "validation"], #""unevaluatedProperties": false"#, #"{"a": 1}"#, true),
    ("2020-12", ["core", "applicator", "validation"], #""unevaluatedItems": false"#, "[1]", true),
    ("2020-12", ["core", "unevaluated"], #""unevaluatedProperties": false"#, #"{"a": 1}"#, false),
    ("2019-09", ["core", "validation"], #""unevaluatedProperties": false"#, #"{"a": 1}"#, true),
    ("2019-09", ["core", "applicator"], #""unevaluatedProperties": false"#, #"{"a": 1}"#, false),
    ("2020-12", ["core", "applicator"], #""minimum": 3"#, "1", true),
    ("2020-12", ["core", "validation"], #""minimum": 3"#, "1", false),
  ])
  func `a keyword counts only with its vocabulary`(
    year: String, vocabularies: [String], keywords: String, value: String, isValid: Bool
  ) throws {
    #expect(try accepts(keywords, value, ["https://mine/": metaschema(vocabularies, year)]) == isValid)
  }

  private static let openAPI = "https://spec.openapis.org/oas/3.1/vocab/base"
  private static let readOnly = #""required": ["id"], "properties": {"id": {"readOnly": true}}"#

  @Test func `the vocabulary of OpenAPI is known, and brings its keywords`() throws {
    let all = ["core", "applicator", "validation"]
    #expect(try accepts(Self.readOnly, "{}", ["https://mine/": metaschema(all + [Self.openAPI])]) == true)
    #expect(try accepts(Self.readOnly, "{}", ["https://mine/": metaschema(all)]) == false)
  }

  @Test func `a metaschema may have a metaschema of its own`() throws {
    let metaschemas = [
      "https://mine/": metaschema(["core", "validation"], schema: "https://theirs/"),
      "https://theirs/": metaschema(["core", "applicator", "validation"]),
    ]
    #expect(try accepts(#""minimum": 3"#, "1", metaschemas) == false)
    #expect(try accepts(#""items": false"#, "[1]", metaschemas) == true)
  }

  @Test func `a metaschema may be written in the dialect that it describes`() throws {
    let metaschemas = ["https://mine/": metaschema(["core", "validation"], schema: "https://mine/")]
    #expect(try accepts(#""minimum": 3"#, "1", metaschemas) == false)
  }

  @Test(arguments: [
    ["https://mine/": #"{"$schema": "https://mine/"}"#], ["https://mine/": "{}"], [:],
    ["https://mine/": #"{"$schema": "https://b/"}"#, "https://b/": #"{"$schema": "https://mine/"}"#],
    ["https://mine/": #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": {"urn:x": true}}"#],
  ])
  func `an unreadable dialect validates no value`(metaschemas: [String: String]) throws {
    #expect(try accepts(#""minimum": 3"#, "1", metaschemas) == nil)
  }
}
