package enum PersonalScan {
  /// A text in JSON; its kind is `nil` where it says nothing about a person.
  struct Found {
    let node: JSON
    let kind: PersonalKind?
  }

  /// The personal data of a file: the pointers of each kind, the elements of a list as one.
  package struct Finding: Sendable {
    package let path: String
    /// `phone /phoneNumber (3 times)`
    package let places: [String]
    package let count: Int
  }

  /// The texts of a document, in its order.
  static func strings(of root: JSON, by formats: PersonalFormats = PersonalFormats()) -> [Found] {
    var found: [Found] = []
    collect(root, "", "", formats, &found)
    return found
  }

  /// Recursive, since the parser limits the depth.
  private static func collect(
    _ node: JSON, _ name: String, _ owner: String, _ formats: PersonalFormats, _ found: inout [Found]
  ) {
    switch node.kind {
    case .object: for member in node.members { collect(member.value, member.name, name, formats, &found) }
    case .array: for element in node.elements { collect(element, name, owner, formats, &found) }
    case .string: found.append(Found(node: node, kind: .of(node.text, named: name, in: owner, by: formats)))
    default: break
    }
  }

  /// The personal data in a file; `nil` without any. A file that is neither JSON nor YAML by its name is one text.
  package static func finding(in bytes: [UInt8], of path: String) -> Finding? {
    finding(in: bytes, of: path, by: .init())
  }

  static func finding(in bytes: [UInt8], of path: String, by formats: PersonalFormats) -> Finding? {
    let isData = ["json", "yaml", "yml"].contains(Path.fileExtension(of: path))
    guard isData, let root = try? TextDocument.read(SourceFile(path: path, bytes: bytes)).root,
      root.isObject || root.isArray
    else {
      guard let text = String(validating: bytes, as: UTF8.self), let kind = PersonalKind.of(text, named: "") else {
        return nil
      }
      return Finding(path: path, places: ["\(kind.rawValue) in the text"], count: 1)
    }
    var places: [(place: String, count: Int)] = []
    var count = 0
    for found in strings(of: root, by: formats) {
      guard let kind = found.kind else { continue }
      count += 1
      let pointer = found.node.pointer.tokens.map { Int($0) == nil ? String($0) : "*" }
      let place = "\(kind.rawValue) /\(pointer.joined(separator: "/"))"
      if let known = places.firstIndex(where: { $0.place == place }) {
        places[known].count += 1
      } else {
        places.append((place, 1))
      }
    }
    guard count > 0 else { return nil }
    return Finding(
      path: path, places: places.map { $0.place + ($0.count > 1 ? " (\($0.count) times)" : "") }, count: count)
  }
}
