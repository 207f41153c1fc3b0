/// The answers of operations in the order of a session, where the requests alone do not decide which one is sent.
struct RecordedScenario {
  private(set) var name: String
  private var sequences: Sequences = []
  /// The responses to requests that break the contract; `nil` without such requests.
  private var invalid: Sequences?
  /// Of operations whose fixtures answer as the session did, in case that an earlier recording has a sequence for them.
  private var spare: [String: [String]] = [:]

  var sockets: RecordedSocketRules?

  private typealias Sequences = [(operation: String, steps: [String])]

  /// Lists with more steps have a line for each.
  private static let lineLimit = 8

  init(name: String) { self.name = name }

  var isEmpty: Bool { sequences.isEmpty && invalid?.isEmpty != false && sockets?.isEmpty != false }

  /// Below the folder of the contract.
  var path: String { "_scenarios/\(name).yaml" }

  /// - Parameter addsRefusals: Whether rejections are steps even where the mock rejects the same requests by itself.
  mutating func add(_ recording: OperationRecording, addsRefusals: Bool) {
    if !recording.steps.isEmpty { sequences.append((recording.operation.id, recording.steps)) }
    guard recording.hasInvalid else { return }
    invalid = invalid ?? []
    let steps = recording.invalidSteps(addingRefusals: addsRefusals)
    if !steps.isEmpty { invalid?.append((recording.operation.id, steps)) }
  }

  /// Notes the sequence of an operation that needs none.
  mutating func addSpare(_ recording: OperationRecording) { spare[recording.operation.id] = recording.steps }

  var operations: [String] { sequences.map(\.operation) }

  /// Takes the next name, `recorded2`, until no file of that name has an answer of these operations that this one lacks.
  mutating func takeFreeName(_ file: (_ path: String) -> [UInt8]?) {
    let base = name
    var number = 1
    while let earlier = file(path), lacksAnswer(of: earlier) {
      number += 1
      name = "\(base)\(number)"
    }
  }

  private func lacksAnswer(of earlier: [UInt8]) -> Bool {
    let labels = Self.labels(of: earlier)
    let all = sequences + (invalid ?? []) + spare.map { ($0.key, $0.value) }
    return all.grouped(by: \.operation).contains { operation, lists in
      let own = Set(lists.flatMap(\.steps).compactMap { $0.split(separator: "*").first.map(String.init) })
      return !(labels[operation] ?? []).isSubset(of: own)
    }
  }

  /// The answers that a scenario names, by operation: `200.empty`.
  static func labels(of file: [UInt8]) -> [String: Set<String>] {
    guard let root = try? TextDocument.read(SourceFile(path: "", bytes: file)).root else { return [:] }
    let members = ["sequence", "invalid"].compactMap { root[$0] }.flatMap(\.members).map { member in
      let steps = member.value.elements.compactMap { step in
        (step["answer"] ?? step).text.split(separator: "*").first.map(String.init)
      }
      return (member.name, Set(steps))
    }
    return Dictionary(members, uniquingKeysWith: { $0.union($1) })
  }

  /// Adds the sequences of an earlier recording, in the order of the contract, except for operations recorded again.
  mutating func keepOthers(of file: [UInt8], besides recorded: Set<String>, order: [String]) {
    guard let root = try? TextDocument.read(SourceFile(path: path, bytes: file)).root else { return }
    func has(_ sequences: Sequences?, _ name: String) -> Bool { sequences?.contains { $0.operation == name } == true }
    for member in root["sequence"]?.members ?? JSON.object([]).members
    where !recorded.contains(member.name) && !has(sequences, member.name) {
      sequences.append((member.name, spare[member.name] ?? member.value.elements.map(\.text)))
    }
    if let earlier = root["invalid"] {
      invalid = invalid ?? []
      for member in earlier.members where !recorded.contains(member.name) && !has(invalid, member.name) {
        invalid?.append((member.name, member.value.elements.map(\.text)))
      }
    }
    let positions = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func sorted(_ sequences: Sequences) -> Sequences {
      sequences.sorted { positions[$0.operation] ?? order.count < positions[$1.operation] ?? order.count }
    }
    (sequences, invalid) = (sorted(sequences), invalid.map(sorted))
  }

  var text: String {
    var yaml = YAMLText()
    yaml.line("summary: The answers of a recording, in its order.")
    if !sequences.isEmpty { write(sequences, as: "sequence", to: &yaml) }
    if let invalid {
      yaml.line("# Requests that break the contract take none of these steps.")
      write(invalid, as: "invalid", to: &yaml)
    }
    sockets?.write(to: &yaml)
    return yaml.text
  }

  private func write(_ sequences: Sequences, as name: String, to yaml: inout YAMLText) {
    yaml.line(sequences.isEmpty ? "\(name): {}" : "\(name):")
    for (operation, steps) in sequences {
      let key = YAMLText.scalar(operation)
      if steps.count <= Self.lineLimit {
        yaml.line("\(key): [\(steps.joined(separator: ", "))]", indent: 2)
      } else {
        yaml.line("\(key):", indent: 2)
        for step in steps { yaml.line("- \(step)", indent: 4) }
      }
    }
  }
}
