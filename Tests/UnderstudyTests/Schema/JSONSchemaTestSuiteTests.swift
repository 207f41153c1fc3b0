import Foundation
import Testing
import Understudy

/// The official suite of the JSON Schema organisation, every file of every draft that we know.
@Suite(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
struct JSONSchemaTestSuiteTests {
  @Test(arguments: SuiteFile.all(where: { !$0.isOptional }))
  func `every required test passes`(file: SuiteFile) throws {
    #expect(try file.differences() == [])
  }

  @Test func `every optional test passes, but for the listed ones`() throws {
    let found = try SuiteFile.all(where: \.isOptional).flatMap { try $0.differences() }
    #expect(found.sorted() == Self.allowed.map(\.test).sorted())
    #expect(Self.allowed.count <= 12)
  }

  /// Where we differ from an optional test on purpose.
  private static let allowed: [(test: String, reason: String)] =
    [
      (
        "draft4/optional/zeroTerminatedFloats: some languages do not distinguish between different types of numeric value: "
          + "a float is not an integer even without fractional part",
        "1.0 is a mathematical integer, in every dialect"
      )
    ]
    + ["draft7", "draft2019-09", "draft2020-12"].map { draft in
      (
        draft + "/optional/format/ecmascript-regex: ECMA 262 lookbehind is valid, including variable width: "
          + "a variable-width lookbehind (ES2018)",
        "PCRE2 knows no lookbehind without an upper limit"
      )
    }
}

/// One file of the suite.
struct SuiteFile: CustomTestStringConvertible, Sendable {
  let draft: String
  let path: String

  var testDescription: String { path }
  var isOptional: Bool { path.contains("/optional/") }

  private static let root = Corpora.path("json-schema-org+JSON-Schema-Test-Suite")

  private static let dialects: [String: Dialect] = [
    "draft4": .draft4, "draft6": .draft6, "draft7": .draft7, "draft2019-09": .draft2019, "draft2020-12": .draft2020,
  ]

  static func all(where isWanted: (SuiteFile) -> Bool) -> [SuiteFile] {
    dialects.keys.sorted().flatMap { draft in
      let folder = root + "/tests/" + draft
      let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      return paths.filter { $0.hasSuffix(".json") }.sorted()
        .map { SuiteFile(draft: draft, path: draft + "/" + $0.dropLast(5)) }
    }.filter(isWanted)
  }

  /// The tests that come out differently, as `file: group: test`.
  func differences() throws -> [String] {
    let document = try Self.parse(Self.root + "/tests/" + path + ".json")
    var found: [String] = []
    for group in document.root.elements {
      let schema = try #require(group["schema"])
      let library = SchemaLibrary(
        dialect: try #require(Self.dialects[draft]), assertsFormats: path.contains("/format/") ? .always : .never,
        assertsContent: path == "draft7/optional/content", load: Self.load)
      let compiled = library.schema(at: Self.standalone(schema))
      for test in try #require(group["tests"]).elements {
        let data = try #require(test["data"])
        let isValid = test["valid"]?.bool == true
        let name = "\(path): \(group["description"]?.string ?? ""): \(test["description"]?.string ?? "")"
        if compiled.accepts(data) != isValid { found.append(name) }
        // The two entry points must never disagree.
        if compiled.failures(data).isEmpty != compiled.accepts(data) { found.append(name + " (failures)") }
      }
    }
    return found
  }

  /// The schema as a document of its own, as the suite means it.
  private static func standalone(_ schema: JSON) -> JSON { JSON.make { $0.append(schema) } }

  private static func parse(_ file: String) throws -> JSONDocument {
    try JSONParser.parse(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
  }

  /// The suite's `remotes` stand at a host that nobody needs to start.
  @Sendable private static func load(_ uri: String) -> JSONDocument? {
    guard let range = uri.range(of: "http://localhost:1234/"), range.lowerBound == uri.startIndex else { return nil }
    return try? parse(root + "/remotes/" + uri[range.upperBound...])
  }
}
