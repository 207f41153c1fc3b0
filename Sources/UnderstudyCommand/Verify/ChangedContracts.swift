import UnderstudyVerification

/// The contracts that changed since a revision of git: by their own files, by fixtures, or by a file that they refer to.
///
/// A file refers to another one if it has its path, whatever the member: too many contracts are validated rather than too few.
struct ChangedContracts {
  /// The absolute path of the repository.
  private let root: String
  /// The changed files, by their paths from the root.
  private let edited: Set<String>
  /// The changed files, and the files that refer to them.
  private let changed: Set<String>
  /// The files that git knows, or would add.
  private let known: Set<String>

  /// - Parameter revision: A branch, a tag or a commit; changes count since the work branched off it.
  init(since revision: String) throws {
    let top = try Git.run(["rev-parse", "--show-toplevel"])
    guard top.code == 0 else {
      throw CommandFailure(
        .usage, "`--changed-since` needs a git repository: \(top.message)",
        help: "run the command in a working tree of git")
    }
    root = top.text
    let base = try GitRevision.id(of: revision.contains("..") ? revision : revision + "...HEAD", in: revision)
    let place = ["-C", root]
    let different = try Self.git(place + ["diff", "--name-only", "--no-renames", "-z", base])
    let untracked = try Self.git(place + ["ls-files", "--others", "--exclude-standard", "-z"])
    known = Set(try Self.git(place + ["ls-files", "-z"]) + untracked)
    edited = Set(different + untracked)
    var (found, next) = (edited, edited)
    while !next.isEmpty {
      next = try Self.references(to: next, in: root).subtracting(found)
      found.formUnion(next)
    }
    changed = found
  }

  /// Whether a contract has to be validated again.
  ///
  /// - Parameters:
  ///   - fixtures: The folder of all fixtures.
  ///   - settings: The paths of files on which all contracts depend.
  func contains(_ source: ContractSource, fixtures: String, settings: [String]) -> Bool {
    let overlays = source.reading.overlays.files
    guard !source.isFetched, let path = inside(source.path) else { return true }
    // Settings name all contracts, and thus refer to every change.
    if settings.contains(where: { isChanged($0, edited) }) || overlays.contains(where: { isChanged($0, changed) }) {
      return true
    }
    if !FileSystem.isFolder(source.path), !known.contains(path) { return true }
    // Documents of events are beside their contract, under its name.
    let beside = Path.join(Path.folder(of: path), Path.stem(of: path) + ".")
    let folders = [path + "/", inside(Path.join(fixtures, source.name)).map { $0 + "/" }].compactMap(\.self)
    return changed.contains { file in
      file.utf8Equals(path) || file.hasPrefix(beside) || folders.contains { file.hasPrefix($0) }
    }
  }

  private func isChanged(_ path: String, _ files: Set<String>) -> Bool {
    guard let path = inside(path) else { return true }
    return files.contains(path) || !known.contains(path)
  }

  /// The path from the root of the repository; `nil` outside of it.
  private func inside(_ path: String) -> String? {
    // What does not exist yet is in a folder that does.
    let real =
      FileSystem.realPath(path)
      ?? FileSystem.realPath(Path.folder(of: path).isEmpty ? "." : Path.folder(of: path))
      .map { Path.join($0, Path.name(of: path)) }
    guard let real, real.hasPrefix(root + "/") else { return nil }
    return String(real.dropFirst(root.count + 1))
  }

  // MARK: - Git

  /// The output of git, which is split at NUL.
  private static func git(_ arguments: [String], input: String = "") throws -> [String] {
    let result = try Git.run(arguments, input: input)
    // `git grep` has the code 1 without a match.
    guard result.code == 0 || result.code == 1 && result.error.isEmpty else {
      throw CommandFailure(.usage, "git failed: \(result.message)")
    }
    return result.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The maximum number of names in one search.
  private static let batch = 500

  /// The files whose text contains the path of a given file, relative to their own directory or a directory above it.
  private static func references(to changed: Set<String>, in root: String) throws -> Set<String> {
    var owners: Set<String> = []
    let names = changed.map { Path.name(of: $0) }.unique().sorted()
    for start in stride(from: 0, to: names.count, by: batch) {
      let part = names[start..<min(start + batch, names.count)]
      let spellings = part.flatMap { [$0, PercentEncoding.encode($0)] }.unique()
      let grep = ["-C", root, "grep", "--untracked", "-I", "-z", "-f", "-"]
      // A search for fixed strings is many times as fast as one for expressions.
      let files = try git(grep + ["-F", "-l"], input: spellings.joined(separator: "\n"))
      let patterns = spellings.map { "[^][:space:]\"'<>{},#[]*" + escaped($0) }.joined(separator: "\n")
      for start in stride(from: 0, to: files.count, by: batch) {
        let some = files[start..<min(start + batch, files.count)].map { ":(literal)" + $0 }
        // Each part but the last ends with the name of the owner of the next match.
        let parts = try git(grep + ["-E", "-o", "--"] + some, input: patterns)
        var owner = parts.first ?? ""
        for part in parts.dropFirst() {
          let text = part.prefix { $0 != "\n" }
          if refers(owner, String(text), to: changed) { owners.insert(owner) }
          owner = String(part.dropFirst(text.count + 1))
        }
      }
    }
    return owners
  }

  /// A name as an extended regular expression.
  private static func escaped(_ name: String) -> String {
    name.map { character in
      let isPlain = character.isLetter || character.isNumber || "_-/%".contains(character)
      return isPlain ? String(character) : character == "^" ? "\\^" : "[\(character)]"
    }.joined()
  }

  private static func refers(_ owner: String, _ text: String, to files: Set<String>) -> Bool {
    let text = PercentEncoding.decode(text) ?? text
    // A path with a space is seen in parts.
    if files.contains(where: { $0.contains(" ") && Path.name(of: $0).hasSuffix(Path.name(of: text)) }) { return true }
    var folder = Path.folder(of: owner)
    while true {
      if files.contains(normalized(Path.join(folder, text))) { return true }
      if folder.isEmpty { return false }
      folder = Path.folder(of: folder)
    }
  }

  /// A path without `.` and `..`.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}

extension EstateOptions {
  /// The contracts that a run has to validate.
  func changed(_ sources: [ContractSource], fixtures: String, _ configuration: String?) throws -> [ContractSource] {
    guard let changedSince else { return sources }
    let changes = try ChangedContracts(since: changedSince)
    let settings = [configuration].compactMap(\.self)
    return sources.filter { changes.contains($0, fixtures: fixtures, settings: settings) }
  }

  func cache(_ settings: @autoclosure () throws -> [String]) throws -> VerdictCache? {
    try cache.map { try VerdictCache($0, try settings()) }
  }
}
