import UnderstudyVerification

extension DiffCommand {
  /// The overlays that the config file names for a contract, and the overlays of the command line.
  func overlays(of path: String, _ configuration: Configuration) -> [String] {
    let own = configuration.contracts.first { $0.path.utf8Equals(path) || FileSystem.isSame($0.path, path) }
    return (own?.reading ?? configuration.reading).overlays.files + applyOverlay
  }
}

extension GitTree {
  /// The overlays by their paths from the root, without files that the revision does not have.
  func overlays(_ files: [String]) throws -> OverlaySettings {
    guard !files.isEmpty else { return OverlaySettings() }
    let prefix = try GitRevision.folder()
    var paths: [String] = []
    for file in files {
      guard !file.hasPrefix("/") else {
        throw CommandFailure(
          .usage,
          "the overlay \(file) cannot be read in the git revision `\(name)`: expected a path relative to the "
            + "working directory")
      }
      guard !URIReference(file).isRemote else {
        paths.append(file)
        continue
      }
      let path = String(URIReference.removeDotSegments("/" + prefix + file).dropFirst())
      if case .file = try entry(at: path) { paths.append(path) }
    }
    return OverlaySettings(files: paths)
  }
}
