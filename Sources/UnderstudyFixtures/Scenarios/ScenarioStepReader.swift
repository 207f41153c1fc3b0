struct ScenarioStepReader {
  let operation: Operation
  let cells: CellNames
  private(set) var findings = MappingReader.fixtures

  private enum Key: String, CaseIterable { case answer, after }

  init(_ operation: Operation, _ cells: CellNames) { (self.operation, self.cells) = (operation, cells) }

  /// The sequence, without the steps that are reported.
  mutating func read(_ list: JSON) -> ScenarioSequence {
    var sequence = ScenarioSequence()
    guard list.isArray, list.count > 0 else {
      return findings.reject(expected: "a list of answers, as in `[200, 200.empty, 500]`", list) ?? sequence
    }
    var rest = Array(list.elements)
    if rest.count > 1, let last = rest.last, isLoop(last) {
      sequence.loops = true
      rest.removeLast()
    }
    for (index, node) in rest.enumerated() {
      guard !isLoop(node) else {
        findings.report(
          "expected `loop` after the steps that it repeats", at: node, help: "write `[200, 500, loop]`")
        continue
      }
      if let step = step(node, isFirst: index == 0) { sequence.steps.append(step) }
    }
    return sequence
  }

  /// Whether an item is the word, and not a meaning of the operation.
  private func isLoop(_ node: JSON) -> Bool {
    node.string?.utf8Equals(ScenarioSequence.loop) == true && cells.forcing(node.text, in: operation) == nil
  }

  private mutating func step(_ node: JSON, isFirst: Bool) -> ScenarioSequence.Step? {
    guard node.isObject else { return answer(node) }
    findings.checkKeys(of: node, Key.allCases.map(\.rawValue))
    guard let answer = node[Key.answer.rawValue] else {
      return findings.reject("a step needs `answer`, as in `{answer: 200, after: 5s}`", at: node)
    }
    guard var step = self.answer(answer) else { return nil }
    guard let after = node.key(Key.after.rawValue), let value = node[Key.after.rawValue] else { return step }
    guard !isFirst else {
      return findings.reject("the first step cannot have `after`: no earlier step answers until then", at: after)
    }
    guard value.isString || value.kind == .number, let duration = Duration(text: value.text) else {
      return findings.reject("expected a time such as `500ms` or `5s`, at most an hour", at: value)
    }
    step.after = duration
    return step
  }

  /// Reads `200`, `200.empty` or a meaning, each with or without `*2`.
  private mutating func answer(_ node: JSON) -> ScenarioSequence.Step? {
    guard node.isString || node.kind == .number else {
      return findings.reject(expected: "a status, or a status and a name", node)
    }
    if let forcing = cells.forcing(node.text, in: operation) { return .init(forcing: forcing) }
    var name = node.text
    var times = 1
    if let star = name.utf8.lastIndex(of: UInt8(ascii: "*")) {
      let count = name[name.index(after: star)...]
      guard count.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(count),
        1...ScenarioSequence.timesLimit ~= number
      else {
        return findings.reject(
          "`\(name)` has no valid number of times", at: node,
          help: "expected a whole number from 1 to \(ScenarioSequence.timesLimit), as in `401*2`")
      }
      times = number
      name = String(name[..<star])
    }
    if let forcing = cells.forcing(name, in: operation) { return .init(forcing: forcing, times: times) }
    let known = cells.known(in: operation)
    findings.report(
      .fixtureSequenceCell, "\(operation.id) has no answer `\(name)`", at: node,
      help: Suggestion.phrase(for: name, among: known + [ScenarioSequence.loop])
        ?? "it has \(known.joined(separator: ", "))")
    return nil
  }
}
