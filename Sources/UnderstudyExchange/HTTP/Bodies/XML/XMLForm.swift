/// The XML form of a schema's values (the XML Object of OAS 3.0 to 3.2).
struct XMLForm {
  /// The place of a value in its parent (OAS 3.2 `nodeType`; before, `attribute` and `wrapped`).
  enum Node { case element, attribute, text, none }

  let schema: ResolvedSchema
  private let xml: JSON?

  /// Uses the `xml` of the schema, of the target of its reference, or of the only part of its `allOf`.
  init(_ schema: ResolvedSchema) {
    self.schema = schema
    xml = schema.chain.lazy.compactMap { $0["xml"] }.first
  }

  var name: String? { xml?["name"]?.string }
  var namespace: String? { xml?["namespace"]?.string }
  var prefix: String? { xml?["prefix"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The name of a root element: its own, or that of the component that the schema is or refers to.
  var rootName: String? { name ?? schema.chain.lazy.compactMap(Self.name(ofComponent:)).first }

  var isArray: Bool { schema.types.contains(.array) && schema.types.isDisjoint(with: [.object, .string]) }
  var isObject: Bool { schema.types == .any ? !schema.properties.isEmpty : schema.types.contains(.object) }

  var node: Node {
    switch xml?["nodeType"]?.string {
    case "element": return .element
    case "attribute": return .attribute
    case "text", "cdata": return .text
    case "none": return .none
    default: break
    }
    if xml?["attribute"]?.bool == true { return .attribute }
    return isArray && xml?["wrapped"]?.bool != true ? .none : .element
  }

  var isCDATA: Bool { xml?["nodeType"]?.string == "cdata" }

  var items: XMLForm { XMLForm(schema.element) }

  var others: XMLForm { XMLForm(schema.other) }

  /// The name of the elements of an array in the property `outer`; the name of the items takes precedence.
  func itemName(_ items: XMLForm, outer: String) -> String { items.name ?? name ?? outer }

  private static func name(ofComponent node: JSON) -> String? {
    let tokens = node.pointer.tokens
    let isComponent = tokens.dropLast() == ["components", "schemas"] || tokens.dropLast() == ["definitions"]
    return isComponent ? tokens.last : nil
  }
}
