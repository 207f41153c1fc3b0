package enum FixtureScan {
  /// Larger files are not scanned: 64 MiB.
  package static let limit = 64 << 20

  package static func findings(
    in bytes: [UInt8], of path: String, _ scanner: SecretScanner = SecretScanner()
  ) -> [RecordingReport.FoundSecret] {
    scanner.findings(in: bytes, mediaType(ofFile: path)).map { finding in
      let line = bytes.prefix(max(0, finding.offset)).count { $0 == 0x0A } + 1
      return .init(path: path, line: line, rule: finding.rule, excerpt: finding.excerpt)
    }
  }

  static func mediaType(ofFile path: String) -> MediaRange? {
    let fileExtension = Path.fileExtension(of: path)
    // A description is text, and holds the hashes of no file.
    let isText = ["yaml", "yml"].contains(fileExtension)
    return MediaRange(isText ? "text/plain" : FileExtension.mediaType(fileExtension))
  }

  package struct Result: Sendable {
    package var files = 0
    package var findings: [RecordingReport.FoundSecret] = []
    package var personal: [PersonalScan.Finding] = []
    /// The files that are not text, and what they are.
    package var unread: [(path: String, what: String)] = []
    /// Files and folders below the first that cannot be opened.
    package var problems: [FileProblem] = []
  }

  /// The secrets and the personal data in a file, or in all files of a folder; throws if that itself cannot be opened.
  package static func scan(
    _ path: String, _ scanner: SecretScanner = SecretScanner()
  ) throws(FileProblem) -> Result {
    var result = Result()
    var open = [path]
    while let next = open.popLast() {
      do throws(FileProblem) {
        guard FileSystem.isFolder(next) else {
          try scan(file: next, scanner, into: &result)
          continue
        }
        for entry in try FileSystem.list(next).reversed() where !entry.name.hasPrefix(".") {
          if entry.isFolder || entry.name != RecordingIndex.fileName { open.append(Path.join(next, entry.name)) }
        }
      } catch {
        guard next != path else { throw error }
        result.problems.append(error)
      }
    }
    result.findings.sort { ($0.path, $0.line) < ($1.path, $1.line) }
    result.personal.sort { $0.path < $1.path }
    return result
  }

  private static func scan(file path: String, _ scanner: SecretScanner, into result: inout Result) throws(FileProblem) {
    let file = try FileSystem.read(path, maximumBytes: limit)
    if let what = packed.first(where: { file.bytes.starts(with: $0.start) })?.what {
      result.unread.append((path, what))
      return
    }
    result.files += 1
    result.findings += findings(in: file.bytes, of: path, scanner)
    if let found = PersonalScan.finding(in: file.bytes, of: path) { result.personal.append(found) }
  }

  /// How files begin that hide what they say.
  private static let packed: [(start: [UInt8], what: String)] = [
    ([0x1F, 0x8B], "gzip"), ([0xFD, 0x37, 0x7A, 0x58], "xz"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    ([0x50, 0x4B, 0x03, 0x04], "zip"), ([0x42, 0x5A, 0x68], "bzip2"), ([0xFF, 0xFE], "UTF-16"),
    ([0xFE, 0xFF], "UTF-16"),
  ]
}
