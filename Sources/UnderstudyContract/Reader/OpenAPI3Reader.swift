/// Reads OpenAPI 3.0, 3.1 and 3.2.
struct OpenAPI3Reader: ContractReader {
  var reading: Reading
  /// Shared objects are read once, and their arrays are shared.
  var responses: [ResponseKey: Response] = [:]
  private var parameters: [NodeID: Parameter] = [:]
  private var requestBodies: [NodeID: RequestBody] = [:]
  private var mediaTypes: [NodeID: MediaTypeObject] = [:]
  private var headers: [NodeID: Header] = [:]
  private var callbacks: [NodeID: [Callback]] = [:]
  private var callbackDepth = 0
  /// Callbacks within callbacks, of which references could chain any number.
  private static let maximumCallbackDepth = 16

  init(_ reading: Reading) {
    self.reading = reading
    let declared = servers(reading.root)
    self.reading.rootServers = declared.isEmpty ? [Server("/")] : declared
    self.reading.rootSecurity = self.reading.security(reading.root) ?? []
  }

  // MARK: - Operations

  mutating func complete(_ operation: inout Operation, in item: PathItem) {
    let node = operation.node
    let own = parameters(reading.list(node, "parameters"))
    operation.parameters = Self.merge(parameters(item.parameters), own) {
      ParameterKey($0.name, in: $0.location.rawValue)
    }
    operation.requestBody = node["requestBody"].flatMap { requestBody($0) }
    operation.responses = responses(of: node)
    for layer in [node] + item.layers where operation.servers.isEmpty { operation.servers = servers(layer) }
    if operation.servers.isEmpty { operation.servers = reading.rootServers }
    operation.callbacks = callbacks(of: node)
  }

  /// The servers of the root, a path item or an operation; empty without any.
  private mutating func servers(_ node: JSON) -> [Server] {
    reading.list(node, "servers").compactMap { value in
      guard let node = reading.object(value, "a server"), let url = reading.requiredString(node, "url", "server") else {
        return nil
      }
      let variables = reading.map(node, "variables").compactMap { member -> Server.Variable? in
        guard let node = reading.object(member.value, "a server variable") else { return nil }
        if node["default"] == nil { reading.reportMissing("default", node, "server variable") }
        let values = reading.list(node, "enum").map(\.scalarText)
        return Server.Variable(member.name, default: node["default"]?.scalarText ?? values.first ?? "", values: values)
      }
      return Server(url: url, variables: variables, node: node)
    }
  }

  /// Callbacks of an operation; each Callback Object is read once, since they may refer to each other in cycles.
  private mutating func callbacks(of node: JSON) -> [Callback] {
    guard callbackDepth < Self.maximumCallbackDepth else { return [] }
    callbackDepth += 1
    defer { callbackDepth -= 1 }
    return reading.map(node, "callbacks").flatMap { member -> [Callback] in
      guard let object = reading.object(member.value, "a callback") else { return [] }
      if callbacks[object.id] == nil {
        callbacks[object.id] = []
        callbacks[object.id] = object.distinctMembers.filter { !$0.key.isExtensionKey }.map { entry in
          Callback(name: "", expression: entry.name, operations: operations(entry.value, path: entry.name))
        }
      }
      return (callbacks[object.id] ?? []).map {
        Callback(name: member.name, expression: $0.expression, operations: $0.operations)
      }
    }
  }

  // MARK: - Parameters

  /// Without the headers that the specification ignores (OAS 3.0.3, 4.7.12.1; 3.1, 4.8.12.1).
  private mutating func parameters(_ list: [JSON]) -> [Parameter] {
    let ignored = ["accept", "content-type", "authorization"]
    return list.compactMap { parameter($0) }.filter {
      $0.location != .header || !ignored.contains($0.name.lowercased())
    }
  }

  private mutating func parameter(_ value: JSON) -> Parameter? {
    guard let node = reading.object(value, "a parameter") else { return nil }
    if let known = parameters[node.id] { return known }
    let places = ["path", "query", "header", "cookie"] + (reading.specification >= .openAPI32 ? ["querystring"] : [])
    guard let name = reading.requiredString(node, "name", "parameter"),
      let location = reading.place(node, "parameter", among: places).flatMap({ Parameter.Location(rawValue: $0) })
    else { return nil }
    let style = style(node, in: location)
    let content = content(node)
    let parameter = Parameter(
      name: name, location: location, isRequired: reading.flag(node, "required") || location == .path,
      isDeprecated: reading.flag(node, "deprecated"), style: style,
      explode: node["explode"]?.bool ?? style.defaultExplode, allowReserved: reading.flag(node, "allowReserved"),
      allowEmptyValue: location == .query && reading.flag(node, "allowEmptyValue"), schema: node["schema"],
      content: node["schema"] == nil ? content.first : nil, examples: examples(node), node: node)
    parameters[node.id] = parameter
    return parameter
  }

