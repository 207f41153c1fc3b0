/// A condition on a request, as a tree over the tests of `when`.
package indirect enum Predicate: Sendable {
  /// A test in the notation of `when`: a value, a list, `null`, or a mapping such as `{contains: a}`.
  case test(RequestPart, String, JSON)
  case all([Predicate])
  case any([Predicate])
  case not(Predicate)

  /// A predicate that every request meets.
  static let always = Predicate.all([])

  /// The tests and groups of nested `all`, in order.
  var parts: [Predicate] {
    if case .all(let list) = self { return list.flatMap(\.parts) }
    return [self]
  }

  var isAlways: Bool { parts.isEmpty }

  static func & (first: Predicate, second: Predicate) -> Predicate { .all(first.parts + second.parts) }

  /// The predicate in the notation of `when`; `nil` if every request meets it.
  var when: JSON? {
    var tests: [(part: RequestPart, names: [(String, JSON)])] = []
    var groups: [(key: String, value: JSON)] = []
    var others: [JSON] = []
    for part in parts {
      switch part {
      case .test(let location, let name, let test):
        guard let index = tests.firstIndex(where: { $0.part == location }) else {
          tests.append((location, [(name, test)]))
          continue
        }
        if tests[index].names.contains(where: { $0.0.utf8Equals(name) }) {
          others.append(.object([(location.rawValue, .object([(name, test)]))]))
        } else {
          tests[index].names.append((name, test))
        }
      case .any(let list): groups.append(("any", .array(list.compactMap(\.when))))
      case .not(let inner): if let when = inner.when { groups.append(("not", when)) }
      case .all: break
      }
    }
    var members = tests.map { ($0.part.rawValue, JSON.object($0.names)) }
    // A mapping has each key once.
    for (key, value) in groups {
      if members.contains(where: { $0.0 == key }) {
        others.append(.object([(key, value)]))
      } else {
        members.append((key, value))
      }
    }
    if !others.isEmpty { members.append(("all", .array(others))) }
    return members.isEmpty ? nil : .object(members)
  }

  /// The predicate with other names of path variables.
  func renamingPath(_ names: [String: String]) -> Predicate {
    switch self {
    case .test(.path, let name, let test): .test(.path, names[name] ?? name, test)
    case .test: self
    case .all(let list): .all(list.map { $0.renamingPath(names) })
    case .any(let list): .any(list.map { $0.renamingPath(names) })
    case .not(let inner): .not(inner.renamingPath(names))
    }
  }

  /// Whether a test reads a path variable.
  var readsPath: Bool {
    switch self {
    case .test(let part, _, _): part == .path
    case .all(let list), .any(let list): list.contains(where: \.readsPath)
    case .not(let inner): inner.readsPath
    }
  }
}

extension Predicate {
  static func contains(_ text: String) -> JSON { .object([("contains", .string(text))]) }
  static func matches(_ pattern: String) -> JSON { .object([("matches", .string(pattern))]) }
  static let present: JSON = ["present": true]
}
