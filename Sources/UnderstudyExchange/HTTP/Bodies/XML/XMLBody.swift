/// Maps XML bodies to values by the `xml` objects of their schemas (OAS 3.1, 4.8.26; 3.2, 4.26).
///
/// A property is an element of its name, or an attribute; an array is its items in a row, or wrapped in an element.
/// Other elements and attributes become members too, so that `additionalProperties` can validate them.
package struct XMLBody: Sendable {
  private let schema: ResolvedSchema

  package init(_ schema: ResolvedSchema) { self.schema = schema }

  package func decode(_ bytes: [UInt8], charset: String? = nil) -> Decoded {
    let root: XMLElement
    do {
      root = try XMLDocument.parse(bytes, charset: charset)
    } catch {
      switch error {
      case .syntax(let reason): return .broken(.syntax, "the body is not valid XML: \(reason)")
      case .limit(let reason): return .broken(.limit, "the XML is rejected: \(reason)")
      case .encoding: return Decoded(.unvalidated("the encoding of the XML is not supported"))
      }
    }
    let rules = XMLForm(schema)
    if let problem = misnamed(root, rules) { return Decoded(.broken, [problem]) }
    do {
      let typed = try XMLMapping(prefersText: false).value(of: root, rules)
      let plain = try XMLMapping(prefersText: true).value(of: root, rules)
      return Decoded(.readings(typed == plain ? [typed] : [typed, plain]))
    } catch {
      return Decoded(.unvalidated(error.reason))
    }
  }

  /// A root element with another name than the schema or its component; an inline schema without a name accepts any.
  private func misnamed(_ root: XMLElement, _ rules: XMLForm) -> DecodingProblem? {
    guard let name = rules.rootName, rules.name != nil || rules.isObject, !root.name.matches(name, rules.namespace)
    else { return nil }
    let wanted = rules.namespace.map { " in the namespace `\($0)`" } ?? ""
    let found = root.name.namespace.isEmpty || wanted.isEmpty ? "" : " in `\(root.name.namespace)`"
    return DecodingProblem(
      .type, "", "the root element is `\(root.name.local)`\(found); expected `\(name)`\(wanted)")
  }
}

/// Turns elements into values; the parser bounds the depth of the recursion.
private struct XMLMapping {
  /// XML that the XML Object does not map.
  struct Unmapped: Error { var reason: String }

  /// Whether an ambiguous text is read as a string.
  let prefersText: Bool

  func value(of element: XMLElement, _ rules: XMLForm) throws(Unmapped) -> JSON {
    if element.isNil { return .null }
    if rules.isArray { return .array(try items(element.children, rules)) }
    let types = rules.schema.types
    let isObject = rules.isObject && (types == .any || !types.contains(.string))
    if isObject || (types.contains(.object) && !element.children.isEmpty) { return try object(element, rules) }
    guard element.children.isEmpty else {
      throw Unmapped(reason: "the element `\(element.name.local)` holds elements where the contract has a single value")
    }
    return text(element.text, rules)
  }

  private func items(_ elements: [XMLElement], _ rules: XMLForm) throws(Unmapped) -> [JSON] {
    if rules.schema.has(.prefixItems) { throw Unmapped(reason: "`prefixItems` in XML are not mapped") }
    let items = rules.items
    return try elements.map { element throws(Unmapped) in try value(of: element, items) }
  }

  private func object(_ element: XMLElement, _ rules: XMLForm) throws(Unmapped) -> JSON {
    var rest = Remainder(element)
    var members = try declared(element, rules, &rest)
    // Nothing but text: the schema, which wants an object, must find it wrong.
    if rest.hasText, element.isTextOnly, rules.schema.types != .any { return .string(element.text) }
    guard !rest.hasText else {
      throw Unmapped(reason: "the element `\(element.name.local)` holds text beside its elements, which no rule maps")
    }
    members += rest.attributes.map { ($0.name.local, text($0.value, rules.others)) }
    members += try others(rest.children, rules)
    var names: Set<WireName> = []
    if let twice = members.first(where: { !names.insert(WireName($0.0)).inserted })?.0 {
      throw Unmapped(reason: "the element `\(element.name.local)` holds `\(twice)` in two forms")
    }
    return .object(members)
  }

  /// The unread rest of an element, shared by objects without an element of their own (`nodeType: none`).
  private struct Remainder {
    var attributes: [XMLElement.Attribute]
    var children: XMLChildren
    var hasText: Bool
    var found = 0
    var objects = 0

