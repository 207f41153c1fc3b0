import UnderstudyVerification

/// A recording in a private temporary folder.
struct TemporaryRecording {
  private let folder: TemporaryFolder

  var path: String { Path.join(folder.path, "exchanges.har") }

  init() throws { folder = try TemporaryFolder() }

  func remove() { folder.remove() }
}
