import UnderstudyMock

/// A deliberate fault in a contract, a fixture or a recorded exchange, and the rule that must find it: an entry of a
/// table in `Tests/Mutants`.
package struct Mutant: Sendable, CustomStringConvertible {
  /// The id that `verify` must find.
  package var rule: String
  /// Other ids that follow from the same fault and must be found; all others are false alarms.
  package var also: [String]
  /// A description of the fault.
  package var why: String
  /// The table and its line.
  package var place: String
  /// The changed exchange, in a table of exchanges.
  var exchange: String?
  /// Levels for rules that are off by default.
  var levels: [String: String]
  var edits: [Edit]

  package var description: String { "\(place): \(rule): \(why)" }

  /// A change of one text.
  struct Edit: Sendable {
    enum Change: Sendable {
      /// Replaces the occurrence `number`, from 1, of a text.
      case replace(String, with: String, number: Int)
      case write(String)
      case rename(String)
      case delete
    }

    /// A file below the contract's fixtures, with a slash before it one of the project; `nil` is the contract itself,
    /// or the exchange.
    var file: String?
    var change: Change
    var place: String
  }

  /// An invalid table.
  package struct Mistake: Error, CustomStringConvertible {
    package var place: String
    package var message: String
    package var description: String { "\(place): \(message)" }
  }
}

extension Mutant {
  static let keys = ["rule", "also", "why", "exchange", "levels", "edits"]

  /// - Parameter node: an element of `mutants`.
  init(_ node: JSON) throws {
    place = Self.place(of: node)
    rule = try Self.text("rule", in: node)
    why = try Self.text("why", in: node)
    also = node["also"]?.elements.compactMap(\.string) ?? []
    exchange = node["exchange"]?.string
    levels = [:]
    for level in node["levels"].map({ Array($0.members) }) ?? [] { levels[level.name] = level.value.string ?? "off" }
    if let edits = node["edits"] {
      self.edits = try edits.elements.map { try Edit($0) }
      try Self.refuse(keysOf: node, but: Self.keys)
    } else {
      edits = [try Edit(node)]
      try Self.refuse(keysOf: node, but: Self.keys + Edit.keys)
    }
    for id in [rule] + also + levels.keys where Rule.named(id) == nil {
      throw Mistake(place: place, message: "there is no rule `\(id)`")
    }
  }

  static func text(_ key: String, in node: JSON) throws -> String {
    guard let text = node[key]?.string else {
      throw Mistake(place: place(of: node), message: "expected a text for `\(key)`")
    }
    return text
  }

  /// Refuses unknown keys, such as misspelt ones.
  static func refuse(keysOf node: JSON, but known: [String]) throws {
    for member in node.members where !known.contains(member.name) {
      throw Mistake(place: place(of: member.key), message: "unknown key `\(member.name)`")
    }
  }

  static func place(of node: JSON) -> String {
    let location = Location(node)
    let file = location.path.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
    return "\(file):\(location.start?.line ?? 0)"
  }
}

extension Mutant.Edit {
  static let keys = ["file", "replace", "with", "nth", "write", "rename", "delete"]

  init(_ node: JSON) throws {
    place = Mutant.place(of: node)
    file = node["file"]?.string
    if let old = node["replace"]?.string {
      change = .replace(old, with: try Mutant.text("with", in: node), number: node["nth"]?.int ?? 1)
    } else if let text = node["write"]?.string {
      change = .write(text)
    } else if let name = node["rename"]?.string {
      change = .rename(name)
    } else if node["delete"]?.bool == true {
      change = .delete
    } else {
      throw Mutant.Mistake(place: place, message: "expected `replace` and `with`, `write`, `rename` or `delete`")
    }
    if file == nil, case .replace = change { return }
    if file == nil { throw Mutant.Mistake(place: place, message: "`file` says which file") }
  }

  /// The changed text.
  func applied(to text: String) throws -> String {
    guard case .replace(let old, let new, let number) = change else {
      throw Mutant.Mistake(place: place, message: "only `replace` changes a text")
    }
    var rest = text[...]
    for _ in 1..<max(1, number) {
      guard let found = rest.firstRange(of: old) else { break }
      rest = rest[found.upperBound...]
    }
    guard let found = rest.firstRange(of: old) else {
      throw Mutant.Mistake(place: place, message: "the text to replace does not occur: \(old)")
    }
    return text[..<found.lowerBound] + new + text[found.upperBound...]
  }

  /// Changes a project's files; `root` is the folder that `file` counts from.
  func apply(to files: inout [String: String], below root: String, contract: String) throws {
    let path = file.map { $0.hasPrefix("/") ? String($0.dropFirst()) : root + "/" + $0 } ?? contract
    if case .write(let text) = change {
      files[path] = text
      return
    }
    guard let text = files[path] else {
      throw Mutant.Mistake(place: place, message: "the file `\(path)` does not exist")
    }
    switch change {
    case .replace: files[path] = try applied(to: text)
    case .rename(let name):
      files[path] = nil
      files[root + "/" + name] = text
    case .delete: files[path] = nil
    case .write: break
    }
  }
}
