import Foundation
import UnderstudyText

/// The paths of the project's own files.
package enum Project {
  /// The package's root, without a final slash.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  package static func path(_ relative: String) -> String { root + "/" + relative }

  package static func text(_ relative: String) throws -> String {
    try String(contentsOf: URL(filePath: path(relative)), encoding: .utf8)
  }
}

/// A folder for temporary files, removed with the last reference to it.
package final class TemporaryFolder: Sendable {
  /// Without a final slash.
  package let path: String

  /// A folder with these files.
  package init(_ files: [String: String] = [:]) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // That of macOS lies behind a link, and the working folder of a program does not.
    self.path = FileSystem.realPath(path) ?? path
    try write(files, in: self.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Creates a folder that exists while `body` runs.
package func withTemporaryFolder<R>(_ body: (_ path: String) throws -> R) throws -> R {
  try withProject([:], body)
}

/// Writes files below a folder, with the folders they need.
package func write(_ files: [String: String], in folder: String) throws {
  for (path, text) in files {
    let file = URL(filePath: folder).appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

/// Creates a folder with these files that exists while `body` runs.
package func withProject<R>(_ files: [String: String], _ body: (_ folder: String) throws -> R) throws -> R {
  let folder = try TemporaryFolder(files)
  defer { withExtendedLifetime(folder) {} }
  return try body(folder.path)
}
