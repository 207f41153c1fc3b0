extension OpenAPI3Reader {
  mutating func requestBody(_ value: JSON) -> RequestBody? {
    guard let node = reading.object(value, "a request body") else { return nil }
    if let known = requestBodies[node.id] { return known }
    if node["content"] == nil { reading.reportMissing("content", node, "request body") }
    let body = RequestBody(isRequired: reading.flag(node, "required"), content: content(node), node: node)
    requestBodies[node.id] = body
    return body
  }

  /// The media types of a `content` map, in document order.
  mutating func content(_ node: JSON) -> [MediaTypeObject] {
    reading.map(node, "content").compactMap { member in
      guard let node = reading.object(member.value, "a media type") else { return nil }
      var mediaType = mediaTypes[node.id] ?? self.mediaType(node)
      mediaTypes[node.id] = mediaType
      mediaType.range = member.name
      return mediaType
    }
  }

  private mutating func mediaType(_ node: JSON) -> MediaTypeObject {
    MediaTypeObject(
      range: "", schema: node["schema"],
      itemSchema: reading.specification >= .openAPI32 ? node["itemSchema"] : nil,
      examples: examples(node), encodings: encodings(node), prefixEncodings: prefixEncodings(node),
      itemEncoding: itemEncoding(node), node: node)
  }

  private mutating func encodings(_ node: JSON) -> [Encoding] {
    reading.map(node, "encoding").compactMap { encoding($0.value, of: $0.name) }
  }

  private mutating func prefixEncodings(_ node: JSON) -> [Encoding] {
    guard reading.specification >= .openAPI32, let list = node["prefixEncoding"] else { return [] }
    return list.elements.compactMap { encoding($0, of: "") }
  }

  private mutating func itemEncoding(_ node: JSON) -> Encoding? {
    reading.specification >= .openAPI32 ? node["itemEncoding"].flatMap { encoding($0, of: "") } : nil
  }

  private mutating func encoding(_ value: JSON, of property: String, isNested: Bool = false) -> Encoding? {
    guard let node = reading.object(value, "an encoding") else { return nil }
    let named = reading.string(node, "style").flatMap { Parameter.Style(rawValue: $0) }
    // An encoding behaves like a query parameter (4.8.15.1.2).
    let style = named.flatMap { $0.isAllowed(in: .query, reading.specification) ? $0 : nil } ?? .form
    return Encoding(
      property: property, contentType: reading.string(node, "contentType"), style: style,
      explode: node["explode"]?.bool ?? style.explodesByDefault, allowReserved: reading.flag(node, "allowReserved"),
      headers: headers(node), nested: isNested ? [] : nested(node), node: node)
  }

  /// The multipart inside a part; one level is what 3.2 asks every reader to know (4.15.5).
  private mutating func nested(_ node: JSON) -> [MediaTypeObject] {
    guard reading.specification >= .openAPI32,
      ["encoding", "prefixEncoding", "itemEncoding"].contains(where: { node[$0] != nil })
    else { return [] }
    var media = MediaTypeObject(node["contentType"]?.string ?? "multipart/mixed")
    media.encodings = reading.map(node, "encoding").compactMap { encoding($0.value, of: $0.name, isNested: true) }
    for value in node["prefixEncoding"]?.elements ?? JSON.array([]).elements {
      if let inner = encoding(value, of: "", isNested: true) { media.prefixEncodings.append(inner) }
    }
    media.itemEncoding = node["itemEncoding"].flatMap { encoding($0, of: "", isNested: true) }
    return [media]
  }

  /// `example`, then the named `examples`.
  mutating func examples(_ node: JSON) -> [Example] {
    var result: [Example] = []
    if let value = node["example"] {
      result.append(Example(name: nil, summary: nil, value: .data(value), node: value))
    }
    for member in reading.map(node, "examples") {
      guard let object = reading.object(member.value, "an example") else { continue }
      guard let value = exampleValue(object) else { continue }
      result.append(
        Example(
          name: member.name, summary: reading.overridden(member.value, object, "summary"), value: value, node: object))
    }
    return result
  }

  private mutating func exampleValue(_ node: JSON) -> Example.Value? {
    if let value = node["value"] { return .data(value) }
    if reading.specification >= .openAPI32 {
      if let value = node["dataValue"] { return .data(value) }
      if let text = reading.string(node, "serializedValue") { return .serialized(text) }
    }
    return reading.string(node, "externalValue").map { .external($0) }
  }
}
