import Foundation
package import UnderstudySchema

/// A file of the official JSON Schema test suite, which the engine and the command must pass.
package struct SuiteFile: CustomStringConvertible, Sendable {
  package let draft: String
  /// `draft7/optional/format/date`
  package let path: String

  package var description: String { path }
  package var isOptional: Bool { path.contains("/optional/") }

  /// The assertion that a file needs.
  package enum Promise: CaseIterable, Sendable {
    case none, formats, content
  }

  package var promise: Promise {
    path.contains("/format/") ? .formats : path == "draft7/optional/content" ? .content : .none
  }

  /// Intended differences from optional tests; required tests have no exceptions.
  package static let exceptions: [(test: String, reason: String)] =
    [
      (
        "draft4/optional/zeroTerminatedFloats: some languages do not distinguish between different types of numeric value: "
          + "a float is not an integer even without fractional part",
        "1.0 is a mathematical integer, in every dialect"
      )
    ]

  /// The URI of the dialect of each folder.
  package static let dialects = [
    "draft4": "http://json-schema.org/draft-04/schema#", "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  ]

  package static let remoteHost = "http://localhost:1234/"

  private static let root = Corpora.path("json-schema-org+JSON-Schema-Test-Suite")

  /// Every file of every draft, in order; none without the corpora.
  package static let all: [SuiteFile] = dialects.keys.sorted().flatMap { draft in
    files(below: root + "/tests/" + draft).map { SuiteFile(draft: draft, path: draft + "/" + $0.dropLast(5)) }
  }

  /// A schema with valid and invalid values.
  package struct Group: Sendable {
    package let name: String
    package let schema: JSON
    package let tests: [(name: String, data: JSON, isValid: Bool)]
  }

  package func groups() throws -> [Group] {
    let document = try Self.parse(Self.root + "/tests/" + path + ".json")
    return document.root.elements.compactMap { group in
      guard let schema = group["schema"], let tests = group["tests"] else { return nil }
      let name = "\(path): \(group["description"]?.string ?? "")"
      return Group(
        name: name, schema: schema,
        tests: tests.elements.compactMap { test in
          test["data"].map { ("\(name): \(test["description"]?.string ?? "")", $0, test["valid"]?.bool == true) }
        })
    }
  }

  /// The remote documents of the suite by URI, without a running host.
  package static let remotes: [String: JSONDocument] = {
    var remotes: [String: JSONDocument] = [:]
    for file in files(below: root + "/remotes") { remotes[remoteHost + file] = try? parse(root + "/remotes/" + file) }
    return remotes
  }()

  private static func files(below folder: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json") }.sorted()
  }

  private static func parse(_ file: String) throws -> JSONDocument {
    try JSONParser.parse(Array(try Data(contentsOf: URL(filePath: file))))
  }
}
