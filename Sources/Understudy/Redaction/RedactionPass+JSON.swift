extension RedactionPass {
  /// JSON without secrets, every other byte as it was; `nil` if it is no JSON.
  mutating func json(
    _ bytes: [UInt8], schema: ResolvedSchema? = nil, depth: Int = 0
  ) -> (bytes: [UInt8], isChanged: Bool)? {
    guard let root = try? JSONParser.parse(SourceFile(path: "", bytes: bytes)).root else { return nil }
    var edits = TextEdits(bytes)
    value(root, Member(name: "", schema: schema, depth: depth), &edits)
    let result = edits.result
    return (result ?? bytes, result != nil)
  }

  /// A JSON text inside another text.
  mutating func nestedJSON(_ bytes: [UInt8], _ depth: Int) -> (bytes: [UInt8], isChanged: Bool)? {
    guard bytes.count >= 8, let first = bytes.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    let offset = offset
    defer { self.offset = offset }
    return json(bytes, depth: depth + 1)
  }

  private struct Member {
    var name: String
    var schema: ResolvedSchema?
    /// Whether all texts below are secrets: `"secrets": {"db": "..."}`.
    var isList = false
    var depth: Int
  }

  /// Recursive, since the parser limits the depth.
  private mutating func value(_ node: JSON, _ member: Member, _ edits: inout TextEdits) {
    switch node.kind {
    case .object:
      for child in node.members {
        let name = child.name
        let schema = member.schema.map { $0.property(name) ?? $0.other }
        var inner = Member(name: name, schema: schema, depth: member.depth)
        let isComposite = child.value.isObject || child.value.isArray
        inner.isList = member.isList || isComposite && isList(name)
        place.append(key(child.key, &edits) ?? name)
        value(child.value, inner, &edits)
        place.removeLast()
      }
    case .array:
      for (position, element) in node.elements.enumerated() {
        var inner = member
        inner.schema = member.schema?.element
        place.append(String(position))
        value(element, inner, &edits)
        place.removeLast()
      }
    case .string, .number: leaf(node, member, &edits)
    case .null, .true, .false: break
    }
  }

  private func isList(_ name: String) -> Bool {
    SecretNames.isList(name) || contracts.contains { $0.isSecret(member: name) }
  }

  private mutating func leaf(_ node: JSON, _ member: Member, _ edits: inout TextEdits) {
    guard let range = node.range, !isKept else { return }
    if member.depth == 0 { offset = range.lowerBound }
    let text = node.document.withBytes(of: node.index) { Array($0) }
    let isMarked = member.schema.map { schema in contracts.first?.isSecret(schema) ?? false } ?? false
    var rule = rule(forValue: text[...], of: member.name, .member, isMarked: isMarked)
    if rule == nil, member.isList, node.isString, settings.isSecret(place) == nil { rule = .redactMember }
    if node.kind == .number {
      if let rule, let number = secret(text[...], rule, isNumber: true) {
        edits.replace(range, with: known.isTyped ? number : Self.quoted(number))
      }
      return
    }
    var replaced: [UInt8]?
    if let rule {
      replaced = field(text[...], named: member.name, rule)
    } else {
      let strength = strength(of: member.name, .member)
      replaced = self.text(text[...], allowsEntropy: strength != .identifier, depth: member.depth)
    }
    if let replaced { edits.replace(range, with: Self.quoted(replaced)) }
  }

  /// The value of a secret field, which may be written as a header or a cookie is.
  mutating func field(_ value: ArraySlice<UInt8>, named name: String, _ rule: Rule) -> [UInt8]? {
    if rule == .redactPlace || rule == .redactSchema { return secret(value, rule) }
    switch SecretNames.words(of: name).joined() {
    case "cookie" where value.contains(UInt8(ascii: "=")): return cookies(value)
    case "setcookie" where value.contains(UInt8(ascii: "=")): return setCookie(value)
    default: return credential(value, rule)
    }
  }

  /// A member's name may be a secret, or an id that is one elsewhere.
  ///
  /// - Returns: what replaces it.
  private mutating func key(_ key: JSON, _ edits: inout TextEdits) -> String? {
    guard let range = key.range else { return nil }
    let name = key.document.withBytes(of: key.index) { Array($0) }
    guard let replaced = text(name[...], depth: Self.depthLimit) else { return nil }
    edits.replace(range, with: Self.quoted(replaced))
    return String(decoding: replaced, as: UTF8.self)
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    JSONWriter.quote(bytes, into: &text)
    return text
  }
}
