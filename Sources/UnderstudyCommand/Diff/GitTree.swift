import UnderstudySystem
import UnderstudyVerification

/// The files of a git revision, read by the `git` program.
final class GitTree: Sendable {
  /// The revision as the user wrote it: `HEAD~1`, `main...`, or `""` for the index.
  let name: String
  /// The id of the commit or tree; empty for the index.
  private let id: String
  /// The path of the working directory from the root of the repository: `""`, or `docs/api/`.
  private let folder: String
  private let cache = Lock(Cache())

  private struct Cache {
    var files: [String: [UInt8]] = [:]
    /// The folders whose files were read together.
    var folders: Set<String> = []
  }

  private init(name: String, id: String, folder: String) {
    self.name = name
    self.id = id
    self.folder = folder
  }

  /// The object at a path.
  enum Entry {
    case file(bytes: Int)
    case folder
    case absent
    /// Something else, with the reason in a clause.
    case unreadable(String)
  }

  /// The maximum number and size of files that are read together: 64 MiB.
  private static let maximumFiles = 10_000
  private static let maximumBytes = 64 << 20

  /// The tree of an address, and the path from the root of the repository.
  static func open(_ address: GitAddress, _ text: String) throws -> (tree: GitTree, path: String) {
    if address.revision.isEmpty { try GitRevision.requireRepository(text) }
    let id = address.revision.isEmpty ? "" : try GitRevision.id(of: address.revision, in: text)
    let tree = GitTree(name: address.revision, id: id, folder: try GitRevision.folder())
    return (tree, try tree.resolved(address.path))
  }

