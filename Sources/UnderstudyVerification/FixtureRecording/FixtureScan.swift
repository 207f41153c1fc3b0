/// Scans the files of fixtures for secrets.
package enum FixtureScan {
  /// Larger files are not scanned: 64 MiB.
  package static let limit = 64 << 20

  /// The secrets in a file.
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

  /// The secrets and the personal data in a file, or in all files of a folder, and the number of the files.
  package static func scan(
    _ path: String, _ scanner: SecretScanner = SecretScanner()
  ) throws(FileProblem) -> (files: Int, findings: [RecordingReport.FoundSecret], personal: [PersonalScan.Finding]) {
    var files = 0
    var findings: [RecordingReport.FoundSecret] = []
    var personal: [PersonalScan.Finding] = []
    var open = [path]
    while let path = open.popLast() {
      guard FileSystem.isFolder(path) else {
        let file = try FileSystem.read(path, maximumBytes: limit, onlyRegular: true)
        files += 1
        findings += self.findings(in: file.bytes, of: path, scanner)
        if let found = PersonalScan.finding(in: file.bytes, of: path) { personal.append(found) }
        continue
      }
      for entry in try FileSystem.list(path).reversed() where !entry.name.hasPrefix(".") {
        if entry.isFolder || entry.name != RecordingIndex.fileName { open.append(Path.join(path, entry.name)) }
      }
    }
    return (
      files, findings.sorted { ($0.path, $0.line) < ($1.path, $1.line) }, personal.sorted { $0.path < $1.path }
    )
  }
}
