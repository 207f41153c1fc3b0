extension OpenAPI3Reader {
  /// The responses of an operation, in document order; a key that is no status is left to the linter.
  mutating func operationResponses(_ operation: JSON) -> [Response] {
    var result: [Response] = []
    var meanings: [String?] = []
    var seen: Set<Response.Status> = []
    for member in reading.map(operation, "responses", hasExtensions: true) {
      guard let status = Response.Status(lenient: member.name), seen.insert(status).inserted,
        let node = reading.object(member.value, "a response")
      else { continue }
      var response = responses[node.id] ?? self.response(node)
      responses[node.id] = response
      response.status = status
      response.description = reading.overridden(member.value, node, "description") ?? ""
      result.append(response)
      // Our own extension may tell apart two uses of one shared response.
      meanings.append(Response.explicitMeaning(member.value) ?? Response.explicitMeaning(node))
    }
    ResponseMeaning.assign(to: &result, explicit: meanings)
    return result
  }

  private mutating func response(_ node: JSON) -> Response {
    Response(
      status: .default, description: "", meaning: "", headers: headers(node), content: content(node),
      links: links(node),
      node: node)
  }

  private mutating func links(_ node: JSON) -> [Link] {
    reading.map(node, "links").compactMap { member in
      guard let node = reading.object(member.value, "a link") else { return nil }
      return Link(
        name: member.name, operationId: reading.string(node, "operationId"),
        operationRef: reading.string(node, "operationRef"), parameters: node["parameters"],
        requestBody: node["requestBody"],
        node: node)
    }
  }
}

extension Response {
  /// `x-meaning`, where it is a name that cannot be taken for a status.
  static func explicitMeaning(_ node: JSON) -> String? {
    node["x-meaning"]?.string.flatMap { $0.isEmpty || Status(lenient: $0) != nil ? nil : $0 }
  }
}

extension Response.Status {
  /// Also takes `2xx`, which is common and has one meaning; the linter complains.
  init?(lenient text: String) {
    self.init(text.utf8.count == 3 ? text.uppercased() : text)
  }
}
