/// The files that a recording writes and removes, all below the folder of fixtures.
package struct RecordingPlan: Sendable {
  package struct File: Sendable {
    /// Below the folder of fixtures.
    package var path: String
    package var bytes: [UInt8]
    /// Whether a file of this path exists.
    package var isReplaced: Bool
  }

  package var files: [File] = []
  /// The files that may hold a secret and the files that need one of them, for a folder apart.
  package var doubtful: [File] = []
  /// Recorded files that no exchange leads to any more.
  package var removed: [String] = []
  /// Files of people that a recording would have replaced, by their whole paths, with the first line that differs.
  package var kept: [(path: String, difference: String)] = []

  /// Files of people that hold a secret of this recording, by their whole paths.
  package var leaks: [String] = []

  package var isEmpty: Bool { files.isEmpty && removed.isEmpty && doubtful.isEmpty }

  /// Writes everything below a folder, or nothing: every file is written under a temporary name first, so that a full disk
  /// leaves what was there. Returns the folder of the doubtful files.
  @discardableResult
  package func write(to folder: String) throws(FileProblem) -> String {
    guard !isEmpty else { return Path.join(folder, DoubtfulFiles.folder) }
    var staging = try StagedFiles(in: folder)
    var apart: DoubtfulFiles?
    do {
      for file in files { try staging.add(file.bytes, as: file.path) }
      try staging.prepare()
      if !doubtful.isEmpty {
        apart = try DoubtfulFiles(doubtful.map { ($0.path, $0.bytes) }, besides: folder)
        try apart?.commit()
      }
      try staging.commit()
    } catch {
      apart?.discard()
      staging.discard()
      throw error
    }
    for path in removed { try FileSystem.remove(Path.join(folder, path), within: folder) }
    return apart?.place ?? Path.join(folder, DoubtfulFiles.folder)
  }

  /// What may be about people in the files.
  func personal(by formats: PersonalFormats) -> [PersonalScan.Finding] {
    files.filter { !$0.path.hasSuffix(RecordingIndex.fileName) }.compactMap {
      PersonalScan.finding(in: $0.bytes, of: $0.path, by: formats)
    }
  }
}
