/// Finds secrets in JSON; every other byte stays as it was.
struct JSONRedactor {
  private let pass: RedactionPass
  private let root: JSON
  /// The number of texts around this one.
  private let depth: Int
  private var edits: TextEdits

  /// `nil` if the bytes are not JSON.
  init?(_ bytes: [UInt8], in pass: RedactionPass, depth: Int = 0) {
    guard let root = try? JSONParser.parse(SourceFile(path: "", bytes: bytes)).root else { return nil }
    self.pass = pass
    self.root = root
    self.depth = depth
    edits = TextEdits(bytes)
  }

  /// The text without secrets; `nil` if it has none.
  mutating func redact(schema: ResolvedSchema? = nil) -> [UInt8]? {
    value(root, Member(name: "", schema: schema))
    return edits.result
  }

  /// A list without secrets, whose first elements have these schemas; `nil` if it has no secret.
  mutating func redact(elements: [ResolvedSchema]) -> [UInt8]? {
    for (position, element) in root.elements.enumerated() {
      pass.place.append(String(position))
      value(element, Member(name: "", schema: position < elements.count ? elements[position] : nil))
      pass.place.removeLast()
    }
    return edits.result
  }

  private struct Member {
    var name: String
    var schema: ResolvedSchema?
    /// Whether all texts below are secrets: `"secrets": {"db": "..."}`.
    var isList = false
    /// Whether it is an element of a list whose elements are pairs: `[["token", "..."]]`.
    var isAmongPairs = false
    /// Whether a schema marks the value, or one around it, as a secret.
    var isMarked = false
  }

  /// Recursive, since the parser limits the depth.
  private mutating func value(_ node: JSON, _ member: Member) {
    var member = member
    member.isMarked = member.isMarked || member.schema.map(pass.isMarked) ?? false
    switch node.kind {
    case .object:
      let owner = owner(ofValuesIn: node, member)
      for child in node.members {
        let name = child.name
        let schema = member.schema.map { ContractSecrets.member(name, of: $0) }
        // A value with blanks is a sentence about the field, such as the error of a form.
        let isOwned = Self.valueNames.contains(name.lowercased()) && child.value.string?.contains(" ") != true
        var inner = Member(name: isOwned ? owner ?? name : name, schema: schema)
        let isComposite = child.value.isObject || child.value.isArray
        // `"password": {"value": {"text": "..."}}`
        inner.isList = member.isList || isComposite && (isList(name) || isOwned && owner != nil)
        inner.isMarked = member.isMarked
        // The names that a schema declares are no part of a secret.
        let isSecret =
          member.isMarked && member.schema?.property(name) == nil
          || ContractSecrets.isSecret(name: name, in: member.schema)
        pass.place.append(key(child.key, isSecret: isSecret) ?? name)
        value(child.value, inner)
        pass.place.removeLast()
      }
    case .array:
      let elements = node.elements
      let holdsPairs = elements.count > 0 && elements.allSatisfy { $0.isArray && $0.elements.count == 2 }
      let pairName = member.isAmongPairs && elements.count == 2 ? elements.first { _ in true }?.string : nil
      for (position, element) in elements.enumerated() {
        var inner = member
        inner.schema = member.schema.map { ContractSecrets.element(position, of: $0) }
        inner.isAmongPairs = holdsPairs
        if position == 1, let pairName, Self.isValue(element, of: pairName) { inner.name = pairName }
        pass.place.append(String(position))
        value(element, inner)
        pass.place.removeLast()
      }
    case .string, .number: leaf(node, member)
    case .null, .true, .false: break
    }
  }

  /// The name that the value of an object goes by: `{"name": "password", "value": "..."}`, `"password": {"value": "..."}`.
  private func owner(ofValuesIn node: JSON, _ member: Member) -> String? {
    for child in node.members where Self.titleNames.contains(child.name.lowercased()) {
      guard let text = child.value.string, !text.contains(" ") else { continue }
      if pass.strength(of: text, .member) >= .weak { return text }
    }
    return pass.strength(of: member.name, .member) == .strong ? member.name : nil
  }

  /// Whether the second of a pair is the value of the first, rather than another word: `["cookie", "chocolate"]`.
  private static func isValue(_ element: JSON, of name: String) -> Bool {
    guard let text = element.string else { return true }
    return SecretNames.isPassword(name) || !text.utf8.allSatisfy { 97...122 ~= $0 }
  }

  private static let titleNames: Set<String> = ["name", "key", "field", "header", "param"]
  private static let valueNames: Set<String> = ["value", "val"]

  private func isList(_ name: String) -> Bool {
    SecretNames.isList(name) || pass.contracts.contains { $0.isSecret(member: name) }
  }

  private mutating func leaf(_ node: JSON, _ member: Member) {
    guard let range = node.range, !pass.isKept else { return }
    if depth == 0 { pass.offset = range.lowerBound }
    let text = node.document.withBytes(of: node.index) { Array($0) }
    let isMarked = member.isMarked && !(member.schema.map { ContractSecrets.lists($0, text[...]) } ?? false)
    var rule = pass.rule(forValue: text[...], of: member.name, .member, isMarked: isMarked)
    if rule == nil, member.isList, node.isString, pass.settings.isSecret(pass.place) == nil { rule = .redactMember }
    if node.kind == .number {
      if let number = number(text[...], rule) {
        edits.replace(range, with: pass.known.isTyped ? number : Self.quoted(number))
      }
      return
    }
    var replaced: [UInt8]?
    if let rule {
      replaced = pass.credentials.field(text[...], named: member.name, rule)
    } else {
      let strength = pass.strength(of: member.name, .member)
      replaced = pass.texts.redact(
        text[...], allowsEntropy: strength != .identifier, depth: depth, schema: member.schema)
    }
    if let replaced { edits.replace(range, with: Self.quoted(replaced)) }
  }

  /// The placeholder of a number that is a secret here or elsewhere; `nil` if it stays.
  private func number(_ text: ArraySlice<UInt8>, _ rule: Rule?) -> [UInt8]? {
    if let rule { return pass.secret(text, rule, isNumber: true) }
    guard pass.settings.applies(.redactEcho), pass.known.occurrences(in: text).first?.range.count == text.count else {
      return nil
    }
    return pass.secret(text, .redactEcho, isNumber: true)
  }

  /// Replaces a member's name that is part of a secret object, or an id that is a secret elsewhere; `nil` if it stays.
  private mutating func key(_ key: JSON, isSecret: Bool) -> String? {
    guard let range = key.range else { return nil }
    let name = key.document.withBytes(of: key.index) { Array($0) }
    let hidden = isSecret && !pass.isKept ? pass.secret(name[...], .redactSchema) : nil
    guard let replaced = hidden ?? pass.texts.redact(name[...], depth: TextRedactor.depthLimit) else { return nil }
    edits.replace(range, with: Self.quoted(replaced))
    return String(decoding: replaced, as: UTF8.self)
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    JSONWriter.quote(bytes, into: &text)
    return text
  }
}
