import Foundation
import Testing
import UnderstudyTestSupport

/// A git repository in a temporary folder.
struct GitProject {
  let folder: String

  /// Runs git with a user of its own, and without the settings of the machine.
  @discardableResult
  func git(_ arguments: String..., in path: String = "") throws -> String {
    let settings = [
      "-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main", "-c",
      "protocol.file.allow=always",
    ]
    let result = try Command.run("/usr/bin/env", ["git"] + settings + arguments, in: self.path(path))
    try #require(result.code == 0, "\(result.output)\(result.error)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  func path(_ name: String) -> String { name.isEmpty ? folder : folder + "/" + name }

  func write(_ text: String, to name: String) throws {
    let folder = URL(filePath: path(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
  }

  func commit(_ message: String = "Change", in path: String = "") throws {
    try git("add", "-A", in: path)
    try git("commit", "-qm", message, in: path)
  }

  func diff(_ arguments: String..., in path: String = "", environment: [String: String] = [:]) throws -> Command.Result
  {
    try Command.run(Command.path, ["diff"] + arguments, in: self.path(path), environment: environment)
  }
}

/// Runs `body` in a repository with the files as its first commit, on the branch `main`.
func withGitProject(_ files: [String: String], _ body: (GitProject) throws -> Void) throws {
  try withProject(files) { folder in
    let project = GitProject(folder: folder)
    try project.git("init", "-q")
    try project.commit("First")
    try body(project)
  }
}
