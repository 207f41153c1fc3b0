/// Advice for a path that leads to no document: a similar name in its folder, or the documents of a folder.
enum NearbyDocument {
  /// `nil` if nothing is similar.
  static func help(for path: String) -> String? {
    guard FileSystem.isFolder(path) else {
      guard !FileSystem.exists(path) else { return nil }
      let folder = Path.folder(of: path)
      let (stem, names) = (Path.stem(of: path), names(in: folder))
      // An extension is too short to tell names apart.
      let similar = names.filter { name in
        Path.stem(of: name) == stem || Suggestion.nearest(to: stem, among: [Path.stem(of: name)]) != nil
      }
      let nearest = Suggestion.nearest(to: Path.name(of: path), among: similar) ?? similar.first
      return nearest.map { "did you mean `\(Path.join(folder, $0))`?" }
    }
    let names = names(in: path)
    let likely = names.filter { name in ["openapi.", "swagger."].contains { name.lowercased().hasPrefix($0) } }
    let shown = (likely.isEmpty ? names : likely).prefix(3).map { "`\(Path.join(path, $0))`" }
    return shown.isEmpty ? "name a file: JSON or YAML" : "name a file: did you mean \(shown.joined(separator: " or "))?"
  }

  private static func names(in folder: String) -> [String] {
    let items = (try? FileSystem.list(folder.isEmpty ? "." : folder)) ?? []
    return items.filter { !$0.isFolder && !$0.name.hasPrefix(".") }.map(\.name).filter {
      ["json", "yaml", "yml"].contains(Path.fileExtension(of: $0)) && $0 != "understudy.yaml"
        && FileSystem.isReadable(Path.join(folder, $0))
    }
  }
}
