/// The files below a folder that a route serves: `/static/*: {files: public}`.
struct StaticFolder {
  /// A file with its path below the folder.
  struct File {
    var path: String
    var name: String

    /// The values of `*` that request the file; an `index.html` also stands for its folder.
    var targets: [String] {
      let index = "/index.html"
      return name.hasSuffix(index) ? [name, String(name.dropLast(index.count - 1))] : [name]
    }
  }

  let path: String
  private(set) var files: [File] = []
  /// Messages about entries that are not served.
  private(set) var problems: [String] = []
  private var access = FileAccess.none

  /// The maximum number of files of one folder; all of them are held in memory.
  static let fileLimit = 2_000
  /// The maximum size of all files of one folder, in bytes.
  static let sizeLimit = 64 << 20
  private static let depthLimit = 32
  private var size = 0

  /// Lists the files. Hidden files are left out, and links that lead out of the folder are reported.
  init(_ path: String) {
    self.path = path
    access.allow(path, isShared: false)
    list(path, below: "", depth: 0)
    if files.count > Self.fileLimit {
      files.removeLast(files.count - Self.fileLimit)
      problems.append("the folder has more than \(Self.fileLimit) files: the others are not served")
    }
  }

  private mutating func list(_ folder: String, below prefix: String, depth: Int) {
    let entries: [FileSystem.Entry]
    do throws(FileProblem) {
      entries = try FileSystem.list(folder)
    } catch {
      problems.append("the folder `\(folder)` cannot be read: \(error.message)")
      return
    }
    for entry in entries where !entry.name.hasPrefix(".") && files.count <= Self.fileLimit {
      let (path, name) = (Path.join(folder, entry.name), prefix + entry.name)
      guard access.allows(path) else {
        problems.append("`\(name)` is a link that leads out of the folder, and is not served")
        continue
      }
      guard entry.isFolder else {
        let status = FileStatus(of: path)
        guard status?.kind == .regular, size + (status?.size ?? 0) <= Self.sizeLimit else {
          problems.append(
            status?.kind == .regular
              ? "`\(name)` is not served: the files of the folder exceed \(Self.sizeLimit.asBytes)"
              : "`\(name)` is not a regular file, and is not served")
          continue
        }
        size += status?.size ?? 0
        files.append(File(path: path, name: name))
        continue
      }
      // A link to a folder could repeat its tree without end.
      if !FileSystem.isLink(path), depth < Self.depthLimit { list(path, below: name + "/", depth: depth + 1) }
    }
  }
}
