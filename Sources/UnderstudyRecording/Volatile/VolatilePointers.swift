/// The pointers into a body that differ from one pass over a session to the next, though nothing was changed. They have
/// `*` for positions in lists and keys of maps, like a `BodyShape`.
package struct VolatilePointers: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case value
    /// Members of other names: the object is a map.
    case names
    /// Another type, or present in one pass only: nothing at the place or below it counts.
    case shape
  }

  package private(set) var kinds: [String: Kind] = [:]

  package init() {}

  package var isEmpty: Bool { kinds.isEmpty }

  /// In the order of the pointers.
  var sorted: [(pointer: String, kind: Kind)] {
    kinds.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { (pointer: $0.key, kind: $0.value) }
  }

  subscript(pointer: String) -> Kind? { kinds[pointer] }

  /// The stronger of two kinds counts.
  mutating func add(_ kind: Kind, at pointer: String) {
    switch (kinds[pointer], kind) {
    case (.shape, _), (.names, .value): break
    default: kinds[pointer] = kind
    }
  }

  mutating func merge(_ other: VolatilePointers) {
    for (pointer, kind) in other.kinds { add(kind, at: pointer) }
  }

  /// A JSON body with `null` for volatile values, and without volatile members: equal for answers that say the same.
  func masked(_ value: JSON, _ schema: ResolvedSchema) -> [UInt8] {
    JSONWriter.bytes(JSON.make { copy(value, schema, at: "", into: &$0) })
  }

  private func copy(_ value: JSON, _ schema: ResolvedSchema, at pointer: String, into builder: inout JSONBuilder) {
    switch (value.kind, kinds[pointer]) {
    case (_, .shape): builder.append(JSON.Kind.null)
    case (.array, _):
      builder.begin(.array)
      for element in value.elements { copy(element, schema.element, at: pointer + "/*", into: &builder) }
      builder.end()
    case (.object, let kind):
      builder.begin(.object)
      for (index, member) in value.members.enumerated() {
        let place = schema.pointer(of: member.name, at: pointer, isMap: kind == .names)
        guard kinds[place] != .shape else { continue }
        let isKey = kind == .names && schema.property(member.name) == nil
        builder.append(key: isKey ? String(index) : member.name)
        copy(member.value, schema.schema(of: member.name), at: place, into: &builder)
      }
      builder.end()
    case (_, .value): builder.append(JSON.Kind.null)
    default: builder.append(value)
    }
  }

  /// The places of which a condition holds.
  func filtered(_ isIncluded: (String) -> Bool) -> VolatilePointers {
    var filtered = self
    filtered.kinds = kinds.filter { isIncluded($0.key) }
    return filtered
  }
}

extension VolatilePointers {
  /// The differences of two bodies that answer the same request.
  init(_ first: JSON, _ second: JSON, _ schema: ResolvedSchema = .any) { compare(first, second, schema, at: "") }

  /// Recursive, since the parser limits the depth.
  private mutating func compare(_ a: JSON, _ b: JSON, _ schema: ResolvedSchema, at pointer: String) {
    guard kinds.count < BodyShape.factLimit else { return }
    guard Self.type(of: a) == Self.type(of: b) else { return add(.shape, at: pointer) }
    switch a.kind {
    case .array:
      guard (a.count == 0) == (b.count == 0) else { return add(.shape, at: pointer) }
      // Lists of other lengths have no pairs.
      guard a.count == b.count else { return }
      let element = schema.element
      for (one, other) in zip(a.elements, b.elements) { compare(one, other, element, at: pointer + "/*") }
    case .object: compareMembers(a, b, schema, at: pointer)
    default: if a != b { add(.value, at: pointer) }
    }
  }

  private mutating func compareMembers(_ a: JSON, _ b: JSON, _ schema: ResolvedSchema, at pointer: String) {
    let gone = a.members.filter { b[$0.name] == nil && !schema.isKey($0.name) }
    let new = b.members.filter { a[$0.name] == nil && !schema.isKey($0.name) }
    // Generated names, each with a value of the same type.
    let isMap =
      !gone.isEmpty && !new.isEmpty && !(gone + new).contains { schema.property($0.name) != nil }
      && Set((gone + new).map { Self.type(of: $0.value) }).count == 1
    if isMap {
      add(.names, at: pointer)
      for (one, other) in zip(gone, new) { compare(one.value, other.value, schema.other, at: pointer + "/*") }
    } else {
      for member in gone + new { add(.shape, at: schema.pointer(of: member.name, at: pointer, isMap: false)) }
    }
    for member in a.members {
      guard let other = b[member.name] else { continue }
      compare(
        member.value, other, schema.schema(of: member.name),
        at: schema.pointer(of: member.name, at: pointer, isMap: isMap || kinds[pointer] == .names))
    }
  }

  /// True and false are of one type.
  private static func type(of value: JSON) -> JSON.Kind { value.kind == .false ? .true : value.kind }
}

extension ResolvedSchema {
  /// Whether the name of a member is data, so that its object is a map.
  func isKey(_ name: String) -> Bool { property(name) == nil && (describesOthers || VolatileText.isKey(name)) }

  /// The pointer of a member, with `*` for the key of a map; in an `isMap`, all undeclared names are keys.
  func pointer(of name: String, at pointer: String, isMap: Bool) -> String {
    isKey(name) || isMap && property(name) == nil ? pointer + "/*" : "\(pointer)/\(JSONPointer.escape(name))"
  }

  func schema(of name: String) -> ResolvedSchema { property(name) ?? (isKey(name) ? other : .any) }
}
