/// Expected JSON with placeholders: `${json-unit.ignore}`, `${json-unit.any-string}`.
enum JSONPlaceholders {
  private static let schemas: [String: JSON] = [
    "any-string": ["type": "string"], "any-number": ["type": "number"], "any-boolean": ["type": "boolean"],
  ]

  /// Compares a body with an expected value, in which placeholders become conditions of their own.
  static func predicate(_ expected: JSON, field: String, ignoresOrder: Bool, ignoresOthers: Bool) -> Predicate {
    var ignored: [String] = []
    var tests: [(String, JSON)] = []
    find(expected, field.hasPrefix("$") ? field : "$", 0, &ignored, &tests)
    var members: [(String, JSON)] = [(ignoresOthers ? "containsJson" : "equalsJson", expected)]
    if !ignored.isEmpty { members.append(("ignore", .array(ignored.map { .string($0) }))) }
    if ignoresOrder { members.append(("ignoreOrder", true)) }
    return .all([.test(.body, field, .object(members))] + tests.map { .test(.body, $0.0, $0.1) })
  }

  private static func find(
    _ value: JSON, _ path: String, _ depth: Int, _ ignored: inout [String], _ tests: inout [(String, JSON)]
  ) {
    guard depth < 64 else { return }
    switch value.kind {
    case .object:
      for member in value.members { find(member.value, child(path, member.name), depth + 1, &ignored, &tests) }
    case .array:
      for (index, element) in value.elements.enumerated() {
        find(element, "\(path)[\(index)]", depth + 1, &ignored, &tests)
      }
    case .string:
      let text = value.text
      guard text.hasSuffix("}"), let start = ["${json-unit.", "#{json-unit."].first(where: text.hasPrefix) else {
        return
      }
      let name = text.dropFirst(start.count).dropLast()
      guard name != "ignore", name != "ignore-element" else { return ignored.append(path) }
      if let schema = schemas[String(name)] {
        ignored.append(path)
        tests.append((path, .object([("schema", schema)])))
      } else if name.hasPrefix("regex]"), let pattern = ForeignPattern.ecma(String(name.dropFirst(6)), isWhole: true) {
        ignored.append(path)
        tests.append((path, Predicate.matches(pattern)))
      }
    default: break
    }
  }

  /// The path of a member.
  static func child(_ path: String, _ name: String) -> String {
    let isPlain = name.utf8.first.map { !(48...57 ~= $0) } ?? false
    if isPlain, name.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) && $0 != 0x2D && $0 != 0x2E && $0 != 0x7E }) {
      return "\(path).\(name)"
    }
    return "\(path)['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
  }
}
