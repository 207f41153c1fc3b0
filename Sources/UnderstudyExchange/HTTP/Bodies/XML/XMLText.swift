/// Writes a value as XML by the `xml` objects of its schema: the reverse of `XMLBody`.
package struct XMLText {
  /// The document; `nil` for a value that XML cannot hold: an invalid name or character, or too deep a value.
  package static func write(_ value: JSON, schema: ResolvedSchema) -> [UInt8]? {
    let rules = XMLForm(schema)
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    do { try XMLText().element(rules.rootName ?? "root", value, rules, &text, depth: 0) } catch { return nil }
    return Array(text.utf8)
  }

  private struct Unwritable: Error {}

  private func element(
    _ name: String, _ value: JSON, _ rules: XMLForm, _ out: inout String, depth: Int
  ) throws(Unwritable) {
    guard depth < XMLDocument.depthLimit else { throw Unwritable() }
    // A prefix without a namespace would bind to nothing.
    let prefix = rules.namespace == nil ? nil : rules.prefix
    var qualified = try checked(name)
    if let prefix { qualified = "\(try checked(prefix)):\(qualified)" }
    out += "<\(qualified)"
    if let namespace = rules.namespace {
      out += " xmlns\(prefix.map { ":\($0)" } ?? "")=\"\(try escaped(namespace, inAttribute: true))\""
    }
    if value.isNull {
      out += " xmlns:xsi=\"\(XMLElement.instanceNamespace)\" xsi:nil=\"true\"/>"
      return
    }
    var content = ""
    if value.isObject {
      try members(value, rules, attributes: &out, &content, depth: depth)
    } else if value.isArray {
      let items = rules.items
      let itemName = depth == 0 ? items.rootName ?? rules.name ?? "item" : rules.itemName(items, outer: name)
      for item in value.elements { try element(itemName, item, items, &content, depth: depth + 1) }
    } else {
      content = try escaped(HeaderText.simple(value, explode: false))
    }
    out += content.isEmpty ? "/>" : ">\(content)</\(qualified)>"
  }

  private func members(
    _ value: JSON, _ rules: XMLForm, attributes: inout String, _ content: inout String, depth: Int
  ) throws(Unwritable) {
    for member in value.members {
      let name = member.name
      let property = XMLForm(rules.schema.property(name) ?? rules.schema.other)
      let wireName = property.name ?? name
      switch property.node {
      case .attribute:
        let text = try escaped(HeaderText.simple(member.value, explode: false), inAttribute: true)
        var prefix = ""
        if let namespace = property.namespace, let own = property.prefix {
          prefix = "\(try checked(own)):"
          attributes += " xmlns:\(own)=\"\(try escaped(namespace, inAttribute: true))\""
        }
        attributes += " \(prefix)\(try checked(wireName))=\"\(text)\""
      case .text:
        let text = HeaderText.simple(member.value, explode: false)
        let isPlain = isWritable(text) && text.utf8.firstRange(of: "]]>".utf8) == nil && !text.utf8.contains(13)
        content += property.isCDATA && isPlain ? "<![CDATA[\(text)]]>" : try escaped(text)
      case .none where member.value.isArray:
        let items = property.items
        for item in member.value.elements {
          try element(property.itemName(items, outer: name), item, items, &content, depth: depth + 1)
        }
      case .none where member.value.isObject:
        try members(member.value, property, attributes: &attributes, &content, depth: depth + 1)
      case .none, .element:
        // An array without a schema is read back from elements of its name.
        if member.value.isArray, !property.isArray {
          for item in member.value.elements { try element(wireName, item, property, &content, depth: depth + 1) }
        } else {
          try element(wireName, member.value, property, &content, depth: depth + 1)
        }
      }
    }
  }

  /// A name without a colon; letters beyond ASCII are allowed (XML 1.0, 2.3).
  private func checked(_ name: String) throws(Unwritable) -> String {
    func isStart(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte >= 0x80 || (65...90 ~= byte & 0xDF) }
    guard let first = name.utf8.first, isStart(first),
      name.utf8.allSatisfy({ isStart($0) || 48...57 ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
    else { throw Unwritable() }
    return name
  }

  /// XML 1.0 has no way to write control characters (2.2).
  private func isWritable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 32 ? scalar.value & 0xFFFE != 0xFFFE : [9, 10, 13].contains(scalar.value)
    }
  }

  private func escaped(_ text: String, inAttribute: Bool = false) throws(Unwritable) -> String {
    guard isWritable(text) else { throw Unwritable() }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
      case "\"" where inAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n" where inAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
      case "\t" where inAttribute: result.append(contentsOf: "&#9;".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
