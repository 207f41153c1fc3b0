import Foundation

/// Swift code that a test compiles against the modules of the debug build.
package enum CompiledSnippet {
  private static let modules = URL(filePath: Command.path).deletingLastPathComponent().path + "/Modules"

  /// Whether the compiler and the modules are available: other build systems store modules elsewhere.
  package static let isAvailable =
    FileManager.default.fileExists(atPath: modules + "/UnderstudyMock.swiftmodule")
    && (try? Command.run("/usr/bin/env", ["swiftc", "--version"]))?.code == 0

  /// The messages of the compiler's errors, including those about ownership.
  package static func errors(_ source: String) throws -> [String] {
    try withProject(["Snippet.swift": source]) { folder in
      let maps = try moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
      let result = try Command.run(
        "/usr/bin/env",
        ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", modules] + maps + ["Snippet.swift"],
        in: folder)
      return result.error.split(separator: "\n").compactMap { line in
        line.firstRange(of: "Snippet.swift:").flatMap { line[$0.upperBound...].firstRange(of: " error: ") }
          .map { String(line[$0.upperBound...]) }
      }
    }
  }

  /// The module maps of the C modules, in the sources or made by the build.
  private static func moduleMaps() throws -> [String] {
    try [Project.path("Sources"), URL(filePath: modules).deletingLastPathComponent().path].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)/module.modulemap" }
        .filter { FileManager.default.fileExists(atPath: $0) }
    }
  }
}
