/// A problem in a file that a program wrote.
package struct RecordProblem: Error, Sendable {
  package let message: String
  package let location: Location
  package let help: String?

  package init(_ message: String, at node: JSON, help: String? = nil) {
    self.message = message
    location = Location(start: node)
    self.help = help
  }

  package func diagnostic(_ rule: Rule) -> Diagnostic { Diagnostic(rule, message, at: location, help: help) }
}

/// An object in a file that a program wrote: each member has one type, and the first wrong one throws.
package struct JSONRecord: Sendable {
  private let node: JSON
  /// More than a run can count; sums of such counts do not overflow.
  private static let largest = 1_000_000_000_000

  package init(_ node: JSON) throws(RecordProblem) {
    guard node.isObject else { throw RecordProblem("expected an object, found \(node.kindName)", at: node) }
    self.node = node
  }

  /// The value of a member; an error about a missing one points to the object.
  package func value(_ key: String) throws(RecordProblem) -> JSON {
    guard let value = node[key] else { throw RecordProblem("`\(key)` is missing", at: node) }
    return value
  }

  package func text(_ key: String) throws(RecordProblem) -> String {
    let value = try value(key)
    guard let text = value.string else {
      throw RecordProblem("expected text for `\(key)`, found \(value.kindName)", at: value)
    }
    return text
  }

  package func textIfPresent(_ key: String) throws(RecordProblem) -> String? {
    node[key] == nil ? nil : try text(key)
  }

  package func flag(_ key: String) throws(RecordProblem) -> Bool {
    let value = try value(key)
    guard let flag = value.bool else {
      throw RecordProblem("expected `true` or `false` for `\(key)`, found \(value.kindName)", at: value)
    }
    return flag
  }

  /// A whole number from `least` to `most`.
  package func count(_ key: String, from least: Int = 0, to most: Int = largest) throws(RecordProblem) -> Int {
    let value = try value(key)
    guard let count = value.int, least <= count, count <= most else {
      throw RecordProblem("expected a whole number from \(least) to \(most) for `\(key)`", at: value)
    }
    return count
  }

  package func countIfPresent(
    _ key: String, from least: Int = 0, to most: Int = largest
  ) throws(RecordProblem) -> Int? {
    node[key] == nil ? nil : try count(key, from: least, to: most)
  }

  /// Decimal seconds, at most ten years.
  package func seconds(_ key: String) throws(RecordProblem) -> Duration {
    let value = try value(key)
    guard value.kind == .number, let seconds = Double(value.text), 0...315_360_000 ~= seconds else {
      throw RecordProblem("expected seconds for `\(key)`", at: value)
    }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }

  /// One of the cases of an enumeration.
  package func choice<Choice: RawRepresentable<String>>(
    _ key: String, of choices: [Choice]
  ) throws(RecordProblem) -> Choice {
    let value = try value(key)
    guard let choice = choices.first(where: { value.isString($0.rawValue) }) else {
      let known = choices.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw RecordProblem("expected one of \(known) for `\(key)`", at: value)
    }
    return choice
  }

  package func list<Element>(
    _ key: String, _ read: (JSON) throws(RecordProblem) -> Element
  ) throws(RecordProblem) -> [Element] {
    let value = try value(key)
    guard value.isArray else {
      throw RecordProblem("expected an array for `\(key)`, found \(value.kindName)", at: value)
    }
    var elements: [Element] = []
    elements.reserveCapacity(value.count)
    for element in value.elements { elements.append(try read(element)) }
    return elements
  }

  package func listIfPresent<Element>(
    _ key: String, _ read: (JSON) throws(RecordProblem) -> Element
  ) throws(RecordProblem) -> [Element] {
    node[key] == nil ? [] : try list(key, read)
  }

  package func ifPresent<Value>(
    _ key: String, _ read: (JSON) throws(RecordProblem) -> Value
  ) throws(RecordProblem) -> Value? {
    guard let value = node[key] else { return nil }
    return try read(value)
  }
}
