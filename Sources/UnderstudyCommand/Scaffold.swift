import Understudy

/// Writes the first files of a project; what exists is never touched.
struct Scaffold {
  let folder: String
  let isDry: Bool
  private(set) var written: [String] = []
  private(set) var kept = 0
  private(set) var failed: [(path: String, reason: String)] = []
  private(set) var skipped: [(cell: String, reason: String)] = []

  init(folder: String, isDry: Bool) {
    self.folder = folder
    self.isDry = isDry
  }

  /// One fixture for each documented cell that has none.
  mutating func fixtures(of contract: Contract, seed: String) {
    for operation in contract.compiled.operations {
      let place = Path.join(contract.fixtures.folder, operation.id)
      for cell in contract.cells(of: operation) where cell.cell.response != nil {
        guard cell.defaults.isEmpty else {
          kept += 1
          continue
        }
        do {
          let draft = try FixtureDraft(of: cell.cell, operation, seed: seed)
          write(Path.join(place, "\(cell.cell.status).\(draft.fileExtension)"), draft.bytes)
        } catch {
          skipped.append(("\(operation.id)/\(cell.cell.status)", error.message))
        }
      }
    }
  }

  mutating func configuration(specs: [String]) {
    var text =
      "# What `understudy` reads when it is started without arguments; every key has a flag of the same name.\n"
    text += "contracts:\n" + specs.map { "  - \(JSONWriter.text(.string($0)))\n" }.joined()
    text += "fixtures: \(JSONWriter.text(.string(folder)))\nport: 4010\n"
    write("understudy.yaml", Array(text.utf8))
  }

  private mutating func write(_ path: String, _ bytes: [UInt8]) {
    if FileSystem.exists(path) {
      kept += 1
      return
    }
    do {
      if !isDry { try FileSystem.write(bytes, to: path) }
      written.append(path)
    } catch {
      failed.append((path, error.message))
    }
  }
}
