/// A place with a schema in both versions.
struct SchemaPlace {
  /// The words of messages: `request body`.
  var name: String
  var direction: Direction
  var operation: Operation
  var status: String?
  /// The node of the new contract to point to if the difference has none.
  var node: JSON
  var text = Text.none
  /// Whether the default of the whole is a difference of its own.
  var hasOwnDefault = false

  /// The values that are strings on the wire, so that a string accepts each number.
  enum Text {
    case none
    /// A parameter or a header: a value, or the elements of an array or the members of an object.
    case whole
    /// The members of an object, and their elements.
    case members
  }

  /// Whether a difference has no effect on the wire.
  func isIgnored(_ difference: SchemaDifference, _ side: SchemaSide) -> Bool {
    if hasOwnDefault, difference.kind == .default, difference.path.isEmpty { return true }
    // `null` cannot be written.
    if difference.kind == .null, isText(at: difference.path) { return true }
    guard difference.kind == .type, isText(at: difference.path), let witness = difference.witness,
      let value = Self.value(at: difference.path[...], of: witness)
    else { return false }
    guard [.number, .true, .false].contains(value.kind), let schema = difference.acceptingSchema(side) else {
      return false
    }
    return side.variants(of: [schema])?.list.contains { variant in
      variant.types.contains(.string) && variant.listed == nil
        && [Keyword.pattern, .minLength, .maxLength].allSatisfy { variant.keyword($0) == nil }
        && variant.formats.allSatisfy { !side.assertsFormat($0.part, $0.name) }
    } == true
  }

  private func isText(at path: [String]) -> Bool {
    switch text {
    case .none: false
    case .whole: path.count <= 1
    case .members: path.count == 1 || path.count == 2 && path[1] == "*"
    }
  }

  private static func value(at path: ArraySlice<String>, of value: JSON) -> JSON? {
    guard let name = path.first else { return value }
    let next =
      name == "*" ? value.elements.first { _ in true } ?? value.members.first { _ in true }?.value : value[name]
    return next.flatMap { Self.value(at: path.dropFirst(), of: $0) }
  }
}

extension SchemaDifference {
  /// The schema around the `type` that refuses values.
  fileprivate func acceptingSchema(_ side: SchemaSide) -> JSON? {
    guard let sup else { return nil }
    guard !sup.isObject else { return sup }
    return sup.document.root[JSONPointer(Array(sup.pointer.tokens.dropLast()))]
  }
}
