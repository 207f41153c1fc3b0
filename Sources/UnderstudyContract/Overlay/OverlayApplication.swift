/// Applies the actions of overlays to the document of a contract, each to the result of the one before.
package struct OverlayApplication {
  private var root: OverlaidValue
  /// The document without the changes since it was written.
  private var document: JSONDocument
  private var isChanged = false
  private var source: SourceFile
  private var duplicates: [TextProblem]
  private var addedSize = 0
  private let budget: WorkBudget
  private let limits: Limits

  /// The limits of all actions together.
  package struct Limits: Sendable, Equatable {
    /// Four for each node that is written and each step of a query.
    package var work = 100_000_000
    /// Bytes of the added values, with the table of their nodes.
    package var size = 256 << 20
    /// Findings about targets that select nothing, for each overlay.
    package var findings = 100

    package init() {}
  }

  /// The error of an action.
  private struct Failure: Error { let diagnostic: Diagnostic }

  /// - Parameter source: The file of the document.
  init(_ document: JSONDocument, _ source: SourceFile, _ limits: Limits) {
    self.limits = limits
    budget = WorkBudget(limits.work)
    self.document = document
    self.source = source
    root = OverlaidValue(document.root)
    duplicates = document.duplicates
  }

  /// The document with all changes.
  mutating func result() -> JSONDocument {
    write()
    return document
  }

  /// The overlay's document, with offsets that begin after the contract's text.
  static func placed(
    _ overlay: JSONDocument, behind contract: SourceFile
  ) -> (document: JSONDocument, source: SourceFile) {
    let (source, offset) = contract.joined(with: overlay.source ?? SourceFile(path: "", bytes: []))
    let ranges = overlay.ranges?.map {
      JSONDocument.SourceRange(start: Int($0.start) + offset, end: Int($0.end) + offset)
    }
    let duplicates = overlay.duplicates.map { problem in
      var problem = problem
      problem.range = problem.range.lowerBound + offset..<problem.range.upperBound + offset
      return problem
    }
    let document = JSONDocument(
      nodes: overlay.nodes, bytes: overlay.bytes, ranges: ranges, source: source, duplicates: duplicates)
    return (document, source)
  }

  /// Applies an overlay whose document was placed behind the files so far.
  ///
  /// - Returns: The findings; after an error the document is incomplete.
  mutating func apply(_ overlay: Overlay, of source: SourceFile) -> [Diagnostic] {
    self.source = source
    var findings: [Diagnostic] = []
    var unmatched = 0
    for action in overlay.actions {
      do throws(Failure) {
        if try apply(action, isVersion11: overlay.isVersion11) { continue }
      } catch {
        return findings + [error.diagnostic]
      }
      unmatched += 1
      if unmatched <= limits.findings { findings.append(self.unmatched(action)) }
    }
    if unmatched > limits.findings {
      let more = (unmatched - limits.findings).counted("more target")
      findings.append(Diagnostic(.overlayUnmatched, "\(more) selected nothing", at: findings.last?.location))
    }
    return findings
  }

  /// Returns whether the target selects a value.
  private mutating func apply(_ action: Overlay.Action, isVersion11: Bool) throws(Failure) -> Bool {
    var update: JSON?
    switch action.change {
    case .remove: break
    case .update(let value): update = value
    case .copy(let text):
      let nodes = try select(query(text), action)
      guard nodes.count == 1 else {
        throw failure("`copy` selects \(nodes.count) values: expected a JSONPath of one value", text)
      }
      update = nodes[0]
    }
    let targets = try targets(of: action)
    guard !targets.isEmpty else { return false }
    isChanged = true
    guard let update else {
      guard targets.allSatisfy({ $0.parent != nil }) else {
        throw failure("the action removes the whole document: expected a target below `$`", action.target)
      }
      OverlaidValue.remove(targets)
      return true
    }
    try check(update, targets, action, isVersion11)
    for target in targets { try merge(update, target.value) }
    return true
  }

  private func merge(_ update: JSON, _ target: OverlaidValue) throws(Failure) {
    do throws(OverlaidValue.Conflict) {
      switch target.node.kind {
      case .array where !update.isArray: target.append([update])
      case .object where update.isNull: throw OverlaidValue.Conflict(target: target.node, update: update)
      default: try target.merge(update)
      }
    } catch {
      let (old, new) = (error.target, error.update)
      let isContainer = old.isObject || old.isArray
      throw failure(
        "\(new.kindWithArticle) cannot be merged with \(old.kindWithArticle): expected "
          + (isContainer ? old.kindWithArticle : "a primitive value"), new,
        notes: [Diagnostic.Note("the value to change", at: Location(start: old))],
        help: "remove the old value by an action before this one")
    }
  }

  // MARK: - Checks

  /// Reports targets that the version cannot update, and costs beyond the limits.
  private mutating func check(
    _ update: JSON, _ targets: [OverlaidValue.Target], _ action: Overlay.Action, _ isVersion11: Bool
  ) throws(Failure) {
    let kinds = targets.map(\.value.node.kind)
    if let position = kinds.firstIndex(where: { $0 != .object && $0 != .array }), !isVersion11 {
      let node = targets[position].value.node
      throw failure(
        "the target is \(node.kindWithArticle): version 1.0 updates objects and arrays alone", action.target,
        notes: [Diagnostic.Note("the target", at: Location(start: node))],
        help: "select the object around it, and update its member; or write `overlay: 1.1.0`")
    }
    if isVersion11, let other = kinds.firstIndex(where: { Self.group($0) != Self.group(kinds[0]) }) {
      let nodes = [targets[0].value.node, targets[other].value.node]
      throw failure(
        "the target selects \(nodes[0].kindWithArticle) and \(nodes[1].kindWithArticle): expected values of one kind",
        action.target, notes: nodes.map { Diagnostic.Note($0.kindWithArticle, at: Location(start: $0)) },
        help: "write an action for each kind")
    }
    let (size, height) = Self.measure(update)
    addedSize += size * targets.count
    guard addedSize <= limits.size else { throw limit("\(limits.size.asBytes) of added values", action) }
    let depth = targets.map(\.depth).max() ?? 0
    guard depth + height < JSONParser.maximumDepth else {
      throw limit("\(JSONParser.maximumDepth) levels of nested values", action)
    }
    let work = targets.reduce(0) { $0 + $1.value.count } + update.count * targets.count
    guard budget.charge(work) else { throw limitOfWork(action) }
  }

  private static func group(_ kind: JSON.Kind) -> JSON.Kind { kind == .object || kind == .array ? kind : .null }

  /// The size of a value in memory, and the maximum number of values inside each other.
  private static func measure(_ value: JSON) -> (size: Int, height: Int) {
    let document = value.document
    var (size, height) = (0, 0)
    var ends: [Int] = []
    for index in value.index..<document.end(of: value.index) {
      while let last = ends.last, index >= last { ends.removeLast() }
      let node = document.nodes[index]
      size += MemoryLayout<JSONDocument.Node>.size + MemoryLayout<JSONDocument.SourceRange>.size
      switch node.kind {
      case .object, .array:
        ends.append(Int(node.offset))
        height = max(height, ends.count)
      case .string, .number: size += Int(node.count)
      case .null, .true, .false: break
      }
    }
    return (size, height)
  }

  private func failure(
    _ message: String, _ node: JSON, notes: [Diagnostic.Note] = [], help: String? = nil
  ) -> Failure {
    Failure(diagnostic: Diagnostic(.overlayInvalid, message, at: Location(start: node), notes: notes, help: help))
  }

  private func limit(_ limit: String, _ action: Overlay.Action) -> Failure {
    failure(
      "the limit of \(limit) is reached", action.target, help: "this is a limit of understudy, not of overlays")
  }

  private func limitOfWork(_ action: Overlay.Action) -> Failure {
    limit("\(limits.work) steps of all actions", action)
  }

  // MARK: - Queries

  /// The query of a string that was read before.
  private func query(_ text: JSON) throws(Failure) -> JSONPath {
    do throws(TextProblem) {
      return try JSONPath(text.text)
    } catch {
      throw failure(error.message, text)
    }
  }

  private mutating func targets(of action: Overlay.Action) throws(Failure) -> [OverlaidValue.Target] {
    let query = try query(action.target)
    guard let steps = query.steps else {
      let nodes = try select(query, action)
      var indices = Set(nodes.map(\.index)).sorted()[...]
      var targets: [OverlaidValue.Target] = []
      root.collect(&indices, into: &targets)
      return targets
    }
    // Names and wildcards are followed without writing the document, so that thousands of actions cost little.
    var targets = [OverlaidValue.Target(value: root, parent: nil, depth: 0)]
    for step in steps {
      var seen: Set<ObjectIdentifier> = []
      var selected: [OverlaidValue.Target] = []
      for target in targets {
        for selector in step {
          guard budget.charge(1 + target.value.count) else { throw limitOfWork(action) }
          for child in target.value.children(at: selector) where seen.insert(ObjectIdentifier(child)).inserted {
            selected.append(OverlaidValue.Target(value: child, parent: target.value, depth: target.depth + 1))
          }
        }
      }
      targets = selected
    }
    return targets
  }

  private mutating func select(_ path: JSONPath, _ action: Overlay.Action) throws(Failure) -> [JSON] {
    write()
    guard budget.charge(4 * document.nodes.count),
      let nodes = path.nodes(in: document.root, steps: limits.work, within: budget)
    else { throw limitOfWork(action) }
    return nodes
  }

  /// Writes the changes to a new document.
  private mutating func write() {
    guard isChanged else { return }
    var builder = JSONBuilder(withRanges: true)
    builder.reserve(forText: document.bytes.count, nodes: document.nodes.count)
    root.write(to: &builder)
    document = builder.finish(source: source, duplicates: duplicates)
    root = OverlaidValue(document.root)
    isChanged = false
  }

  /// The finding about a target that selects nothing.
  private func unmatched(_ action: Overlay.Action) -> Diagnostic {
    var help = "if the contract has changed, correct the target, or remove the action"
    var reason = ""
    var value = root
    for step in (try? query(action.target))?.steps ?? [] {
      if case .all = step[0] { break }
      guard step.count == 1 else { break }
      if let child = value.children(at: step[0]).first {
        value = child
        continue
      }
      switch step[0] {
      case .name(let name) where value.node.isObject:
        reason = ": there is no `\(VisibleText.shortened(name, to: 80))`"
        help = Suggestion.phrase(for: name, among: value.names.prefix(1_000)) ?? help
      case .index(let index) where value.node.isArray: reason = ": there is no element \(index)"
      default: break
      }
      break
    }
    return Diagnostic(
      .overlayUnmatched, "the target selects nothing\(reason)", at: Location(start: action.target), help: help)
  }
}
