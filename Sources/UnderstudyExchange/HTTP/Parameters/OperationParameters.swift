package struct OperationParameters: Sendable {
  package let decoders: [ParameterDecoder]
  private let queries: [ParameterDecoder]
  private let takesAnyName: Bool

  /// From OpenAPI 3.0 on, parameters for headers of the protocol are ignored (OAS 3.1, 4.8.12.1).
  package init(_ parameters: [Parameter], specification: Specification, schemas: SchemaLibrary) {
    let governed = ["accept", "content-type", "authorization"]
    decoders = parameters.filter { parameter in
      specification == .swagger2 || parameter.location != .header
        || !governed.contains(FieldSyntax.lowercased(parameter.name.utf8))
    }.map { ParameterDecoder($0, specification: specification, schemas: schemas) }
    queries = decoders.filter { $0.parameter.location == .query || $0.parameter.location == .querystring }
    takesAnyName = queries.contains { $0.parameter.location == .querystring || $0.takesAnyName }
  }

  /// The names that a query may have: of parameters, and of the members of exploded objects.
  package var queryNames: [String] {
    queries.flatMap { query in
      query.isExplodedObject ? query.declaration.schema.properties.map(\.name) : [query.parameter.name]
    }
  }

  /// The result of each parameter, in order of declaration.
  package func decode(_ input: ParameterInput) -> [Decoded] {
    decoders.map { decoder in
      decoder.decode(input) { name in
        Preferences.queryNames.contains(name)
          || decoders.contains {
            $0.parameter.location == decoder.parameter.location && $0 !== decoder && $0.owns(name)
          }
      }
    }
  }

  /// Undeclared names in the query, each once, without the mock's own (`__code`) and without those that `decoded` reports
  /// already, such as `tags[]` for `tags`. No version of OpenAPI forbids them. The name of a parameter without a name is empty.
  package func undeclaredNames(in input: ParameterInput, besides decoded: [Decoded] = []) -> [String] {
    guard input.hasQuery, !takesAnyName else { return [] }
    var undeclared: [String] = []
    var seen: Set<WireName> = []
    if input.hasLoneEquals {
      undeclared.append("")
      seen.insert(WireName(""))
    }
    for item in input.query {
      let name = item.name
      guard !queries.contains(where: { $0.owns(name) }), !Preferences.queryNames.contains(name),
        seen.insert(WireName(name)).inserted
      else { continue }
      let isExplained = decoded.contains { $0.problems.contains { !$0.isRecovered && $0.key.utf8Equals(name) } }
      if !isExplained { undeclared.append(name) }
    }
    return undeclared
  }
}

extension ParameterDecoder {
  /// Whether the members of its value are parameters of their own in the query.
  package var isExplodedObject: Bool {
    declaration.forms.first == .object && declaration.explode && style == .form && parameter.content == nil
  }

  /// Whether its members may have undeclared names: an exploded object without `additionalProperties: false`.
  fileprivate var takesAnyName: Bool { isExplodedObject && declaration.schema.describesOthers }

  fileprivate func owns(_ name: String) -> Bool {
    if isExplodedObject { return declaration.member(name) != nil }
    if name.utf8Equals(parameter.name) { return true }
    return style == .deepObject && DeepObjectStyle.keys(of: name, below: parameter.name) != nil
  }
}
