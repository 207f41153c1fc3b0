/// `color=blue&color=black`; not exploded `color=blue,black`; objects `R=100&G=200` or `color=R,100,G,200`.
enum FormStyle {
  /// `claimed` are the names of other declarations, which an exploded object does not take.
  static func split(
    _ pairs: WirePairs, as form: WireForm, _ declaration: WireDeclaration, delimiter: UInt8? = nil,
    claimed: (String) -> Bool, _ notes: inout [DecodingProblem]
  ) throws(DecodingProblem) -> SerializedValue? {
    if form == .object, declaration.explode, delimiter == nil {
      return explodedObject(pairs, declaration, claimed, &notes)
    }
    let items = pairs.values(of: declaration.name)
    guard let first = items.first else { return nil }
    if form == .array, declaration.explode, delimiter == nil {
      if items.count == 1 {
        if let value = first.value, value.isArray, declaration.element.forms.first != .array {
          return .value(value)  // One JSON part for the whole list: not as specified, but unambiguous.
        }
        if first.value == nil { try WrongStyle.check(sole: first.raw, declaration, &notes) }
      }
      guard declaration.coding == .percent else { return .repeated(items) }
      return .list(items.flatMap { splitCookie($0.raw, declaration).map { .text($0) } })
    }
    if items.count > 1 {
      guard form == .primitive else { throw WrongStyle.repeatedKey(declaration, delimiter) }
      notes.append(
        declaration.problem(
          .duplicate, "the \(declaration.label) was sent \(items.count) times; the first value was validated",
          isRecovered: true))
    }
    if form != .primitive { try WrongStyle.check(json: first.raw, declaration) }
    if let delimiter { return try DelimitedStyle.split(first.raw, at: delimiter, as: form, declaration) }
    switch form {
    case .primitive: return first.rawValue
    case .array: return .list(first.raw.parts(at: UInt8(ascii: ",")).map { .text($0) })
    case .object: return try declaration.members(alternating: first.raw.parts(at: UInt8(ascii: ",")))
    }
  }

  /// Declared names, and others if the schema allows them and no other parameter claims them.
  private static func explodedObject(
    _ pairs: WirePairs, _ declaration: WireDeclaration, _ claimed: (String) -> Bool, _ notes: inout [DecodingProblem]
  ) -> SerializedValue? {
    let schema = declaration.schema
    // An undeclared key alone, such as a cache buster, is not an object.
    let isThere = schema.properties.isEmpty || pairs.contains { declaration.member($0.name) != nil }
    guard isThere else { return nil }
    var members: [(name: String, value: SerializedValue)] = []
    var seen: Set<[UInt8]> = []
    for item in pairs {
      let name = item.name
      let property = declaration.member(name)
      guard property != nil || (schema.closure == nil && !claimed(name)) else { continue }
      guard seen.insert(Array(name.utf8)).inserted else { continue }
      let values = pairs.values(of: name)
      if property?.forms.first == .array {
        members.append((name, .repeated(values)))
      } else {
        if values.count > 1 {
          notes.append(
            DecodingProblem(
              .duplicate, name, "`\(name)` was sent \(values.count) times; the first value was validated",
              isRecovered: true))
        }
        members.append((name, item.rawValue))
      }
    }
    return members.isEmpty ? nil : .members(members)
  }

  /// RFC 6570 joins the items of an exploded cookie by `&`; browsers keep that inside one cookie (appendix D).
  private static func splitCookie(_ raw: ArraySlice<UInt8>, _ declaration: WireDeclaration) -> [ArraySlice<UInt8>] {
    let prefix = Array(declaration.name.utf8) + [UInt8(ascii: "=")]
    return raw.parts(at: UInt8(ascii: "&")).map { $0.starts(with: prefix) ? $0.dropFirst(prefix.count) : $0 }
  }
}
