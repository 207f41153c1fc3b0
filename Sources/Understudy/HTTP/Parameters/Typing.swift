/// Turns split text into values of the declared types.
///
/// Text says nothing of its type, so a schema that allows several is given several readings: the narrowest type that fits
/// (integer, number, boolean, null for empty text), and plain text.
struct Typing {
  let declaration: WireDeclaration

  /// The readings of a value, likeliest first, each once.
  func readings(_ raw: RawValue) throws(DecodingProblem) -> [JSON] {
    var isAmbiguous = false
    let typed = try read(raw, declaration.shape, prefersText: false, at: "", &isAmbiguous)
    guard isAmbiguous else { return [typed] }
    return [typed, try read(raw, declaration.shape, prefersText: true, at: "", &isAmbiguous)]
  }

  private func read(
    _ raw: RawValue, _ shape: SchemaShape, prefersText: Bool, at place: String, _ isAmbiguous: inout Bool
  ) throws(DecodingProblem) -> JSON {
    switch raw {
    case .value(let value): return value
    case .text(let bytes): return try read(bytes, shape, prefersText, place, &isAmbiguous)
    case .list(let values):
      var elements: [JSON] = []
      for (position, value) in values.enumerated() {
        elements.append(
          try read(value, shape.element, prefersText: prefersText, at: "\(place), item \(position + 1)", &isAmbiguous))
      }
      return .array(elements)
    case .members(let members):
      var values: [(String, JSON)] = []
      for (name, value) in members {
        let inner = shape.property(name) ?? shape.other
        values.append(
          (name, try read(value, inner, prefersText: prefersText, at: "\(place), member `\(name)`", &isAmbiguous)))
      }
      return .object(values)
    }
  }

  private func read(
    _ bytes: [UInt8], _ shape: SchemaShape, _ prefersText: Bool, _ place: String, _ isAmbiguous: inout Bool
  ) throws(DecodingProblem) -> JSON {
    let types = shape.types
    if types != .all, types.isDisjoint(with: .primitive), !types.isDisjoint(with: [.array, .object]) {
      if declaration.specification == .swagger2, types.contains(.array) {
        return try nested(bytes, shape, prefersText, place, &isAmbiguous)
      }
      // No style nests further, so a value inside a value can only be JSON.
      return try declaration.json(try declaration.decode(bytes), at: place)
    }
    let text = try declaration.decode(bytes)
    if let value = Self.value(of: text, types, prefersText: prefersText) {
      isAmbiguous = isAmbiguous || (!value.isString && types.contains(.string))
      return value
    }
    let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
    throw declaration.problem(
      .type, "the \(declaration.label)\(place) is `\(shown)`, which is no \(shape.typeNames)")
  }

  /// The value of a text under some types; `nil` when none fits.
  static func value(of text: String, _ types: SchemaShape.Types, prefersText: Bool) -> JSON? {
    if prefersText, types.contains(.string) { return .string(text) }
    if !types.isDisjoint(with: [.integer, .number]), JSONNumber.isValid(text.utf8),
      types.contains(.number) || isInteger(text.utf8)
    {
      return .make { $0.append(number: text.utf8) }
    }
    if types.contains(.boolean), text == "true" || text == "false" { return JSON(booleanLiteral: text == "true") }
    if types.contains(.string) { return .string(text) }
    guard types.contains(.null), text.isEmpty else { return nil }
    return JSON(nilLiteral: ())
  }

  /// `-?(0|[1-9][0-9]*)`, given that it is a number.
  private static func isInteger(_ text: some Sequence<UInt8>) -> Bool {
    text.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: "-") }
  }

  /// Swagger 2.0: `items` have a delimiter of their own.
  private func nested(
    _ bytes: [UInt8], _ shape: SchemaShape, _ prefersText: Bool, _ place: String, _ isAmbiguous: inout Bool
  ) throws(DecodingProblem) -> JSON {
    let parts = DelimitedStyle.split(bytes, at: shape.delimiter, declaration.coding)
    return try read(.list(parts.map { .text($0) }), shape, prefersText: prefersText, at: place, &isAmbiguous)
  }
}
