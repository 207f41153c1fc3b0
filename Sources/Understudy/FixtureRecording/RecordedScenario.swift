/// The answers of operations in the order of a session, where the requests alone do not decide which one is sent.
struct RecordedScenario {
  let name: String
  private var sequences: [(operation: String, steps: [String])] = []

  /// Lists with more steps have a line for each.
  private static let lineLimit = 8

  init(name: String) { self.name = name }

  var isEmpty: Bool { sequences.isEmpty }

  /// Below the folder of the contract.
  var path: String { "_scenarios/\(name).yaml" }

  mutating func add(_ recording: OperationRecording) {
    if !recording.steps.isEmpty { sequences.append((recording.operation.id, recording.steps)) }
  }

  var text: String {
    var yaml = YAMLText()
    yaml.line("summary: The answers of a recording, in its order.")
    yaml.line("sequence:")
    for (operation, steps) in sequences {
      let key = YAMLText.scalar(operation)
      if steps.count <= Self.lineLimit {
        yaml.line("\(key): [\(steps.joined(separator: ", "))]", indent: 2)
      } else {
        yaml.line("\(key):", indent: 2)
        for step in steps { yaml.line("- \(step)", indent: 4) }
      }
    }
    return yaml.text
  }
}