  /// The style as written where the location allows it, else the default.
  private mutating func style(_ node: JSON, in location: Parameter.Location) -> Parameter.Style {
    guard let style = reading.string(node, "style").flatMap({ Parameter.Style(rawValue: $0) }),
      style.isAllowed(in: location, reading.specification)
    else { return location.defaultStyle }
    return style
  }

  /// Headers of a response or of a part of a multipart body; `Content-Type` is described elsewhere and ignored here.
  private mutating func headers(_ node: JSON) -> [Header] {
    reading.map(node, "headers").compactMap { member in
      guard member.name.lowercased() != "content-type", let node = reading.object(member.value, "a header") else {
        return nil
      }
      var header = headers[node.id] ?? self.header(node)
      headers[node.id] = header
      header.name = member.name
      return header
    }
  }

  private mutating func header(_ node: JSON) -> Header {
    let content = content(node)
    return Header(
      name: "", isRequired: reading.flag(node, "required"), explode: node["explode"]?.bool ?? false,
      schema: node["schema"], content: node["schema"] == nil ? content.first : nil, examples: examples(node), node: node
    )
  }

  // MARK: - Responses and bodies

  mutating func response(_ node: JSON, produces: [String]) -> Response {
    let links = reading.map(node, "links").compactMap { member -> Link? in
      guard let node = reading.object(member.value, "a link") else { return nil }
      return Link(
        name: member.name, operationId: reading.string(node, "operationId"),
        operationRef: reading.string(node, "operationRef"), parameters: node["parameters"],
        requestBody: node["requestBody"], node: node)
    }
    return Response(headers: headers(node), content: content(node), links: links, node: node)
  }

  private mutating func requestBody(_ value: JSON) -> RequestBody? {
    guard let node = reading.object(value, "a request body") else { return nil }
    if let known = requestBodies[node.id] { return known }
    if node["content"] == nil { reading.reportMissing("content", node, "request body") }
    let body = RequestBody(isRequired: reading.flag(node, "required"), content: content(node), node: node)
    requestBodies[node.id] = body
    return body
  }

  /// The media types of a `content` map, in document order.
  private mutating func content(_ node: JSON) -> [MediaTypeObject] {
    reading.map(node, "content").compactMap { member in
      guard let node = reading.object(member.value, "a media type") else { return nil }
      var mediaType = mediaTypes[node.id] ?? self.mediaType(node)
      mediaTypes[node.id] = mediaType
      mediaType.range = member.name
      return mediaType
    }
  }

  private mutating func mediaType(_ node: JSON) -> MediaTypeObject {
    var mediaType = MediaTypeObject(range: "", schema: node["schema"], examples: examples(node), node: node)
    if reading.specification >= .openAPI32 { mediaType.itemSchema = node["itemSchema"] }
    readEncodings(node, into: &mediaType)
    return mediaType
  }

  private mutating func readEncodings(_ node: JSON, into mediaType: inout MediaTypeObject, isNested: Bool = false) {
    mediaType.encodings = reading.map(node, "encoding").compactMap { encoding($0.value, of: $0.name, isNested) }
    guard reading.specification >= .openAPI32 else { return }
    mediaType.prefixEncodings = node["prefixEncoding"]?.elements.compactMap { encoding($0, of: "", isNested) } ?? []
    mediaType.itemEncoding = node["itemEncoding"].flatMap { encoding($0, of: "", isNested) }
  }

  private mutating func encoding(_ value: JSON, of property: String, _ isNested: Bool) -> Encoding? {
    guard let node = reading.object(value, "an encoding") else { return nil }
    // An encoding behaves like a query parameter (OAS 3.1, 4.8.15.1.2).
    let style = style(node, in: .query)
    return Encoding(
      property: property, contentType: reading.string(node, "contentType"), style: style,
      explode: node["explode"]?.bool ?? style.defaultExplode, allowReserved: reading.flag(node, "allowReserved"),
      headers: headers(node), nested: isNested ? [] : nested(node), node: node)
  }

  /// The multipart inside a part; 3.2 requires readers to support one level (4.15.5).
  private mutating func nested(_ node: JSON) -> [MediaTypeObject] {
    guard reading.specification >= .openAPI32,
      ["encoding", "prefixEncoding", "itemEncoding"].contains(where: { node[$0] != nil })
    else { return [] }
    var mediaType = MediaTypeObject(node["contentType"]?.string ?? "multipart/mixed")
    readEncodings(node, into: &mediaType, isNested: true)
    return [mediaType]
  }

  /// `example`, then the named `examples`.
  private mutating func examples(_ node: JSON) -> [Example] {
    let single = node["example"].map { [Example(value: .data($0), node: $0)] } ?? []
    return single
      + reading.map(node, "examples").compactMap { member in
        guard let object = reading.object(member.value, "an example"), let value = exampleValue(object) else {
          return nil
        }
        let summary = reading.overridden(member.value, object, "summary")
        return Example(name: member.name, summary: summary, value: value, node: object)
      }
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
