import UnderstudyVerification

/// A recording that fixtures are made of: HAR 1.2, NDJSON with an entry of a HAR in each line, a journal, or a store.
struct RecordedFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// The name of the recording in messages and reports, without a password.
  var name: String { JournalSource.name(of: path) }

  /// Calls `body` with every entry, and whether a mock of ours recorded it. Throws if the file is not a recording.
  func forEach(_ body: (Exchange, _ isOwn: Bool) -> Void) throws {
    if isDatabase { return try forEachExchange(body) }
    try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in
      switch Path.fileExtension(of: path) {
      case "ndjson", "jsonl": try forEachLine(body)
      default: try forEachEntry(body)
      }
    }
  }

  /// Whether it is a database: by its address, the name of the file, or its first bytes.
  var isDatabase: Bool {
    switch Path.fileExtension(of: path) {
    case _ where JournalSource.isServer(path): true
    case "ndjson", "jsonl": false
    case "sqlite", "db": true
    default: (try? OpenFile(path).read(at: 0, count: 16))?.elementsEqual("SQLite format 3\0".utf8) ?? false
    }
  }

  private func forEachEntry(_ body: (Exchange, Bool) -> Void) throws(FileProblem) {
    let file = try HARFile(path)
    let isOwn = file.creator?.utf8.elementsEqual(HARFormat.creator.utf8) == true
    for position in 0..<file.count {
      do throws(HAREntry.Problem) {
        body(try file.entry(position), isOwn)
      } catch {
        warn("entry \(position + 1) is left out: \(error.message)")
      }
    }
    if file.strays > 0 { warn("\(file.strays.counted("element")) of `log.entries` left out: no object") }
    if let damage = file.damage { warn("the rest cannot be read: \(damage)") }
  }

  private func forEachExchange(_ body: (Exchange, Bool) -> Void) throws {
    var index = 0
    try JournalSource(path).forEach(JournalFile.Filter()) { detail in
      defer { index += 1 }
      guard let entry = detail["exchange"].flatMap({ try? HAREntry.read($0, index: index, line: index + 1) }) else {
        return warn("request \(detail["id"]?.text ?? "") is left out: it is not held whole")
      }
      body(entry, true)
    }
  }

  private func forEachLine(_ body: (Exchange, Bool) -> Void) throws(FileProblem) {
    let file = try FileSystem.read(path, maximumBytes: Self.limit)
    var count = 0
    for (index, line) in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let root = try? JSONParser.parse(Array(line)).root,
        let entry = try? HAREntry.read(root, index: index, line: index + 1)
      else {
        warn("line \(index + 1) is left out: it is not an entry of a HAR")
        continue
      }
      count += 1
      body(entry, root["_understudy"] != nil)
    }
    if count == 0 {
      throw FileProblem(
        .otherContent, path, "this is not a recording: no line is an entry of a HAR",
        help: #"expected {"request": {...}, "response": {...}} in each line"#)
    }
  }

  /// 512 MiB.
  private static let limit = 512 << 20

  private func warn(_ text: String) { Terminal.standardError.write("warning: \(name): \(VisibleText.line(text))\n") }
}
