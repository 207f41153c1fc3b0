/// The states of a machine and what leads from one to another, to be drawn.
package struct MachineGraph {
  package struct Edge: Hashable {
    /// `nil` for the way into the machine.
    package let from: String?
    /// `nil` for the end.
    package let to: String?
    package let label: String
  }

  package let machine: ScenarioMachine
  /// Each once.
  package let edges: [Edge]

  private static let namesLimit = 4

  package init(_ machine: ScenarioMachine) {
    self.machine = machine
    var edges = [Edge(from: nil, to: machine.start, label: "")]
    for state in machine.states {
      edges += Self.edges(of: state)
      if let timer = state.timer {
        edges.append(Edge(from: state.name, to: timer.next, label: "after \(ScenarioDuration.text(timer.after))"))
      }
      if state.isFinal { edges.append(Edge(from: state.name, to: nil, label: "")) }
    }
    for (operation, rules) in machine.rules.sorted(by: { $0.key < $1.key }) {
      for next in rules.compactMap(\.next) {
        edges += machine.states.filter { !$0.name.utf8Equals(next) }.map {
          Edge(from: $0.name, to: next, label: operation)
        }
      }
    }
    for (operation, move) in machine.allRules.flatMap({ entry in entry.rule.moves.map { (entry.operation, $0) } }) {
      guard let next = move.next else { continue }
      edges += move.from.filter { !$0.name.utf8Equals(next.name) }.map {
        Edge(from: $0.name, to: next.name, label: "\(operation) by another")
      }
    }
    var seen: Set<Edge> = []
    self.edges = edges.filter { seen.insert($0).inserted }
  }

  /// Operations with the same end and answer share an edge.
  private static func edges(of state: ScenarioMachine.State) -> [Edge] {
    var edges: [(next: String, answer: String, operations: [String])] = []
    for (operation, rules) in state.rules.sorted(by: { $0.key < $1.key }) {
      for rule in rules {
        guard let next = rule.next else { continue }
        let answer = rule.answer?.label ?? rule.status?.description ?? ""
        if let known = edges.firstIndex(where: { $0.next.utf8Equals(next) && $0.answer == answer }) {
          if !edges[known].operations.contains(operation) { edges[known].operations.append(operation) }
        } else {
          edges.append((next, answer, [operation]))
        }
      }
    }
    return edges.map { Edge(from: state.name, to: $0.next, label: "\(names(of: $0.operations)) \($0.answer)") }
  }

  /// The first three names, and the number of the others.
  static func names(of operations: [String]) -> String {
    operations.count <= namesLimit
      ? operations.joined(separator: ", ")
      : operations.prefix(namesLimit - 1).joined(separator: ", ") + " and \(operations.count - namesLimit + 1) more"
  }

  package var json: JSON {
    .object(
      ("name", .string(machine.name)), ("start", .string(machine.start)),
      (
        "states",
        .array(
          machine.states.map { state in
            .object(
              ("name", .string(state.name)), ("summary", state.summary.map { .string($0) }),
              ("isFinal", JSON(booleanLiteral: state.isFinal)))
          })
      ),
      (
        "edges",
        .array(
          edges.compactMap { edge in
            guard let from = edge.from, let to = edge.to else { return nil }
            return .object(("from", .string(from)), ("to", .string(to)), ("label", .string(edge.label)))
          })
      ))
  }

  /// A state diagram, as GitHub and other viewers of Markdown draw it.
  var mermaid: String {
    var lines = ["stateDiagram-v2"]
    if !machine.name.isEmpty { lines.append("  %% \(machine.name)") }
    let ids = Dictionary(
      machine.states.enumerated().map { ($1.name, "s\($0)") }, uniquingKeysWith: { first, _ in first })
    func id(_ name: String?) -> String { name.map { ids[$0] ?? "unknown" } ?? "[*]" }
    lines += machine.states.map { "  \(id($0.name)): \(Self.plain($0.name))" }
    lines += edges.map { edge in
      let label = Self.plain(edge.label)
      return "  \(id(edge.from)) --> \(id(edge.to))" + (edge.from == nil || edge.to == nil ? "" : ": \(label)")
    }
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }.joined(separator: "\n") + "\n"
  }

  /// Without the characters that end a label.
  private static func plain(_ text: String) -> String {
    String(text.map { ":;#\n\"".contains($0) ? " " : $0 }).split(separator: " ").joined(separator: " ")
  }
}
