/// Files that may hold a secret, in a private folder that Git ignores. It replaces no file and follows no link.
package struct DoubtfulFiles {
  /// Neither a server nor a check reads folders of this form in a folder of fixtures.
  package static let folder = "_doubtful"

  /// The maximum number of recordings whose files of the same names are stored.
  private static let maximumRecordings = 1_000

  /// The folder of the files: `_doubtful`, or a numbered folder in it if files of an earlier recording have other content.
  package let place: String
  private var staging: StagedFiles

  /// Writes the files to a hidden folder, beside the folder that they would be in.
  package init(_ files: [(path: String, bytes: [UInt8])], besides folder: String) throws(FileProblem) {
    let root = Path.join(folder, Self.folder)
    let subfolder = try Self.freeSubfolder(for: files, in: root)
    place = subfolder.isEmpty ? root : Path.join(root, subfolder)
    staging = try StagedFiles(in: root, arePrivate: true)
    do {
      if !FileSystem.isTaken(Path.join(root, ".gitignore")) { try staging.add(Array("*\n".utf8), as: ".gitignore") }
      for file in files {
        let path = Path.join(subfolder, file.path)
        if !Self.holds(file.bytes, Path.join(root, path)) { try staging.add(file.bytes, as: path) }
      }
    } catch {
      staging.discard()
      throw error
    }
  }

  package mutating func commit() throws(FileProblem) { try staging.commit() }

  package func discard() { staging.discard() }

  /// - Parameter folder: The folder that the files would be in.
  /// - Returns: The folder of the files.
  @discardableResult
  package static func write(
    _ files: [(path: String, bytes: [UInt8])], besides folder: String
  ) throws(FileProblem) -> String {
    var doubtful = try DoubtfulFiles(files, besides: folder)
    do {
      try doubtful.commit()
    } catch {
      doubtful.discard()
      throw error
    }
    return doubtful.place
  }

  /// Throws if a folder or file on the way to a path is a symbolic link; `root` is the first folder that is checked.
  package static func refuseLinks(to path: String, in root: String) throws(FileProblem) {
    let folders = path.split(separator: "/").reduce(into: [root]) { $0.append(Path.join($0[$0.count - 1], String($1))) }
    for next in folders where FileStatus(of: next, followsLinks: false)?.kind == .link {
      throw FileProblem(
        .denied, next, "this is a symbolic link, and possible secrets are not written behind links",
        help: "remove the link")
    }
  }

  /// The first folder where every file is missing or the same: `""` is the root itself, followed by `2`, `3` and so on.
  private static func freeSubfolder(
    for files: [(path: String, bytes: [UInt8])], in root: String
  ) throws(FileProblem) -> String {
    for number in 1...maximumRecordings {
      let subfolder = number == 1 ? "" : String(number)
      var isFree = true
      for file in files {
        let path = Path.join(subfolder, file.path)
        try refuseLinks(to: path, in: root)
        let target = Path.join(root, path)
        // A folder of this name is reported when the files are moved.
        if FileSystem.exists(target), !FileSystem.isFolder(target), !holds(file.bytes, target) { isFree = false }
      }
      if isFree { return subfolder }
    }
    throw FileProblem(
      .otherContent, root, "it has files of \(maximumRecordings) recordings", help: "look at them and remove them")
  }

  private static func holds(_ bytes: [UInt8], _ path: String) -> Bool {
    FileSystem.isRegular(path) && (try? FileSystem.read(path))?.bytes == bytes
  }
}
