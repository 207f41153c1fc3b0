import Foundation

/// Where the project's own files are.
package enum Project {
  /// The package's root, without a final slash.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  package static func path(_ relative: String) -> String { root + "/" + relative }

  package static func text(_ relative: String) throws -> String {
    try String(contentsOf: URL(filePath: path(relative)), encoding: .utf8)
  }
}

/// A folder that is there while `body` runs.
package func withTemporaryFolder<R>(_ body: (_ path: String) throws -> R) throws -> R {
  let folder = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.path)
}

/// Writes files below a folder, with the folders they need.
package func write(_ files: [String: String], in folder: String) throws {
  for (path, text) in files {
    let file = URL(filePath: folder).appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

/// A folder with these files in it that is there while `body` runs.
package func withProject<R>(_ files: [String: String], _ body: (_ folder: String) throws -> R) throws -> R {
  try withTemporaryFolder { folder in
    try write(files, in: folder)
    return try body(folder)
  }
}
