struct XMLElement: Sendable {
  struct Name: Sendable {
    /// Without its prefix.
    var local: String
    /// The URI of its namespace; empty for none.
    var namespace = ""

    /// Whether this is the name in a schema; a schema without a namespace accepts any.
    func matches(_ local: String, _ namespace: String?) -> Bool {
      self.local.utf8.elementsEqual(local.utf8)
        && (namespace.map { $0.utf8.elementsEqual(self.namespace.utf8) } ?? true)
    }
  }

  struct Attribute: Sendable {
    var name: Name
    var value: String
  }

  enum Content: Sendable {
    case element(XMLElement)
    case text(String)
  }

  var name: Name
  var attributes: [Attribute]
  var content: [Content] = []
  var startTag = 0..<0
  /// The range of the content, between the tags.
  var inside = 0..<0
  var range = 0..<0

  var children: [XMLElement] {
    content.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text directly in it, without that of its children.
  var text: String {
    content.reduce(into: "") { text, part in if case .text(let piece) = part { text += piece } }
  }

  var hasText: Bool { text.utf8.contains { $0 > 32 } }

  var isTextOnly: Bool { attributes.isEmpty && children.isEmpty && hasText }

  /// `xsi:nil="true"` (XML Schema Structures, 2.6.2; OAS 3.2, 4.26).
  var isNil: Bool {
    attributes.contains { $0.name.matches("nil", Self.instanceNamespace) && ($0.value == "true" || $0.value == "1") }
  }

  static let instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance"
}