  /// A path from the root; git reads `./` and `../` from the working directory.
  private func resolved(_ path: String) throws -> String {
    if path.hasPrefix("/") {
      throw CommandFailure(
        .usage, "`\(shown(path))`: a path in a revision starts at the root of the repository, without a slash",
        help: "`\(name):./FILE` starts at the working directory")
    }
    let isRelative = [".", ".."].contains(path) || path.hasPrefix("./") || path.hasPrefix("../")
    var parts: [Substring] = isRelative ? folder.split(separator: "/") : []
    for part in path.split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else {
        throw CommandFailure(.usage, "`\(shown(path))` is outside of the repository")
      }
    }
    return parts.joined(separator: "/")
  }

  /// `HEAD~1:openapi.yaml`
  func shown(_ path: String) -> String { VisibleText.line("\(name):\(path)") }

  /// A path from the root of the repository as one from the working directory, which annotations name.
  func local(_ path: String) -> String {
    let own = folder.split(separator: "/"), parts = path.split(separator: "/")
    let shared = zip(own, parts).prefix { $0 == $1 }.count
    return (own.dropFirst(shared).map { _ in ".." } + parts.dropFirst(shared)).joined(separator: "/")
  }

  // MARK: - Objects

  private func object(_ path: String) -> String { "\(id):\(path)" }

  func entry(at path: String) throws -> Entry {
    if path.isEmpty { return .folder }
    // Git separates requests by lines, and reads `..` from the working directory.
    guard !path.utf8.contains(0x0A), !path.hasPrefix("../") else { return .absent }
    let result = try check(path)
    let words = result.text.split(separator: " ")
    switch words.dropFirst().first {
    case "blob": return .file(bytes: words.last.flatMap { Int($0) } ?? 0)
    case "tree": return .folder
    default: break
    }
    if id.isEmpty, try !list(path).isEmpty { return .folder }
    if words.count == 2, let reason = Self.reason(words[0], result) { return .unreadable(reason) }
    guard let module = try submodule(around: path) else { return .absent }
    return .unreadable(
      "it belongs to the submodule `\(VisibleText.line(module))`, which has revisions of its own: run the command there"
    )
  }

  /// The type and size of the object at a path, links followed.
  private func check(_ path: String) throws -> Git.Result {
    try Git.run(["cat-file", "--batch-check", "--follow-symlinks"], input: object(path) + "\n")
  }

  private static func reason(_ kind: Substring, _ result: Git.Result) -> String? {
    let target = result.bytes.split(separator: UInt8(ascii: "\n")).dropFirst().first ?? []
    switch kind {
    case "symlink":
      return "a symbolic link out of the tree, to `\(VisibleText.line(String(decoding: target, as: UTF8.self)))`"
    case "dangling": return "a symbolic link to a missing file"
    case "loop": return "a loop of symbolic links"
    default: return nil
    }
  }

  /// The submodule that a path is in; `nil` if it is in none.
  private func submodule(around path: String) throws -> String? {
    let parts = path.split(separator: "/")
    let folders = parts.indices.map { parts[...$0].joined(separator: "/") }
    guard !id.isEmpty, !folders.isEmpty else { return nil }
    let result = try Git.run(["ls-tree", "-z", "--full-tree", id, "--"] + folders)
    return Self.entries(result.bytes).first { $0.mode == "160000" }?.path
  }

  private static func entries(_ bytes: [UInt8]) -> [(mode: String, path: String)] {
    bytes.split(separator: 0).compactMap { line in
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      return (
        String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self),
        String(decoding: line[(tab + 1)...], as: UTF8.self)
      )
    }
  }

  private func list(_ folder: String) throws -> [(mode: String, path: String)] {
    let result: Git.Result
    if id.isEmpty {
      result = try Git.run(["ls-files", "--stage", "-z", "--full-name", "--", ":(top,literal)\(folder)"])
    } else {
      // The folder may be a symbolic link.
      let tree = folder.isEmpty ? id : String(try check(folder).text.prefix { $0 != " " })
      result = try Git.run(["ls-tree", "-r", "-z", "--full-tree", tree])
    }
    guard result.code == 0 else {
      throw CommandFailure(.notLoadable, "git cannot list `\(shown(folder))`: \(result.message)")
    }
    let entries = Self.entries(result.bytes)
    guard id.isEmpty, !folder.isEmpty else { return entries }
    return entries.compactMap { mode, path in
      path.hasUTF8Prefix(folder + "/") ? (mode, String(path.dropFirst(folder.count + 1))) : nil
    }
  }

  /// The files below a folder by their paths in it, without submodules.
  func files(in folder: String) throws -> [String] {
    try list(folder).filter { $0.mode != "160000" }.map(\.path)
  }

  /// The path of a document or of its folder that is similar to a path that does not exist.
  func nearest(to path: String) throws -> String? {
    let documents = try files(in: "").filter { ContractFolder.isDocument($0) }.prefix(Self.maximumFiles)
    return Suggestion.nearest(to: path, among: documents + documents.map { Path.folder(of: $0) }.unique())
  }

  /// The path if it is read from the working directory; `nil` if the tree has no file there.
  func relative(_ path: String) throws -> String? {
    guard !folder.isEmpty, case .file = try entry(at: folder + path) else { return nil }
    return path
  }

  // MARK: - Contents

  /// Reads files together, so that a folder costs one process.
  func prefetch(_ paths: [String]) throws {
    let wanted = paths.filter { !$0.utf8.contains(0x0A) }.prefix(Self.maximumFiles)
    let names = wanted.map { object($0) + "\n" }.joined()
    let sizes = try Git.run(["cat-file", "--batch-check", "--follow-symlinks"], input: names)
    let total = sizes.bytes.split(separator: UInt8(ascii: "\n")).reduce(0) { sum, line in
      sum + (String(decoding: line, as: UTF8.self).split(separator: " ").last.flatMap { Int($0) } ?? 0)
    }
    guard total <= Self.maximumBytes else { return }
    let contents = Self.contents(try Git.run(["cat-file", "--batch", "--follow-symlinks"], input: names).bytes)
    guard contents.count == wanted.count else { return }
    cache.withLock { cache in
      for (path, bytes) in zip(wanted, contents) { if let bytes { cache.files[path] = bytes } }
    }
  }

  /// The contents in the output of `cat-file --batch`, or `nil` for an object that is not a file.
  private static func contents(_ output: [UInt8]) -> [[UInt8]?] {
    var result: [[UInt8]?] = []
    var rest = output[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let words = rest[..<end].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      rest = rest[(end + 1)...]
      // The kinds of objects, and of links that lead to none, are followed by a size; `missing` is not.
      guard let last = words.last, last != "missing", let size = Int(last), size <= rest.count else {
        result.append(nil)
        continue
      }
      result.append(words.count == 3 && words[1] == "blob" ? Array(rest.prefix(size)) : nil)
      rest = rest.dropFirst(size + 1)
    }
    return result
  }

  /// The documents of the tree by their paths from its root.
  var load: DocumentStore.Load {
    { path in
      let name = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
      do {
        guard !path.hasPrefix("/"), !name.hasPrefix("../") else {
          throw CommandFailure(.notLoadable, "it is outside of the repository")
        }
        let source = SourceFile(path: path, bytes: try self.bytes(of: name))
        do throws(TextProblem) {
          return .success(try TextDocument.read(source))
        } catch {
          return .failure(.unparsable(error, source))
        }
      } catch {
        let reason = (error as? CommandFailure)?.message ?? "it cannot be read"
        let source = self.name.isEmpty ? "git index" : "git revision `\(VisibleText.line(self.name))`"
        return .failure(.unreadable("\(reason) (\(source))"))
      }
    }
  }

  private func bytes(of path: String) throws -> [UInt8] {
    let folder = Path.folder(of: path)
    let (known, isFirst) = cache.withLock { cache in
      // A second file of a folder may be followed by many.
      (cache.files[path], cache.folders.insert(folder).inserted)
    }
    if let known { return known }
    if !isFirst, try prefetchFolder(folder), let known = cache.withLock({ $0.files[path] }) { return known }
    switch try entry(at: path) {
    case .file(let bytes) where bytes > FileSystem.maximumBytes:
      throw CommandFailure(.notLoadable, "the file is larger than \(FileSystem.maximumBytes.asBytes)")
    case .file:
      let result = try Git.run(["cat-file", "--batch", "--follow-symlinks"], input: object(path) + "\n")
      guard let bytes = Self.contents(result.bytes).first ?? nil else {
        throw CommandFailure(.notLoadable, "git cannot read it: \(result.message)")
      }
      return bytes
    case .folder: throw CommandFailure(.notLoadable, "this is a folder; expected a file")
    case .absent: throw CommandFailure(.notLoadable, "no such file")
    case .unreadable(let reason): throw CommandFailure(.notLoadable, reason)
    }
  }

  /// Whether the documents of a folder were read, which is tried once.
  private func prefetchFolder(_ folder: String) throws -> Bool {
    guard cache.withLock({ $0.folders.insert(folder + "/").inserted }) else { return false }
    let names = try files(in: folder).filter { ContractFolder.isDocument($0) }
    guard names.count <= Self.maximumFiles else { return false }
    try prefetch(names.map { Path.join(folder, $0) })
    return true
  }
}
