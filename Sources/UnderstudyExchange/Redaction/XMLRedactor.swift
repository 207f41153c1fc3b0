/// Finds the values in an XML body that its schema marks as secrets; every other byte stays as it was.
struct XMLRedactor {
  private let pass: RedactionPass
  private let bytes: [UInt8]
  private var edits: TextEdits
  private var names: [NodeID: [String: Child]] = [:]

  init(_ bytes: [UInt8], in pass: RedactionPass) {
    self.pass = pass
    self.bytes = bytes
    edits = TextEdits(bytes)
  }

  /// The body without secrets; `nil` if it has none.
  var result: [UInt8]? { edits.result }

  /// Whether bytes may be XML in UTF-8.
  static func mayRead(_ bytes: [UInt8]) -> Bool {
    (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]).first { $0 > 0x20 } == UInt8(ascii: "<")
  }

  /// Searches the body; `false` if it is not well-formed.
  mutating func redact(_ schema: ResolvedSchema) -> Bool {
    guard let root = (try? XMLDocument.parse(bytes, charset: "UTF-8")) ?? (try? XMLDocument.parse(bytes)) else {
      return false
    }
    element(root, Child(schema: schema))
    return true
  }

  private struct Child {
    /// The name of its property; `nil` if no property declares it.
    var name: String?
    var schema: ResolvedSchema
    /// Whether a schema around it marks it as a secret.
    var isMarked = false
  }

  /// Recursive, since the parser limits the depth.
  private mutating func element(_ element: XMLElement, _ child: Child) {
    guard !pass.isKept else { return }
    let isMarked = child.isMarked || pass.isMarked(child.schema)
    let children = element.children.map { ($0, self.child($0.name.local, of: child.schema, isMarked)) }
    let attributes = attributes(of: element).map { ($0, self.child($0.name, of: child.schema, isMarked)) }
    for (attribute, child) in attributes {
      hide(attribute, child, isNameSecret(attribute.name, child, of: child.schema))
    }
    let isText = XMLForm.hasMarkedText(child.schema, pass)
    if isMarked || isText, element.hasText || element.children.isEmpty || children.contains(where: { $0.1.name == nil })
    {
      let text = element.children.isEmpty ? Array(element.text.utf8) : Array(bytes[element.inside])
      guard !ContractSecrets.lists(child.schema, FieldSyntax.trimmed(text[...])) else { return }
      // Parts of the content may be repeated elsewhere.
      for leaf in element.leaves { _ = pass.secret(FieldSyntax.trimmed(Array(leaf.utf8)[...]), .redactSchema) }
      let value = FieldSyntax.trimmed(text[...])
      return edits.replace(element.inside, with: pass.secret(value, .redactSchema))
    }
    for (inner, own) in children {
      if own.name == nil, ContractSecrets.isSecret(name: inner.name.local, in: child.schema) {
        edits.replace(inner.range, with: pass.secret(Array(inner.name.local.utf8)[...], .redactSchema))
        for leaf in inner.leaves where pass.isMarked(own.schema) {
          _ = pass.secret(Array(leaf.utf8)[...], .redactSchema)
        }
        continue
      }
      pass.place.append(own.name ?? inner.name.local)
      self.element(inner, own)
      pass.place.removeLast()
    }
  }

  private struct Attribute {
    var name: String
    var range: Range<Int>
    var value: Range<Int>
  }

  /// The attributes in the start tag of an element, without declarations of namespaces.
  private func attributes(of element: XMLElement) -> [Attribute] {
    guard !element.attributes.isEmpty else { return [] }
    var attributes: [Attribute] = []
    let tag = bytes[element.startTag]
    var position = tag.firstIndex { $0 <= 0x20 } ?? tag.endIndex
    while let start = tag[position...].firstIndex(where: { $0 > 0x20 }),
      let equals = tag[start...].firstIndex(of: UInt8(ascii: "=")),
      let open = tag[equals...].firstIndex(where: TextScan.isQuote),
      let close = tag[(open + 1)...].firstIndex(of: tag[open])
    {
      position = close + 1
      let name = String(decoding: tag[start..<equals].prefix { $0 > 0x20 }, as: UTF8.self)
      guard name != "xmlns", !name.hasPrefix("xmlns:") else { continue }
      let local = name.split(separator: ":").last.map(String.init) ?? name
      attributes.append(Attribute(name: local, range: start..<position, value: open + 1..<close))
    }
    return attributes
  }

  private func isNameSecret(_ name: String, _ child: Child, of schema: ResolvedSchema) -> Bool {
    child.name == nil && ContractSecrets.isSecret(name: name, in: schema)
  }

  private mutating func hide(_ attribute: Attribute, _ child: Child, _ isNameSecret: Bool) {
    pass.place.append(isNameSecret ? Placeholder.marker : child.name ?? attribute.name)
    defer { pass.place.removeLast() }
    guard !pass.isKept, isNameSecret || child.isMarked || pass.isMarked(child.schema) else { return }
    let value = UnescapedText(Array(bytes[attribute.value]), without: .markup).bytes[...]
    let hidden = ContractSecrets.lists(child.schema, value) ? nil : pass.secret(value, .redactSchema)
    guard isNameSecret, let name = pass.secret(Array(attribute.name.utf8)[...], .redactSchema) else {
      return edits.replace(attribute.value, with: hidden)
    }
    edits.replace(attribute.range, with: name + Array("=\"\"".utf8))
  }

  private mutating func child(_ name: String, of schema: ResolvedSchema, _ isMarked: Bool) -> Child {
    var child = declared(schema)[name] ?? Child(schema: other(name, of: schema))
    child.isMarked = isMarked
    return child
  }

  /// The schema of an element without a property: a member of an object, or an item of a list.
  private func other(_ name: String, of schema: ResolvedSchema) -> ResolvedSchema {
    schema.describesArray ? ContractSecrets.element(0, of: schema) : ContractSecrets.member(name, of: schema)
  }

  /// The schemas of the elements and attributes that a schema declares, by their names in XML; of one name a marked one.
  private mutating func declared(_ schema: ResolvedSchema) -> [String: Child] {
    if let known = names[schema.node.id] { return known }
    var children: [String: Child] = [:]
    add(schema, to: &children, nesting: 0)
    names[schema.node.id] = children
    return children
  }

  /// The maximum number of schemas of objects that share an element.
  private static let nestingLimit = 4

  private func add(_ schema: ResolvedSchema, to children: inout [String: Child], nesting: Int) {
    func add(_ name: String, _ child: Child) {
      let isKnown = children[name].map { pass.isMarked($0.schema) || !pass.isMarked(child.schema) } ?? false
      if !isKnown { children[name] = child }
    }
    if schema.describesArray {
      let items = ContractSecrets.element(0, of: schema)
      if let name = XMLForm(items).name { add(name, Child(name: "0", schema: items)) }
    }
    for object in [schema] + schema.conditionalSchemas {
      for property in object.properties {
        let value = object.schema(of: property)
        let form = XMLForm(value)
        guard form.node == .none else {
          add(form.name ?? property.name, Child(name: property.name, schema: value))
          add(property.name, Child(name: property.name, schema: value))
          continue
        }
        if form.isArray {
          let item = pass.isMarked(value) ? value : form.items.schema
          let name = form.itemName(form.items, outer: property.name)
          add(name, Child(name: property.name, schema: item))
        } else if nesting < Self.nestingLimit {
          self.add(value, to: &children, nesting: nesting + 1)
        }
      }
    }
  }
}

extension XMLForm {
  /// Returns whether a schema marks the property that holds the text of an element.
  fileprivate static func hasMarkedText(_ schema: ResolvedSchema, _ pass: RedactionPass) -> Bool {
    schema.properties.contains { property in
      let value = schema.schema(of: property)
      return XMLForm(value).node == .text && pass.isMarked(value)
    }
  }
}

extension XMLElement {
  /// The texts and the values of attributes in it.
  fileprivate var leaves: [String] {
    (hasText ? [text] : []) + attributes.map(\.value) + children.flatMap(\.leaves)
  }
}
