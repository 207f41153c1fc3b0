import JSONSchema
import SourceText

/// What a schema says about the XML form of its values (the XML Object of OAS 3.0 to 3.2), references followed.
struct XMLSchema {
  /// How a value stands in its parent (OAS 3.2 `nodeType`; before, `attribute` and `wrapped` say as much).
  enum Node { case element, attribute, text, none }

  let shape: SchemaShape.Collector
  private let xml: JSON?
  /// The component that the schema is or refers to: the name of a root element that has no other.
  private let component: String?

  init(_ schema: JSON?, resolve: (JSON) -> JSON?) {
    shape = SchemaShape.Collector(schema, resolve: resolve)
    (xml, component) = Self.describe(schema, resolve)
  }

  private static let referenceLimit = 24

  var name: String? { xml?["name"]?.string }
  var rootName: String? { name ?? component }
  var namespace: String? { xml?["namespace"]?.string }
  var prefix: String? { xml?["prefix"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  var isArray: Bool { shape.types.contains(.array) && shape.types.isDisjoint(with: [.object, .string]) }
  var isObject: Bool { shape.types == .all ? !shape.properties.isEmpty : shape.types.contains(.object) }

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

  /// The name of the elements of an array that is called `outer` from outside: its items' own name first.
  func itemName(_ items: XMLSchema, outer: String) -> String { items.name ?? name ?? outer }

  /// The `xml` of the schema, of what it refers to, or of the only part of its `allOf`.
  private static func describe(_ schema: JSON?, _ resolve: (JSON) -> JSON?) -> (xml: JSON?, component: String?) {
    var xml: JSON?
    var component: String?
    var next = schema
    for _ in 0..<referenceLimit {
      guard let node = next else { break }
      xml = xml ?? node["xml"]
      component = component ?? name(ofComponent: node)
      if node["$ref"] != nil {
        next = resolve(node)
      } else {
        next = node["allOf"].flatMap { $0.count == 1 ? $0[0] : nil }
      }
    }
    return (xml, component)
  }

  private static func name(ofComponent node: JSON) -> String? {
    let tokens = node.pointer.tokens
    let isComponent = tokens.dropLast() == ["components", "schemas"] || tokens.dropLast() == ["definitions"]
    return isComponent ? tokens.last : nil
  }
}

/// The XML rules of schemas, each worked out once for one document.
final class XMLSchemas {
  private let resolve: (JSON) -> JSON?
  private var known: [Place: XMLSchema] = [:]

  private struct Place: Hashable {
    let document: ObjectIdentifier
    let index: Int
  }

  init(resolve: @escaping (JSON) -> JSON?) { self.resolve = resolve }

  subscript(schema: JSON?) -> XMLSchema {
    guard let schema else { return XMLSchema(nil, resolve: resolve) }
    let place = Place(document: ObjectIdentifier(schema.document), index: schema.index)
    if let rules = known[place] { return rules }
    let rules = XMLSchema(schema, resolve: resolve)
    known[place] = rules
    return rules
  }
}
