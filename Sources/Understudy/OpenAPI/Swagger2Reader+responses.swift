extension Swagger2Reader {
  mutating func operationResponses(_ operation: JSON, produces: [String]) -> [Response] {
    var result: [Response] = []
    var meanings: [String?] = []
    var seen: Set<Response.Status> = []
    for member in reading.map(operation, "responses", hasExtensions: true) {
      guard let status = Response.Status(lenient: member.name), seen.insert(status).inserted,
        let node = reading.object(member.value, "a response")
      else { continue }
      let key = ResponseKey(node: node.id, produces: produces)
      var response = responses[key] ?? self.response(node, produces: produces)
      responses[key] = response
      response.status = status
      result.append(response)
      meanings.append(Response.explicitMeaning(member.value) ?? Response.explicitMeaning(node))
    }
    ResponseMeaning.assign(to: &result, explicit: meanings)
    return result
  }

  private mutating func response(_ node: JSON, produces: [String]) -> Response {
    Response(
      status: .default, description: reading.string(node, "description") ?? "", meaning: "", headers: headers(node),
      content: content(node, produces: produces), links: [], node: node)
  }

  /// Every produced media type with the one schema; examples are keyed by media type. Without either the response has
  /// no body.
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
        range: range, schema: schema, itemSchema: nil,
        examples: own.map { Example(name: nil, summary: nil, value: .data($0.value), node: $0.value) },
        encodings: [], node: node)
    }
  }

  /// The media type without its parameters, in lower case.
  private static func essence(_ range: String) -> String {
    let end = range.utf8.firstIndex(of: UInt8(ascii: ";")) ?? range.endIndex
    return range[..<end].lowercased().filter { $0 != " " }
  }

  private mutating func headers(_ node: JSON) -> [Header] {
    reading.map(node, "headers").compactMap { member in
      guard let node = reading.object(member.value, "a header") else { return nil }
      return Header(
        name: member.name, isRequired: false, explode: false, schema: node, content: nil,
        examples: ExtensionExamples.read(node), node: node)
    }
  }
}
