import Foundation

/// Swift code that a test compiles against the modules of the debug build.
package enum CompiledSnippet {
  private static let modules = URL(filePath: Command.path).deletingLastPathComponent().path + "/Modules"

  /// SwiftPM names a package after its folder.
  private static let package = URL(filePath: Project.root).lastPathComponent.lowercased()

  /// Whether the compiler and the modules are available: other build systems store modules elsewhere.
  package static let isAvailable =
    FileManager.default.fileExists(atPath: modules + "/UnderstudyMock.swiftmodule")
    && (try? Command.run("/usr/bin/env", ["swiftc", "--version"]))?.code == 0

  /// The messages of the compiler's errors, including those about ownership.
  package static func errors(_ source: String) throws -> [String] {
    try withProject(["Snippet.swift": source]) { folder in
      let maps = moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
      let result = try Command.run(
        "/usr/bin/env",
        ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-package-name", package, "-I", modules]
          + maps + ["Snippet.swift"],
        in: folder)
      let found = result.error.split(separator: "\n").compactMap { line in
        line.firstRange(of: "Snippet.swift:").flatMap { line[$0.upperBound...].firstRange(of: " error: ") }
          .map { String(line[$0.upperBound...]) }
      }
      // An error outside the snippet, such as a missing module, is no success.
      return found.isEmpty && result.code != 0 ? [result.error] : found
    }
  }

  /// The module maps of the C modules: in the sources, made by the build, or of the packages that have their own.
  private static func moduleMaps() -> [String] {
    let build = URL(filePath: modules).deletingLastPathComponent().path
    let checkouts = Project.path(".build/checkouts")
    let packages = (try? FileManager.default.contentsOfDirectory(atPath: checkouts)) ?? []
    func maps(in folder: String, _ path: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)/\(path)" }
    }
    return
      (maps(in: Project.path("Sources"), "module.modulemap") + maps(in: build, "module.modulemap")
      + packages.flatMap { maps(in: "\(checkouts)/\($0)/Sources", "include/module.modulemap") })
      .filter { FileManager.default.fileExists(atPath: $0) }
  }
}
