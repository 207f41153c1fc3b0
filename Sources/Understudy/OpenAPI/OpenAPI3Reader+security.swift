extension OpenAPI3Reader {
  /// The `security` of the root or an operation; `nil` when it has none, which is not the same as an empty list.
  mutating func security(_ node: JSON) -> [SecurityRequirement]? { SecurityReader.requirements(node, &reading) }

  /// `components.securitySchemes`; names count from the entry document, whatever file uses them (appendix F).
  mutating func securitySchemes() -> [SecurityScheme] {
    guard let value = root["components"], let components = reading.object(value, "`components`") else { return [] }
    return reading.map(components, "securitySchemes").compactMap { member in
      guard let node = reading.object(member.value, "a security scheme"),
        let type = reading.requiredString(node, "type", "security scheme")
      else { return nil }
      return SecurityScheme(name: member.name, kind: kind(type, node), node: node)
    }
  }

  private mutating func kind(_ type: String, _ node: JSON) -> SecurityScheme.Kind {
    switch type {
    case "apiKey": return SecurityReader.apiKey(node, &reading)
    case "http":
      return .http(
        scheme: (reading.requiredString(node, "scheme", "security scheme of type `http`") ?? "").lowercased())
    case "oauth2": return .oauth2
    case "openIdConnect": return .openIdConnect
    case "mutualTLS" where reading.specification >= .openAPI31: return .mutualTLS
    default: return .unknown(type)
    }
  }
}

/// What security looks like in every version.
enum SecurityReader {
  static func requirements(_ node: JSON, _ reading: inout Reading) -> [SecurityRequirement]? {
    guard let value = node["security"], !value.isNull else { return nil }
    guard value.isArray else {
      reading.report(reading.mismatch(value, "`security` is an array"))
      return nil
    }
    return value.elements.compactMap { value in
      guard let node = reading.object(value, "a security requirement") else { return nil }
      return SecurityRequirement(
        schemes: node.distinctMembers.map { member in
          (member.name, member.value.elements.compactMap(\.string))
        }, node: node)
    }
  }

  static func apiKey(_ node: JSON, _ reading: inout Reading) -> SecurityScheme.Kind {
    guard let name = reading.requiredString(node, "name", "security scheme of type `apiKey`"),
      let place = reading.requiredString(node, "in", "security scheme of type `apiKey`")
    else { return .unknown("apiKey") }
    let known: [Parameter.Location] =
      reading.specification == .swagger2 ? [.query, .header] : [.query, .header, .cookie]
    guard let location = known.first(where: { $0.rawValue == place }) else {
      reading.report(
        Diagnostic(
          .specType, "an API key is in \(known.map(\.rawValue).joined(separator: ", ")), not in `\(place)`",
          at: node["in"] ?? node))
      return .unknown("apiKey")
    }
    return .apiKey(name: name, in: location)
  }
}
