extension OpenAPI3Reader {
  /// The parameters of one list; of two with the same name and location, the first.
  mutating func parameters(_ list: [JSON]) -> [Parameter] {
    var seen: Set<Parameter.Identity> = []
    var result: [Parameter] = []
    for value in list {
      guard let parameter = parameter(value), seen.insert(parameter.identity).inserted else { continue }
      result.append(parameter)
    }
    return result
  }

  private mutating func parameter(_ value: JSON) -> Parameter? {
    guard let node = reading.object(value, "a parameter") else { return nil }
    if let known = parameters[node.id] { return known }
    guard let name = reading.requiredString(node, "name", "parameter"),
      let place = reading.requiredString(node, "in", "parameter")
    else { return nil }
    let known: [Parameter.Location] =
      [.path, .query, .header, .cookie] + (reading.specification >= .openAPI32 ? [.querystring] : [])
    guard let location = known.first(where: { $0.rawValue == place }) else {
      let names = known.map(\.rawValue)
      reading.report(
        Diagnostic(
          .specType, "a parameter is in \(names.joined(separator: ", ")), not in `\(place)`", at: node["in"] ?? node,
          help: Suggestion.phrase(for: place, among: names)
            ?? (place == "body" || place == "formData" ? "from 3.0 on a body is a `requestBody`" : nil)))
      return nil
    }
    let style = style(node, in: location)
    let content = content(node)
    let parameter = Parameter(
      name: name, location: location,
      isRequired: reading.flag(node, "required") || location == .path,
      isDeprecated: reading.flag(node, "deprecated"),
      style: style,
      explode: node["explode"]?.bool ?? style.explodesByDefault,
      allowReserved: reading.flag(node, "allowReserved"),
      allowEmptyValue: location == .query && reading.flag(node, "allowEmptyValue"),
      schema: node["schema"],
      content: node["schema"] == nil ? content.first : nil,
      examples: examples(node),
      node: node)
    parameters[node.id] = parameter
    return parameter
  }

  /// The style as written where its location has it, else the standard one.
  private mutating func style(_ node: JSON, in location: Parameter.Location) -> Parameter.Style {
    guard let text = reading.string(node, "style"), let style = Parameter.Style(rawValue: text),
      style.isAllowed(in: location, reading.specification)
    else { return .standard(in: location) }
    return style
  }

  /// Response headers, and those of a part of a multipart body; `Content-Type` is described elsewhere and ignored here.
  mutating func headers(_ node: JSON) -> [Header] {
    reading.map(node, "headers").compactMap { member in
      let name = member.name
      guard name.lowercased() != "content-type", let node = reading.object(member.value, "a header") else { return nil }
      if var known = headers[node.id] {
        known.name = name
        return known
      }
      let content = content(node)
      let header = Header(
        name: name, isRequired: reading.flag(node, "required"), explode: node["explode"]?.bool ?? false,
        schema: node["schema"], content: node["schema"] == nil ? content.first : nil, examples: examples(node),
        node: node)
      headers[node.id] = header
      return header
    }
  }
}
