import Foundation
import UnderstudyClient

/// One of the behaviours that every client has: Tests/Clients/behaviours.yaml.
struct Behaviour: Sendable, CustomStringConvertible {
  let name: String
  /// The features of a mock without which it is skipped.
  var needs: [String] = []
  var steps: [Step] = []

  struct Step: Sendable {
    /// Of the line in the file.
    let number: Int
    let members: [String: JSONValue]

    /// The action and its argument.
    var action: (name: String, value: JSONValue)? {
      members.first { !["see", "error", "lane", "mock", "repeat"].contains($0.key) }.map { ($0.key, $0.value) }
    }
  }

  var description: String { name }

  static let file = Program.file("Tests/Clients/behaviours.yaml")

  /// Those of the file, each step of which is a line of JSON. Without the file there is none.
  static let all: [Behaviour] = {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      return []
    }
    var all: [Behaviour] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("- name: ") {
        all.append(Behaviour(name: String(line.dropFirst(8))))
      } else if line.hasPrefix("  needs: ["), !all.isEmpty {
        let names = line.dropFirst(10).dropLast()
        all[all.count - 1].needs = names.components(separatedBy: ", ")
      } else if line.hasPrefix("    - {"), !all.isEmpty,
        let members = (try? JSONValue(parsing: String(line.dropFirst(6))))?.members
      {
        all[all.count - 1].steps.append(Step(number: index + 1, members: members))
      }
    }
    return all
  }()
}

/// Whether a value is what a behaviour must show.
func matches(_ expected: JSONValue, _ seen: JSONValue?) -> Bool {
  switch expected {
  case .object:
    let members = expected.members ?? [:]
    if let part = members["contains"] {
      if let text = part.string, let whole = seen?.string { return whole.contains(text) }
      return seen?.array?.contains { matches(part, $0) || ($0.string?.contains(part.string ?? "\u{0}") ?? false) }
        ?? false
    }
    if let least = members["atLeast"]?.int { return (seen?.int).map { $0 >= least } ?? false }
    if members["present"] != nil { return seen != nil && seen != .null }
    guard let object = seen?.members else { return false }
    return members.allSatisfy { matches($0.value, object[$0.key]) }
  case .array(let elements):
    guard let list = seen?.array, list.count == elements.count else { return false }
    return zip(elements, list).allSatisfy { matches($0, $1) }
  default: return expected == (seen ?? .null)
  }
}
