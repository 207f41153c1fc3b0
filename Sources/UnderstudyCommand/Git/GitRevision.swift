import UnderstudyVerification

/// A revision and a path in it, as git writes them: `HEAD~1:openapi.yaml`, or `:openapi.yaml` for the index.
struct GitAddress {
  let revision: String
  let path: String

  /// `nil` for URLs, for files that exist, and for strings without a colon.
  init?(_ text: String) {
    guard !URIReference(text).isRemote, !FileSystem.exists(text), let colon = Self.colon(in: text.utf8) else {
      return nil
    }
    revision = String(text[..<colon])
    path = String(text[text.utf8.index(after: colon)...])
  }

  /// The first colon outside of braces, as in `main@{10:00}:openapi.yaml`.
  private static func colon(in text: String.UTF8View) -> String.Index? {
    var depth = 0
    for (index, byte) in zip(text.indices, text) {
      switch byte {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ":") where depth <= 0: return index
      default: break
      }
    }
    return nil
  }
}

/// Finds the commits of revisions, and explains those that do not exist.
enum GitRevision {
  /// The id of the commit or tree of a revision; `A...B` is the merge base of both, and a missing side is `HEAD`.
  ///
  /// - Parameter text: The argument of the command line.
  static func id(of name: String, in text: String) throws -> String {
    let sides = parts(of: name, at: "...")
    guard sides.count == 2 else {
      if parts(of: name, at: "..").count == 2 {
        throw CommandFailure(
          .usage, "`\(VisibleText.line(name))` is a range of commits: expected one revision",
          help: "write three dots for the merge base, as in `main...:openapi.yaml`")
      }
      return try find(name, type: "tree", in: text)
    }
    let ids = try sides.map { try find($0.isEmpty ? "HEAD" : $0, type: "commit", in: text) }
    let base = try Git.run(["merge-base"] + ids)
    guard base.code == 0, !base.text.isEmpty else {
      let names = sides.map { "`\($0.isEmpty ? "HEAD" : VisibleText.line($0))`" }
      throw CommandFailure(
        .usage, "git finds no merge base of \(names[0]) and \(names[1])",
        help: try shallowHelp() ?? "their histories are unrelated: name one revision, as in `main:openapi.yaml`")
    }
    return base.text
  }

  /// Whether a string is a revision of the repository around the working directory.
  static func exists(_ name: String) throws -> Bool {
    guard !name.isEmpty, !name.hasPrefix("-"), !name.utf8.contains(0x0A) else { return false }
    return try parse(name, type: "tree").code == 0
  }

  /// The path of the working directory from the root of the repository: `""`, or `docs/api/`.
  static func folder() throws -> String { try Git.run(["rev-parse", "--show-prefix"]).text }

  private static func parts(of name: String, at dots: String) -> [String] {
    guard let range = name.utf8.firstRange(of: dots.utf8) else { return [name] }
    return [String(name[..<range.lowerBound]), String(name[range.upperBound...])]
  }

  private static func parse(_ name: String, type: String) throws -> Git.Result {
    try Git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{\(type)}"])
  }

  private static func find(_ name: String, type: String, in text: String) throws -> String {
    let result = try parse(name, type: type)
    guard result.code != 0 || result.text.isEmpty else { return result.text }
    try requireRepository(text)
    throw CommandFailure(
      .usage, "git has no revision `\(VisibleText.line(name))`, and `\(VisibleText.line(text))` is not a file",
      help: try shallowHelp() ?? help(for: name))
  }

  /// Throws if the working directory is in no repository that git reads.
  static func requireRepository(_ text: String) throws {
    let result = try Git.run(["rev-parse", "--git-dir"])
    guard result.code != 0 else { return }
    if result.error.contains("not a git repository") {
      throw CommandFailure(
        .usage, "`\(VisibleText.line(text))` is not a file, and the working directory is not in a git repository",
        help: "name a file, or run the command in the repository")
    }
    // Git prints the command that helps in a line of its own, as for a repository of another user.
    let command = result.error.split(separator: "\n").first { $0.hasPrefix("\t") }
    throw CommandFailure(
      .usage, "git cannot read the repository: \(result.message)",
      help: command.map { "git proposes `\(VisibleText.line(String($0.dropFirst())))`" })
  }

  private static func shallowHelp() throws -> String? {
    guard try Git.run(["rev-parse", "--is-shallow-repository"]).text == "true" else { return nil }
    return "this clone is shallow, and lacks older commits: `git fetch --unshallow`, or `fetch-depth: 0` of "
      + "actions/checkout, fetches them"
  }

  private static func help(for name: String) throws -> String {
    let list = try Git.run(["for-each-ref", "--count=10000", "--format=%(refname:short)"])
    let names = String(decoding: list.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard !names.isEmpty else { return "the repository has no commit yet" }
    let remote = names.first { $0.utf8Equals("origin/\(name)") }
    if let near = remote ?? Suggestion.nearest(to: name, among: names) { return "did you mean `\(near)`?" }
    if name.hasPrefix("origin/") {
      return "`git fetch origin \(ShellQuoting().word(String(name.dropFirst("origin/".count))))` fetches the branch"
    }
    return "`git branch --all` and `git log --oneline` list revisions"
  }
}
