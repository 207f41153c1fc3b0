import Foundation
import Testing
import UnderstudyTestSupport

/// `.github/actions/setup-understudy/install` with releases in a folder.
struct SetupActionTests {
  private static let platform: String = {
    #if os(macOS)
    return "macos-universal"
    #elseif arch(arm64)
    return "linux-aarch64"
    #else
    return "linux-x86_64"
    #endif
  }()

  /// A release whose program is a script, while `body` runs with what `install` does with it.
  private func withRelease(
    checksum: String? = nil, _ body: (String, (String) throws -> Command.Result) throws -> Void
  ) throws {
    let name = "understudy-1.2.3-\(Self.platform)"
    let files = ["\(name)/bin/understudy": "#!/bin/sh\necho 1.2.3\n", "releases/v1.2.3/.keep": "", "outputs": ""]
    try withProject(files) { folder in
      let sum =
        checksum.map { "echo '\($0)  \(name).tar.gz'" }
        ?? "'\(Project.path("Scripts/packaging/checksums.py"))' '\(name).tar.gz'"
      let script = """
        chmod 755 '\(name)/bin/understudy'
        tar -czf 'releases/v1.2.3/\(name).tar.gz' '\(name)'
        cd releases/v1.2.3
        \(sum) >SHA256SUMS
        """
      let made = try Command.run("/bin/bash", ["-e", "-c", script], in: folder)
      #expect(made.code == 0, "\(made)")
      try body(folder) { version in
        try Command.run(
          Project.path(".github/actions/setup-understudy/install"), [], in: folder,
          environment: [
            "VERSION": version, "RELEASES": "file://\(folder)/releases", "RUNNER_TOOL_CACHE": folder + "/cache",
            "GITHUB_PATH": folder + "/path", "GITHUB_OUTPUT": folder + "/outputs",
          ])
      }
    }
  }

  @Test(arguments: ["1.2.3", "v1.2.3"]) func `a release is on the path of later steps`(_ version: String) throws {
    try withRelease { folder, install in
      let result = try install(version)
      #expect(result.code == 0, "\(result)")
      let path = try String(contentsOfFile: folder + "/path", encoding: .utf8).trimmingCharacters(in: .newlines)
      #expect(try Command.run(path + "/understudy", []).output == "1.2.3\n")
      #expect(try String(contentsOfFile: folder + "/outputs", encoding: .utf8) == "version=1.2.3\n")
    }
  }

  @Test func `a second step takes the release from the cache`() throws {
    try withRelease { folder, install in
      #expect(try install("1.2.3").code == 0)
      try FileManager.default.removeItem(atPath: folder + "/releases")
      let second = try install("1.2.3")
      #expect(second.code == 0, "\(second)")
    }
  }

  @Test func `an archive with another checksum is not installed`() throws {
    try withRelease(checksum: String(repeating: "0", count: 64)) { folder, install in
      let result = try install("1.2.3")
      #expect(result.code == 1)
      #expect(result.output.contains("::error::the checksum of understudy-1.2.3-"), "\(result)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/cache"))
    }
  }

  @Test func `a version without a release fails with its address`() throws {
    try withRelease { folder, install in
      let result = try install("9.9.9")
      #expect(result.code == 1)
      #expect(result.output.contains("::error::file://\(folder)/releases/v9.9.9/SHA256SUMS cannot be"), "\(result)")
    }
  }
}
