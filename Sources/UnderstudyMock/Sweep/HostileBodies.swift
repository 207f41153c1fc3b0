/// JSON bodies that differ from a valid one in one place.
struct HostileBodies {
  typealias Body = (kind: SweepCase.Kind, pointer: String, value: JSON)

  private let root: JSON
  private let places: [BodyPlace]
  private var random: SeededGenerator

  private struct BodyPlace {
    let path: [String]
    let value: JSON
    let schema: ResolvedSchema
    /// `nil` for the root and for elements.
    let isRequired: Bool?

    var pointer: String { JSONPointer(path).description }

    /// Whether a `type` allows `null`.
    var allowsNull: Bool { schema.types.contains(.null) && schema.has(.type) }
  }

  init(_ root: JSON, schema: ResolvedSchema, seed: String) {
    self.root = root
    random = SeededGenerator(
      state: StableHash.fold(seed.utf8, onto: StableHash.start), isPlain: seed == "0", ordinal: 0)
    var places: [BodyPlace] = []
    Self.collect(root, schema, [], nil, into: &places)
    self.places = places
  }

  /// The most places that are considered, and how deep.
  private static let placeLimit = 500
  private static let depthLimit = 8

  /// Members in the order of the body; of a list, the first element stands for all.
  private static func collect(
    _ value: JSON, _ schema: ResolvedSchema, _ path: [String], _ isRequired: Bool?, into places: inout [BodyPlace]
  ) {
    guard places.count < placeLimit, path.count < depthLimit else { return }
    places.append(BodyPlace(path: path, value: value, schema: schema, isRequired: isRequired))
    for member in value.members {
      collect(
        member.value, schema.property(member.name) ?? schema.other, path + [member.name],
        schema.requirement(of: member.name) != nil, into: &places)
    }
    if let first = value[0] { collect(first, schema.element, path + ["0"], nil, into: &places) }
  }

  var all: [Body] {
    let members = places.filter { $0.isRequired != nil }
    var bodies: [Body] = []
    bodies += changes(.unknownEnum, places) { $0.schema.enumeration == nil ? nil : Self.unlisted($0.value) }
    for (kind, isRequired) in [(SweepCase.Kind.requiredNull, true), (.optionalNull, false)] {
      let places = members.filter { $0.isRequired == isRequired && !$0.value.isNull && !$0.allowsNull }
      bodies += changes(kind, places) { _ in JSON.null }
    }
    bodies += removals(.requiredMissing, members.filter { $0.isRequired == true })
    bodies += removals(.optionalMissing, members.filter { $0.isRequired == false })
    bodies += changes(.additionalMember, Array(places.filter { $0.value.isObject }.prefix(1))) { place in
      .object(place.value.members.map { ($0.name, $0.value) } + [("understudyExtra", ["nested": [1, 2]])])
    }
    bodies += changes(.wrongType, places) { Self.otherType(of: $0.value) }
    bodies += changes(.hugeNumber, places.filter { $0.value.kind == .number }) { _ in Self.huge }
    let lists = places.filter { $0.value.isArray && $0.value.count > 0 }
    bodies += changes(.emptyList, lists) { _ in [] }
    bodies += changes(.duplicateItems, lists) { place in
      .array(Array(place.value.elements) + [place.value[0]].compactMap(\.self))
    }
    bodies += changes(.longList, lists) { place in place.value[0].map { Self.repeated($0) } }
    let texts = places.filter { $0.value.isString }
    let free = texts.filter { !Self.isDate($0) && $0.schema.enumeration == nil }
    bodies += changes(.longText, Array(free.prefix(1))) { place in
      .string(
        String(
          repeating: place.value.text.isEmpty ? "x" : place.value.text,
          count: 1 + 100_000 / max(1, place.value.text.utf8.count)))
    }
    bodies += changes(.otherDate, texts.filter(Self.isDate)) { Self.otherDate($0.value.text) }
    return bodies
  }

  private func changes(
    _ kind: SweepCase.Kind, _ places: [BodyPlace], _ value: (BodyPlace) -> JSON?
  ) -> [Body] {
    selected(places).compactMap { place in
      value(place).map { value in (kind, place.pointer, Self.replacing(root, place.path[...], with: value) ?? value) }
    }
  }

  private func removals(_ kind: SweepCase.Kind, _ places: [BodyPlace]) -> [Body] {
    selected(places).compactMap { place in
      Self.replacing(root, place.path[...], with: nil).map { (kind, place.pointer, $0) }
    }
  }

  /// The first places, or for another seed others of them, in order.
  private func selected(_ places: [BodyPlace]) -> [BodyPlace] {
    var rest = places
    var random = random
    while rest.count > SweepPlan.memberLimit {
      // The plain generator removes from the end.
      rest.remove(at: rest.count - 1 - random.number(below: rest.count))
    }
    return rest
  }

  private static let huge = JSON.make { $0.append(number: Array("123456789012345678901234".utf8)) }

  private static func unlisted(_ value: JSON) -> JSON? {
    switch value.kind {
    case .string: .string("UNDERSTUDY_UNKNOWN")
    case .number: 987_654_321
    default: nil
    }
  }

  private static func otherType(of value: JSON) -> JSON {
    switch value.kind {
    case .string: 12345
    case .number: .string(value.text)
    case .true, .false: .string(value.kind == .true ? "true" : "false")
    case .array: [:]
    case .object: []
    case .null: .string("null")
    }
  }

  /// The longest list, in elements and in bytes.
  private static let listLimit = 10_000
  private static let listByteLimit = 4 << 20

  private static func repeated(_ element: JSON) -> JSON {
    let count = min(listLimit, listByteLimit / max(1, JSONWriter.bytes(element).count))
    return .array(repeatElement(element, count: max(2, count)))
  }

  private static func isDate(_ place: BodyPlace) -> Bool {
    let text = Array(place.value.text.utf8)
    return text.count >= 20 && text[4] == 0x2D && text[7] == 0x2D && text[10] == 0x54 && text[13] == 0x3A
  }

  /// Without a fraction, or with one; `Z` as an offset: both are RFC 3339 too.
  private static func otherDate(_ text: String) -> JSON? {
    guard text.hasSuffix("Z") else { return .string(String(text.prefix(19)) + "Z") }
    let fraction = text.utf8.count > 20 ? "" : ".123456"
    return .string(String(text.prefix(19)) + fraction + "+00:00")
  }

  /// A value with another one, or none, at a path; `nil` if nothing is left.
  private static func replacing(_ value: JSON, _ path: ArraySlice<String>, with new: JSON?) -> JSON? {
    guard let token = path.first else { return new }
    let rest = path.dropFirst()
    if value.isArray {
      return .array(
        value.elements.enumerated().compactMap {
          String($0.offset) == token ? replacing($0.element, rest, with: new) : $0.element
        })
    }
    return .object(
      value.members.compactMap { member in
        (member.name == token ? replacing(member.value, rest, with: new) : member.value).map { (member.name, $0) }
      })
  }
}
