extension Swagger2Reader {
  mutating func securitySchemes() -> [SecurityScheme] {
    reading.map(root, "securityDefinitions").compactMap { member in
      guard let node = reading.object(member.value, "a security scheme"),
        let type = reading.requiredString(node, "type", "security scheme")
      else { return nil }
      return SecurityScheme(name: member.name, kind: kind(type, node), node: node)
    }
  }

  private mutating func kind(_ type: String, _ node: JSON) -> SecurityScheme.Kind {
    switch type {
    case "basic": .http(scheme: "basic")
    case "apiKey": SecurityReader.apiKey(node, &reading)
    case "oauth2": .oauth2
    default: .unknown(type)
    }
  }
}
