/// A regular expression as a nondeterministic automaton that searches a string.
struct RegularExpression {
  /// A transition of a state.
  private enum Edge {
    case set(CharacterSet, to: Int)
    case empty(to: Int)
    /// A transition at the start or the end of the string alone.
    case start(to: Int)
    case end(to: Int)
  }

  private var edges: [[Edge]] = [[]]
  private var accepting = 0
  /// The sets of the transitions.
  private(set) var sets: [CharacterSet] = []
  /// The maximum number of states.
  private static let limit = 2_000
  /// The parts of the expression that may still be added, repeated ones several times.
  private var steps = 20_000

  /// `nil` for an expression that is not regular, or too large.
  init?(_ pattern: String) {
    guard let node = RegularExpressionReader.read(pattern), let last = add(node, from: 0) else { return nil }
    accepting = last
  }

  private mutating func state() -> Int? {
    guard edges.count < Self.limit else { return nil }
    edges.append([])
    return edges.count - 1
  }

  /// Adds a node after a state; returns the state behind it.
  private mutating func add(_ node: RegularNode, from first: Int) -> Int? {
    steps -= 1
    guard steps >= 0 else { return nil }
    switch node {
    case .set(let set):
      guard let last = state() else { return nil }
      sets.append(set)
      edges[first].append(.set(set, to: last))
      return last
    case .start, .end:
      guard let last = state() else { return nil }
      if case .start = node { edges[first].append(.start(to: last)) } else { edges[first].append(.end(to: last)) }
      return last
    case .sequence(let nodes):
      var current = first
      for node in nodes {
        guard let next = add(node, from: current) else { return nil }
        current = next
      }
      return current
    case .choice(let branches):
      guard let last = state() else { return nil }
      for branch in branches {
        guard let start = state() else { return nil }
        edges[first].append(.empty(to: start))
        guard let end = add(branch, from: start) else { return nil }
        edges[end].append(.empty(to: last))
      }
      return last
    case .repetition(let inner, let least, let most): return repeated(inner, least, most, from: first)
    }
  }

  private mutating func repeated(_ node: RegularNode, _ least: Int, _ most: Int?, from first: Int) -> Int? {
    var current = first
    guard least <= Self.limit, (most ?? 0) <= Self.limit else { return nil }
    for _ in 0..<least {
      guard let next = add(node, from: current) else { return nil }
      current = next
    }
    guard let last = state() else { return nil }
    guard let most else {
      // A loop of its own, which earlier states do not enter in its middle.
      guard let start = state() else { return nil }
      edges[current].append(.empty(to: start))
      edges[start].append(.empty(to: last))
      guard let end = add(node, from: start) else { return nil }
      edges[end].append(.empty(to: start))
      return last
    }
    for _ in least..<max(least, most) {
      edges[current].append(.empty(to: last))
      guard let next = add(node, from: current) else { return nil }
      current = next
    }
    edges[current].append(.empty(to: last))
    return last
  }

  // MARK: - Running

  /// The states after a prefix of a string; `nil` stands for a match, whatever follows.
  typealias States = Set<Int>?

  var initial: States { settled([0], isStart: true) }

  func after(_ states: States, _ scalar: UInt32) -> States {
    guard let states else { return nil }
    // A match may begin anywhere.
    var next: Set<Int> = [0]
    for state in states {
      for case .set(let set, let target) in edges[state] where set.contains(scalar) { next.insert(target) }
    }
    return settled(next, isStart: false)
  }

  /// Whether a string that ends in these states matches.
  func accepts(_ states: States) -> Bool {
    guard let states else { return true }
    return closure(of: states, isStart: false, isEnd: true).contains(accepting)
  }

  private func settled(_ states: Set<Int>, isStart: Bool) -> States {
    let all = closure(of: states, isStart: isStart, isEnd: false)
    return all.contains(accepting) ? nil : all
  }

  private func closure(of states: Set<Int>, isStart: Bool, isEnd: Bool) -> Set<Int> {
    var all = states
    var pending = Array(states)
    while let state = pending.popLast() {
      for edge in edges[state] {
        let target: Int? =
          switch edge {
          case .empty(let target): target
          case .start(let target): isStart ? target : nil
          case .end(let target): isEnd ? target : nil
          case .set: nil
          }
        if let target, all.insert(target).inserted { pending.append(target) }
      }
    }
    return all
  }
}
