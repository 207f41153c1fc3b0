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

  var operations: [String] { sequences.map(\.operation) }

  /// The answers that a scenario names, by operation: `200.empty`.
  static func labels(of file: [UInt8]) -> [String: Set<String>] {
    guard let root = try? TextDocument.read(SourceFile(path: "", bytes: file)).root else { return [:] }
    let members = (root["sequence"]?.members ?? JSON.object([]).members).map { member in
      let steps = member.value.elements.compactMap { step in
        (step["answer"] ?? step).text.split(separator: "*").first.map(String.init)
      }
      return (member.name, Set(steps))
    }
    return Dictionary(members, uniquingKeysWith: { first, _ in first })
  }

  /// Adds the sequences of an earlier recording, but for operations that were recorded again.
  ///
  /// - Parameter order: The ids of the contract's operations.
  mutating func keepOthers(of file: [UInt8], besides recorded: Set<String>, order: [String]) {
    guard let root = try? TextDocument.read(SourceFile(path: path, bytes: file)).root else { return }
    for member in root["sequence"]?.members ?? JSON.object([]).members where !recorded.contains(member.name) {
      sequences.append((member.name, member.value.elements.map(\.text)))
    }
    let positions = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    sequences.sort { positions[$0.operation] ?? order.count < positions[$1.operation] ?? order.count }
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
