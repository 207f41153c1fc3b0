import Foundation
import TestSupport
import Testing

/// The rule of ARCHITECTURE.md, held over the source text.
struct FolderOrderTests {
  /// A folder may use only what stands before it.
  private static let order = [
    "OpenAPI", "HTTP", "Redaction", "Validation", "Contract", "Mock", "Coverage", "Report", "Traffic", "Journal",
    "Verify", "FixtureRecording", "Sweep",
  ]

  @Test func `every folder is in the order, and the order has no other`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Project.path("Sources/Understudy"))
    #expect(folders.filter { !$0.contains(".") }.sorted() == Self.order.sorted())
  }

  @Test(arguments: order) func `a folder names no type of a later one`(_ folder: String) throws {
    let position = try #require(Self.order.firstIndex(of: folder))
    // A nested type of an earlier folder may have the name of a later one.
    let earlier = Set(
      try Self.order[...position].flatMap {
        try Self.types(in: $0, /^ *(?:[a-z]+ )*(?:struct|class|enum|protocol|typealias) (\w+)/)
      })
    let later = Set(
      try Self.order[(position + 1)...].flatMap {
        try Self.types(in: $0, /^(?:[a-z]+ )*(?:struct|class|enum|protocol|typealias) (\w+)/)
      }
    )
    .subtracting(earlier)
    for (file, text) in try Self.sources(in: folder) {
      let used = Self.names(in: text).intersection(later)
      #expect(used.isEmpty, "\(file) uses \(used.sorted().joined(separator: ", "))")
    }
  }

  private static func sources(in folder: String) throws -> [(file: String, text: String)] {
    let root = Project.path("Sources/Understudy/\(folder)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    return try files.sorted().map {
      ("\(folder)/\($0)", code(try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8)))
    }
  }

  private static func types(in folder: String, _ declaration: Regex<(Substring, Substring)>) throws -> [String] {
    try sources(in: folder).flatMap { $0.text.matches(of: declaration.anchorsMatchLineEndings()).map { String($0.1) } }
  }

  /// Capitalised names that stand behind no dot: a member type belongs to what stands before the dot.
  private static func names(in text: String) -> Set<String> {
    Set(text.matches(of: /(?:^|[^\w.])([A-Z]\w*)/).map { String($0.1) })
  }

  /// The text without comments and strings.
  private static func code(_ text: String) -> String {
    text.replacing(/"""[\s\S]*?"""/, with: "").replacing(/"(?:\\.|[^"\\\n])*"/, with: "").replacing(
      /\/\/[^\n]*/, with: "")
  }
}
