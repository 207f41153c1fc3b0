import CUnderstudyProcess
import UnderstudySystem
import UnderstudyVerification

/// The files of a git revision, read by the `git` program.
struct GitTree: Sendable {
  /// The revision as the user wrote it: `HEAD~1`, `main...`.
  let name: String
  /// The commit or tree.
  private let revision: String

  /// A revision and a path in it, as git writes them: `HEAD~1:openapi.yaml`.
  struct Address {
    let revision: String
    let path: String

    /// `nil` for URLs, for files that exist, and for texts without a colon.
    init?(_ text: String) {
      guard !URIReference(text).isRemote, !FileSystem.exists(text),
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex
      else { return nil }
      revision = String(text[..<colon])
      path = String(text[text.utf8.index(after: colon)...])
    }
  }

  /// The tree and the path from its root.
  static func open(_ address: Address) throws -> (tree: GitTree, path: String) {
    let revision = try commit(of: address.revision)
    var path = address.path
    // Git reads `./` and `../` from the working directory.
    if path == "." || path.hasPrefix("./") || path.hasPrefix("../") {
      let prefix = try Git.run(["rev-parse", "--show-prefix"]).text
      path = URIReference.removeDotSegments("/" + prefix + path)
      path = String(path.dropFirst())
    }
    while path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return (GitTree(name: address.revision, revision: revision), path)
  }

  /// The commit of a revision; `A...B` is the merge base of both, where a missing side is `HEAD`.
  private static func commit(of name: String) throws -> String {
    let sides = name.split(separator: "...", omittingEmptySubsequences: false).map(String.init)
    let result =
      sides.count == 2
      ? try Git.run(["merge-base"] + sides.map { $0.isEmpty ? "HEAD" : $0 })
      : try Git.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{tree}"])
    guard result.code == 0, !result.text.isEmpty else {
      let reason = result.error.split(separator: "\n").first.map { ": \(VisibleText.line(String($0)))" } ?? ""
      throw CommandFailure(
        .usage, "git has no revision `\(VisibleText.line(name))`\(reason)",
        help: "`git log --oneline` lists revisions; a shallow clone lacks older ones: fetch them with "
          + "`git fetch --unshallow`, or `fetch-depth: 0` in CI")
    }
    return result.text
  }

  /// Whether a path is a folder; `nil` if it does not exist.
  func isFolder(_ path: String) throws -> Bool? {
    if path.isEmpty { return true }
    let result = try Git.run(["cat-file", "-t", "\(revision):\(path)"])
    return result.code == 0 ? result.text == "tree" : nil
  }

  /// The files below a folder, by their paths from the root.
  func files(in folder: String) throws -> [String] {
    let arguments = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", revision]
    let result = try Git.run(arguments + (folder.isEmpty ? [] : ["--", folder + "/"]))
    return result.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The documents of the tree, by their paths from the root.
  var load: DocumentStore.Load {
    { path in
      let name = path.utf8.starts(with: "./".utf8) ? String(path.dropFirst(2)) : path
      guard let result = try? Git.run(["cat-file", "blob", "\(revision):\(name)"]), result.code == 0 else {
        return .failure(.unreadable("no such file in the git revision `\(self.name)`"))
      }
      let source = SourceFile(path: path, bytes: result.bytes)
      do throws(TextProblem) {
        return .success(try TextDocument.read(source))
      } catch {
        return .failure(.unparsable(error, source))
      }
    }
  }
}

/// Runs the `git` program.
enum Git {
  struct Result {
    let code: Int32
    let bytes: [UInt8]
    let error: String

    /// The first line of the output.
    var text: String {
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// The maximum size of an output: 256 MiB.
  private static let maximumBytes = 256 << 20

  /// Runs git to its end. A shell separates its outputs.
  static func run(_ arguments: [String]) throws -> Result {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (output, error) = (Path.join(folder.path, "out"), Path.join(folder.path, "err"))
    let script = "out=$1 err=$2; shift 2; exec git \"$@\" >\"$out\" 2>\"$err\" </dev/null"
    let words = ["/bin/sh", "-c", script, "sh", output, error] + arguments
    let nowhere = open("/dev/null", O_WRONLY)
    defer { close(nowhere) }
    var child = pid_t()
    var argumentList = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("GIT_TERMINAL_PROMPT=0"), strdup("LC_ALL=C"), nil]
    defer { for text in argumentList + environment { free(text) } }
    let code = process_start_captured(&child, &argumentList, &environment, nowhere, 0)
    guard code == 0 else {
      throw CommandFailure(.usage, "git cannot be started: \(String(cString: strerror(code)).lowercased())")
    }
    process_await(child)
    var signal: CInt = 0
    let exit = process_reap(child, &signal)
    guard exit != 127 else {
      throw CommandFailure(.usage, "the program `git` was not found", help: "install git, or name files")
    }
    let bytes = try? FileSystem.read(output, maximumBytes: maximumBytes).bytes
    let message = try? FileSystem.read(error).bytes
    return Result(code: exit, bytes: bytes ?? [], error: String(decoding: message ?? [], as: UTF8.self))
  }
}
