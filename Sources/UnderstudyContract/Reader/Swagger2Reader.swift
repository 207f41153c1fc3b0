/// Reads Swagger 2.0 into the model of 3.x.
struct Swagger2Reader: ContractReader {
  var reading: Reading
  var responses: [ResponseKey: Response] = [:]
  private var consumes: [String] = []
  private var produces: [String] = []
  private var parameters: [NodeID: Parameter] = [:]

  init(_ reading: Reading) {
    self.reading = reading
    let schemes = strings(reading.root, "schemes") ?? []
    self.reading.rootServers = servers(schemes)
    self.reading.rootSecurity = self.reading.security(reading.root) ?? []
    consumes = strings(reading.root, "consumes") ?? []
    produces = strings(reading.root, "produces") ?? []
  }

  mutating func complete(_ operation: inout Operation, in item: PathItem) {
    let node = operation.node
    let own = inputs(reading.list(node, "parameters"))
    let inputs = Self.merge(inputs(item.parameters), own) { ParameterKey($0.name, in: $0.place) }
    operation.parameters = inputs.compactMap { parameter($0) }
    operation.requestBody = requestBody(inputs, consumes: strings(node, "consumes") ?? consumes)
    operation.responses = responses(of: node, produces: strings(node, "produces") ?? produces)
    operation.servers = strings(node, "schemes").map { servers($0) } ?? reading.rootServers
  }

  /// One server per scheme. Scheme and host default to those that served the document, so the URL leaves them out.
  private mutating func servers(_ schemes: [String]) -> [Server] {
    let root = reading.root
    let basePath = reading.string(root, "basePath") ?? ""
    guard let host = reading.string(root, "host"), !host.isEmpty else {
      return [Server(url: basePath.isEmpty ? "/" : basePath, node: root["basePath"])]
    }
    let slash = basePath.isEmpty || basePath.utf8.first == UInt8(ascii: "/") ? "" : "/"
    let prefixes = schemes.isEmpty ? [""] : schemes.map { $0 + ":" }
    return prefixes.map { Server(url: "\($0)//\(host)\(slash)\(basePath)", node: root["host"]) }
  }

  /// A list of strings; an empty list of an operation overrides the root's, an absent one does not.
  private mutating func strings(_ node: JSON, _ key: String) -> [String]? {
    node[key] == nil ? nil : reading.list(node, key).compactMap(\.string)
  }

  // MARK: - Parameters and bodies

  /// A Parameter Object of Swagger 2.0: a parameter, a body or a field of a form.
  struct Input {
    var name: String
    var place: String
    var node: JSON
  }

  private mutating func inputs(_ list: [JSON]) -> [Input] {
    list.compactMap { value in
      guard let node = reading.object(value, "a parameter"),
        let name = reading.requiredString(node, "name", "parameter"),
        let place = reading.place(node, "parameter", among: ["path", "query", "header", "body", "formData"])
      else { return nil }
      return Input(name: name, place: place, node: node)
    }
  }

  /// A path, query or header parameter; `nil` for parts of the body.
  private mutating func parameter(_ input: Input) -> Parameter? {
    guard let location = Parameter.Location(rawValue: input.place) else { return nil }
    let node = input.node
    if let known = parameters[node.id] { return known }
    let (style, explode) = CollectionFormat.style(of: node, in: location)
    var parameter = Parameter(
      name: input.name, location: location, isRequired: reading.flag(node, "required") || location == .path,
      style: style, explode: explode, allowEmptyValue: location == .query && reading.flag(node, "allowEmptyValue"),
      schema: node, examples: Self.extensionExamples(node), node: node)
    parameter.forbidsEmptyValue = location == .query && node["allowEmptyValue"]?.bool == false
    parameters[node.id] = parameter
    return parameter
  }

  /// The `body` parameter, or all `formData` parameters as one body.
  private mutating func requestBody(_ inputs: [Input], consumes: [String]) -> RequestBody? {
    guard let node = inputs.first(where: { $0.place == "body" })?.node else {
      return FormDataParameters.requestBody(inputs.filter { $0.place == "formData" }, consumes: consumes)
    }
    if node["schema"] == nil { reading.reportMissing("schema", node, "body parameter") }
    // Without `consumes` every media type is allowed.
    let ranges = consumes.isEmpty ? ["*/*"] : consumes
    // `x-examples` is keyed by media type as often as by name.
    let examples = Self.extensionExamples(node)
    let typed = Set(examples.compactMap(\.name)).intersection(ranges)
    let content = ranges.map { range in
      let own = examples.filter { $0.name == range || !typed.contains($0.name ?? "") }.map { example in
        var example = example
        if example.name == range { example.name = nil }
        return example
      }
      return MediaTypeObject(range: range, schema: node["schema"], examples: own, node: node)
    }
    return RequestBody(isRequired: reading.flag(node, "required"), content: content, node: node)
  }

  // MARK: - Responses

  mutating func response(_ node: JSON, produces: [String]) -> Response {
    let headers = reading.map(node, "headers").compactMap { member -> Header? in
      guard let node = reading.object(member.value, "a header") else { return nil }
      return Header(name: member.name, schema: node, examples: Self.extensionExamples(node), node: node)
    }
    return Response(headers: headers, content: content(node, produces: produces), node: node)
  }

  /// Every produced media type with the same schema; examples are keyed by media type. A response without schema and
  /// examples has no body.
  private mutating func content(_ node: JSON, produces: [String]) -> [MediaTypeObject] {
    let examples = reading.map(node, "examples")
    var schema = node["schema"]
    guard schema != nil || !examples.isEmpty else { return [] }
    // `type: file` means any bytes.
    if schema?["type"]?.isString("file") == true { schema = nil }
    var ranges = produces
    if ranges.isEmpty { ranges = examples.isEmpty ? ["*/*"] : examples.map(\.name) }
    return ranges.map { range in
      let own = examples.filter { Self.essence($0.name) == Self.essence(range) }
      return MediaTypeObject(
        range: range, schema: schema, examples: own.map { Example(value: .data($0.value), node: $0.value) }, node: node)
    }
  }

  /// The media type without its parameters, in lower case.
  private static func essence(_ range: String) -> String {
    let end = range.utf8.firstIndex(of: UInt8(ascii: ";")) ?? range.endIndex
    return range[..<end].lowercased().filter { $0 != " " }
  }

  /// Swagger 2.0 has no examples of parameters and headers; authors use `x-example` and the named `x-examples`.
  private static func extensionExamples(_ node: JSON) -> [Example] {
    (node["x-example"].map { [Example(value: .data($0), node: $0)] } ?? [])
      + (node["x-examples"]?.distinctMembers ?? []).map {
        Example(name: $0.name, value: .data($0.value), node: $0.value)
      }
  }
}

/// `collectionFormat` in terms of 3.x styles.
enum CollectionFormat {
  static func style(of node: JSON, in location: Parameter.Location) -> (style: Parameter.Style, explode: Bool) {
    switch node["collectionFormat"]?.string {
    case "ssv": (.spaceDelimited, false)
    case "tsv": (.tabDelimited, false)
    case "pipes": (.pipeDelimited, false)
    case "multi" where location == .query: (.form, true)
    default: (location.defaultStyle, false)
    }
  }
}
