import SourceText

// MARK: - Collecting failures

extension Explainer {
  /// One failure among others: which keyword, and of which value.
  struct Told: Hashable {
    let keyword: String
    let document: ObjectIdentifier
    let schema: Int
    let value: Int

    init(_ failure: SchemaFailure) {
      keyword = failure.keyword
      document = ObjectIdentifier(failure.schema.document)
      schema = failure.schema.index
      value = failure.value.index
    }
  }

  /// The keyword's value node, or the schema of an instruction that stands for several keywords.
  func origin(_ instruction: Instruction) -> JSON { program.origin(instruction.origin) }

  /// Counts a failure; whether it is to be put into words as well.
  ///
  /// - Parameter isMissing: Whether it is a property that is not there.
  mutating func tells(_ operation: Instruction.Operation, isMissing: Bool = false) -> Bool {
    if let (sum, start) = distance {
      distance?.sum = sum + Self.weight(operation, depth: path.count - start, isMissing)
      return false
    }
    guard failures.count < limit else {
      untold += 1
      return false
    }
    return true
  }

  /// How far off a failure is: a wrong type of the value itself is farthest, then a wrong tag among its members.
  private static func weight(_ operation: Instruction.Operation, depth: Int, _ isMissing: Bool) -> Int {
    switch operation {
    case .types where depth == 0: BranchGlance.wrongType
    case .enumeration where depth <= 1: BranchGlance.wrongTag
    default: isMissing ? BranchGlance.missing : 1
    }
  }

  mutating func add(_ finding: Finding, _ instruction: Instruction, _ value: JSON) {
    let message =
      role == .name && finding.keyword != "false" ? "the name of the property: \(finding.message)" : finding.message
    let failure = SchemaFailure(
      keyword: finding.keyword, instance: JSONPointer(tokens), value: value,
      schema: finding.schema ?? origin(instruction), message: message, help: finding.help, trace: trace)
    // Parts of `allOf` may lead to one keyword in many ways.
    if traces || told.insert(Told(failure)).inserted { failures.append(failure) }
  }

  /// A failure that was not taken apart.
  mutating func addWhole(_ branch: Branch, _ value: JSON, at schema: JSON) {
    guard tells(.fail) else { return }
    failures.append(
      SchemaFailure(
        keyword: schema.keyName ?? "", instance: JSONPointer(tokens), value: value, schema: schema,
        message: "does not fit the schema, found \(Wording.found(value)); why was not looked into",
        help: "judge this part of the value by itself", trace: trace))
  }

  mutating func append(_ more: [SchemaFailure]) {
    let room = max(0, limit - failures.count)
    failures += more.prefix(room)
    untold += max(0, more.count - room)
  }

  /// What a branch alone has to complain about; nothing of it is kept.
  mutating func collect(_ branch: Branch, _ value: JSON) -> (outcome: Outcome, failures: [SchemaFailure]) {
    let before = failures
    failures = []
    choiceDepth += 1
    let outcome = explain(branch, value)
    choiceDepth -= 1
    defer { failures = before }
    return (outcome, failures)
  }

  /// Whether names that are nearly right are still looked for: whoever has so many failures has other worries.
  var suggests: Bool { failures.count < 20 }

  /// A closing word where not all failures were told.
  func closing(_ value: JSON, at schema: JSON) -> SchemaFailure? {
    let message: String
    if untold > 0 {
      let least = isSpent || untold >= countLimit ? "at least " : ""
      message = "and \(least)\(Wording.count(untold, "more failure")), not told one by one"
    } else if isSpent {
      message = "there may be more failures: the rest was not looked into, as it would cost too much"
    } else {
      return nil
    }
    return SchemaFailure(
      keyword: "", instance: JSONPointer(), value: value, schema: schema, message: message, kind: .more)
  }
}
