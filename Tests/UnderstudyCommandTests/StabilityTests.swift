import Foundation
import Testing
import UnderstudyTestSupport

/// What docs/stability.md promises, compared with what was released (`Tests/Interface`).
struct StabilityTests {
  private static let hasTools =
    (try? Command.run("/usr/bin/env", ["sh", "-c", "python3 --version && swiftc --version"]))?.code == 0

  @Test(.enabled(if: hasTools, "skipped: no python3 or no swiftc"), arguments: ["help", "admin", "swift"])
  func `the interface is the released one`(_ part: String) throws {
    let result = try Command.run(Project.path("Scripts/stable-interface"), [part])
    #expect(result.code == 0, "\(result.output)\(result.error)")
  }

  @Test(.enabled(if: hasTools, "skipped: no python3 or no swiftc")) func `a path that is gone is reported`() throws {
    try withProject([:]) { folder in
      // The script compares the project that it lies in.
      for file in ["Scripts/stable-interface", "Tests/Interface/admin.yaml", "specs/admin.yaml"] {
        let copy = URL(filePath: "\(folder)/\(file)")
        try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: Project.path(file)), to: copy)
      }
      let contract = try Project.text("specs/admin.yaml").replacing("/__admin/health:", with: "/__admin/healthy:")
      try contract.write(toFile: folder + "/specs/admin.yaml", atomically: true, encoding: .utf8)
      let result = try Command.run(folder + "/Scripts/stable-interface", ["admin"])
      #expect(result.code == 1)
      #expect(result.output.contains("\n-  /__admin/health:\n+  /__admin/healthy:\n"), "\(result.output)")
    }
  }

  @Test func `a tag of another version, or without a section of the changelog, is refused`() throws {
    let script = Project.path("Scripts/version")
    let version = try Command.run(script, []).output.trimmingCharacters(in: .newlines)
    #expect(try Command.run(Command.path, ["--version"]).output == version + "\n")
    let detailed = try Command.run(Command.path, ["--verbose", "--version"])
    let format = /optimization: (none, .*|the server, .*|everything, .*)\nHTTPS: (yes|no; .*)\n/
    #expect(detailed.code == 0)
    #expect(detailed.output.hasPrefix(version + "\n"))
    #expect(try format.wholeMatch(in: detailed.output.dropFirst(version.count + 1)) != nil, "\(detailed)")
    let other = try Command.run(script, ["v\(version).1"])
    #expect(other.code == 1)
    #expect(other.error.contains("the version of the sources is \(version)"))
    let files = ["Scripts/.keep": "", "Sources/UnderstudyServer/.keep": "", "CHANGELOG.md": "# Changelog\n"]
    try withProject(files) { folder in
      for file in ["Scripts/version", "Sources/UnderstudyServer/ServerVersion.swift"] {
        try FileManager.default.copyItem(atPath: Project.path(file), toPath: "\(folder)/\(file)")
      }
      let missing = try Command.run(folder + "/Scripts/version", ["v\(version)"])
      #expect(missing.code == 1)
      #expect(missing.error.contains("CHANGELOG.md has no section"), "\(missing)")
    }
  }
}
