import JSONSchema

/// One Parameter Object of Swagger 2.0, whatever becomes of it: a parameter, a body, or a property of a form.
struct Swagger2Input {
  enum Place: String, CaseIterable { case path, query, header, body, formData }

  var name: String
  var place: Place
  var node: JSON

  /// What makes two of them the same.
  var identity: Identity { Identity(place: place, name: Array((place == .header ? name.lowercased() : name).utf8)) }

  struct Identity: Hashable {
    var place: Place
    var name: [UInt8]
  }
}

extension Swagger2Reader {
  /// The inputs of an operation: its own, and those of the path item that it does not replace.
  mutating func inputs(shared: [JSON], own: [JSON]) -> [Swagger2Input] {
    let own = inputs(own)
    let replaced = Set(own.map(\.identity))
    return inputs(shared).filter { !replaced.contains($0.identity) } + own
  }

  private mutating func inputs(_ list: [JSON]) -> [Swagger2Input] {
    var seen: Set<Swagger2Input.Identity> = []
    return list.compactMap { value in
      guard let input = input(value), seen.insert(input.identity).inserted else { return nil }
      return input
    }
  }

  private mutating func input(_ value: JSON) -> Swagger2Input? {
    guard let node = reading.object(value, "a parameter"),
      let name = reading.requiredString(node, "name", "parameter"),
      let text = reading.requiredString(node, "in", "parameter")
    else { return nil }
    guard let place = Swagger2Input.Place(rawValue: text) else {
      let names = Swagger2Input.Place.allCases.map(\.rawValue)
      reading.report(
        Diagnostic(
          .specType, "a parameter is in \(names.joined(separator: ", ")), not in `\(text)`", at: node["in"] ?? node,
          help: Suggestion.phrase(for: text, among: names)))
      return nil
    }
    return Swagger2Input(name: name, place: place, node: node)
  }

  /// A path, query or header parameter; `nil` for what belongs to the body.
  mutating func parameter(_ input: Swagger2Input) -> Parameter? {
    guard let location = Parameter.Location(rawValue: input.place.rawValue) else { return nil }
    let node = input.node
    if let known = parameters[node.id] { return known }
    let (style, explode) = CollectionFormat.style(of: node, in: location)
    let parameter = Parameter(
      name: input.name, location: location, isRequired: reading.flag(node, "required") || location == .path,
      isDeprecated: false, style: style, explode: explode, allowReserved: false,
      allowEmptyValue: location == .query && reading.flag(node, "allowEmptyValue"),
      schema: node, content: nil, examples: ExtensionExamples.read(node), node: node)
    parameters[node.id] = parameter
    return parameter
  }
}

/// `collectionFormat` in terms of 3.x styles.
enum CollectionFormat {
  static func style(of node: JSON, in location: Parameter.Location) -> (style: Parameter.Style, explode: Bool) {
    let standard = Parameter.Style.standard(in: location)
    switch node["collectionFormat"]?.string {
    case "ssv": return (.spaceDelimited, false)
    case "tsv": return (.tabDelimited, false)
    case "pipes": return (.pipeDelimited, false)
    case "multi" where location == .query: return (.form, true)
    default: return (standard, false)
    }
  }
}

/// The examples that Swagger 2.0 has no place for, where people put them: `x-example` and the named `x-examples`.
enum ExtensionExamples {
  static func read(_ node: JSON) -> [Example] {
    var result: [Example] = []
    if let value = node["x-example"] {
      result.append(Example(name: nil, summary: nil, value: .data(value), node: value))
    }
    for member in node["x-examples"]?.distinctMembers ?? [] {
      result.append(Example(name: member.name, summary: nil, value: .data(member.value), node: member.value))
    }
    return result
  }
}
