import UnderstudyVerification

/// Writes the first files of a project, but never overwrites a file.
struct Scaffold {
  let folder: String
  let isDry: Bool
  private(set) var written: [String] = []
  private(set) var changed: [String] = []
  private(set) var kept = 0
  /// The file that could not be written; nothing is written after it.
  private(set) var failed: (path: String, problem: FileProblem)?
  /// Why the config file has to be edited by hand.
  private(set) var unextended: String?
  private(set) var skipped: [(cell: String, reason: String)] = []
  /// Cells whose example breaks its schema; a sample was written instead.
  private(set) var replaced: [(cell: String, reason: String)] = []

  init(folder: String, isDry: Bool) {
    self.folder = folder
    self.isDry = isDry
  }

  /// The number of files by their fate: `3 written (1 with a sample for an invalid example), 0 kept, 0 skipped`.
  var summary: String {
    let samples = replaced.isEmpty ? "" : " (\(replaced.count) with a sample for an invalid example)"
    return "\(written.count) \(isDry ? "to write" : "written")\(samples), \(kept) kept, \(skipped.count) skipped"
  }

  /// Writes one fixture for each documented cell without fixtures.
  mutating func fixtures(of contract: Contract, seed: String) {
    for operation in contract.compiled.operations {
      let folder = Path.join(contract.fixtures.folder, operation.id)
      // An interim status (RFC 9110, 15.2) is not an answer.
      for cell in contract.cells(of: operation)
      where cell.cell.response != nil && cell.cell.status.code >= 200 && failed == nil {
        guard cell.defaults.isEmpty else {
          kept += 1
          continue
        }
        do {
          let draft = try FixtureDraft(of: cell.cell, operation, seed: seed)
          if let finding = draft.replaced {
            replaced.append(("\(operation.id)/\(cell.cell.status)", finding.placedMessage))
          }
          write(Path.join(folder, "\(cell.cell.status).\(draft.fileExtension)"), draft.bytes)
        } catch {
          skipped.append(("\(operation.id)/\(cell.cell.status)", error.message))
        }
      }
    }
  }

  /// Writes the config file, or adds contracts to an existing one.
  mutating func configuration(_ project: ProjectFile) {
    guard failed == nil else { return }
    guard let source = project.source else {
      return write(project.path, Array(project.newText(fixtures: folder).utf8))
    }
    guard !project.added.isEmpty else {
      kept += 1
      return
    }
    guard let text = ConfigurationEdit.adding(project.added, to: source) else {
      let entries = project.added.map(\.text).joined(separator: ", ")
      unextended = "\(project.path): its list of contracts cannot be extended; add \(entries)"
      return
    }
    do throws(FileProblem) {
      if !isDry { try FileSystem.replace(project.path, with: text) }
      changed.append(project.path)
    } catch {
      failed = (project.path, error)
    }
  }

  private mutating func write(_ path: String, _ bytes: [UInt8]) {
    if FileSystem.exists(path) {
      kept += 1
      return
    }
    do throws(FileProblem) {
      if !isDry { try FileSystem.write(bytes, to: path) }
      written.append(path)
    } catch {
      failed = (path, error)
    }
  }
}
