/// All parameters of one operation, ready to be read.
package struct OperationParameters: Sendable {
  package let decoders: [ParameterDecoder]

  /// From OpenAPI 3.0 on, headers that the protocol itself governs are no parameters (OAS 3.1, 4.8.12.1).
  package init(_ parameters: [Parameter], specification: Specification, resolve: (JSON) -> JSON?) {
    let governed = ["accept", "content-type", "authorization"]
    decoders = parameters.filter { parameter in
      specification == .swagger2 || parameter.location != .header
        || !governed.contains(FieldSyntax.lowercased(parameter.name.utf8))
    }.map { ParameterDecoder($0, specification: specification, resolve: resolve) }
  }

  /// What became of each parameter, in order of declaration.
  package func decode(_ input: ParameterInput) -> [(parameter: Parameter, decoded: Decoded)] {
    decoders.map { decoder in
      let decoded = decoder.decode(input) { name in
        Self.control.contains(name)
          || decoders.contains {
            $0.parameter.location == decoder.parameter.location && !$0.isSame(as: decoder) && $0.owns(name)
          }
      }
      return (decoder.parameter, decoded)
    }
  }

  /// Names in the query that no parameter knows, each once; the mock's own (`__code`) are not counted.
  ///
  /// No version of OpenAPI forbids them, so whether to complain is a matter of taste.
  package func undeclaredNames(in input: ParameterInput) -> [String] {
    guard input.hasQuery else { return [] }
    let queries = decoders.filter { $0.parameter.location == .query || $0.parameter.location == .querystring }
    if queries.contains(where: { $0.parameter.location == .querystring || $0.takesAnyName }) { return [] }
    var seen: Set<[UInt8]> = []
    return input.query.names.filter { name in
      !Self.control.contains(name) && !queries.contains { $0.owns(name) } && seen.insert(Array(name.utf8)).inserted
    }
  }

  private static let control: Set<String> = ["__code", "__example", "__dynamic", "__seed"]
}

extension ParameterDecoder {
  fileprivate func isSame(as other: ParameterDecoder) -> Bool {
    parameter.location == other.parameter.location && parameter.name.utf8.elementsEqual(other.parameter.name.utf8)
  }

  private var isExplodedObject: Bool {
    declaration.shape.forms.first == .object && declaration.explode && style == .form && parameter.content == nil
  }

  /// Whether its members may have names that nobody declared: an exploded object without `additionalProperties: false`.
  fileprivate var takesAnyName: Bool { isExplodedObject && !declaration.shape.others.isEmpty }

  /// Whether a name in the query or the cookies is this parameter's.
  fileprivate func owns(_ name: String) -> Bool {
    if isExplodedObject { return declaration.shape.property(name) != nil }
    if name.utf8.elementsEqual(parameter.name.utf8) { return true }
    return style == .deepObject && DeepObjectStyle.keys(of: name, below: parameter.name) != nil
  }
}