    init(_ element: XMLElement) {
      attributes = element.attributes.filter {
        $0.name.namespace != XMLElement.instanceNamespace && $0.name.namespace != XMLMapping.reservedNamespace
      }
      children = XMLChildren(element)
      hasText = element.hasText
    }
  }

  /// Nested objects and all objects in one element, since a contract may be recursive.
  private static let (nestingLimit, objectLimit) = (4, 100)

  private func declared(
    _ element: XMLElement, _ rules: XMLForm, _ rest: inout Remainder, nesting: Int = 0
  ) throws(Unmapped) -> [(String, JSON)] {
    var members: [(String, JSON)] = []
    for entry in rules.schema.properties {
      let name = entry.name
      let property = XMLForm(rules.schema.schema(of: entry))
      let wireName = property.name ?? name
      switch property.node {
      case .attribute:
        guard let index = rest.attributes.firstIndex(where: { $0.name.matches(wireName, property.namespace) }) else {
          continue
        }
        rest.found += 1
        members.append((name, text(rest.attributes.remove(at: index).value, property)))
      case .text:
        rest.found += rest.hasText ? 1 : 0
        rest.hasText = false
        members.append((name, text(element.text, property)))
      case .none where property.isArray:
        let items = property.items
        let itemName = property.itemName(items, outer: name)
        let found = rest.children.take(itemName, items.namespace ?? property.namespace)
        rest.found += found.count
        // Without elements an array is empty or absent; a required one is empty.
        guard !found.isEmpty || rules.schema.requirement(of: name) != nil else { continue }
        members.append((name, .array(try self.items(found, property))))
      case .none:
        guard !property.schema.properties.isEmpty else {
          throw Unmapped(reason: "`\(name)` has no XML node, and neither do its properties")
        }
        rest.objects += 1
        guard nesting < Self.nestingLimit, rest.objects <= Self.objectLimit else {
          throw Unmapped(reason: "too many objects of the contract share the element `\(element.name.local)`")
        }
        let found = rest.found
        let inner = try declared(element, property, &rest, nesting: nesting + 1)
        guard rest.found > found || rules.schema.requirement(of: name) != nil else { continue }
        members.append((name, .object(inner)))
      case .element:
        let found = rest.children.take(wireName, property.namespace)
        guard let first = found.first else { continue }
        rest.found += 1
        // A repeated element becomes an array, which other types reject.
        members.append(
          (name, found.count == 1 ? try wrapped(first, name, property) : .array(try found.map(untyped))))
      }
    }
    return members
  }

  /// The value of a property's element; the element of a wrapped array must hold only its items.
  private func wrapped(_ element: XMLElement, _ name: String, _ property: XMLForm) throws(Unmapped) -> JSON {
    guard property.isArray, !element.isNil else { return try value(of: element, property) }
    let items = property.items
    let itemName = property.itemName(items, outer: name)
    if let stranger = element.children.first(where: { !$0.name.matches(itemName, items.namespace) }) {
      // An object is rejected in place of the array, and the message shows the name.
      return .object([(stranger.name.local, try untyped(stranger))])
    }
    return .array(try self.items(element.children, property))
  }

  /// Elements without a property: members by their names, arrays if they repeat.
  private func others(_ children: XMLChildren, _ rules: XMLForm) throws(Unmapped) -> [(String, JSON)] {
    let other = rules.others
    var members: [(String, JSON)] = []
    for (name, found) in children.rest {
      let isList = found.count > 1 || other.isArray
      let values = try found.map { element throws(Unmapped) in
        isList && other.isArray ? try untyped(element) : try value(of: element, other)
      }
      members.append((name, isList ? .array(values) : values[0]))
    }
    return members
  }

  private func untyped(_ element: XMLElement) throws(Unmapped) -> JSON { try value(of: element, XMLForm(.any)) }

  /// A text by its types; text of another type stays a string, which the schema rejects.
  private func text(_ text: String, _ rules: XMLForm) -> JSON {
    let types = rules.schema.types
    if types.contains(.string), prefersText { return .string(text) }
    let trimmed = String(decoding: text.utf8.trimmed, as: UTF8.self)
    return TypeCoercion.value(of: types.contains(.string) ? text : trimmed, types, prefersText: prefersText)
      ?? .string(text)
  }

  private static let reservedNamespace = "http://www.w3.org/XML/1998/namespace"
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate var trimmed: SubSequence {
    let start = firstIndex { $0 > 32 } ?? endIndex
    let end = lastIndex { $0 > 32 }.map { index(after: $0) } ?? endIndex
    return self[start..<Swift.max(start, end)]
  }
}
