import SourceText
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
  mutating func fixtures(of engine: MockEngine) {
    for plan in engine.plans {
      let contract = engine.contracts[plan.contractIndex]
      let place = Path.join(contract.fixtures.folder, plan.operation.id)
      for cell in plan.cells where cell.response != nil {
        guard cell.defaults.isEmpty else {
          kept += 1
          continue
        }
        do {
          let (fileExtension, bytes) = try plan.scaffold(cell, seed: engine.options.seed)
          write(Path.join(place, "\(cell.status).\(fileExtension)"), bytes)
        } catch {
          skipped.append(("\(plan.operation.id)/\(cell.status)", error.message))
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
