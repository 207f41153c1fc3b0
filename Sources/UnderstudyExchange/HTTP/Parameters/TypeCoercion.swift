/// Turns split text into values of the declared types.
///
/// Text has no type, so under a schema that allows several types it has several readings: the narrowest type that fits
/// (integer, number, boolean, null for empty text), and plain text.
package struct TypeCoercion {
  let declaration: WireDeclaration
  private let coding: WireCoding

  /// - Parameter coding: How the text is encoded: as the declaration has it, or plain.
  init(_ declaration: WireDeclaration, _ coding: WireCoding) {
    (self.declaration, self.coding) = (declaration, coding)
  }

  /// The readings of a value, likeliest first, each once.
  func readings(_ raw: SerializedValue) throws(DecodingProblem) -> [JSON] {
    var isAmbiguous = false
    let typed = try reading(raw, prefersText: false, &isAmbiguous)
    guard isAmbiguous else { return [typed] }
    return [typed, try reading(raw, prefersText: true, &isAmbiguous)]
  }

  private func reading(
    _ raw: SerializedValue, prefersText: Bool, _ isAmbiguous: inout Bool
  ) throws(DecodingProblem) -> JSON {
    if case .value(let value) = raw { return value }
    var builder = JSONBuilder()
    try write(raw, prefersText: prefersText, to: &builder, &isAmbiguous)
    return builder.finish().root
  }

  /// Writes one reading as the next value of a document; when it throws, the caller must rewind the builder.
  func write(
    _ raw: SerializedValue, prefersText: Bool, to builder: inout JSONBuilder, _ isAmbiguous: inout Bool
  ) throws(DecodingProblem) {
    var walk = Walk(prefersText: prefersText)
    switch raw {
    case .list(let values): try write(list: values, declaration.element, &builder, &walk)
    case .repeated(let items):
      try write(list: items.lazy.map(\.rawValue), declaration.element, &builder, &walk)
    case .text, .members, .value: try write(raw, declaration.schema, &builder, &walk)
    }
    if walk.isAmbiguous { isAmbiguous = true }
  }

  private struct Walk {
    let prefersText: Bool
    var isAmbiguous = false
    /// The steps from the value of the parameter to the one that is written. The last one is apart: mostly it is the only one.
    private var path: [Step] = []
    private var last: Step?

    enum Step { case member(String), item(Int) }

    init(prefersText: Bool) { self.prefersText = prefersText }

    mutating func enter(_ step: Step) {
      if let last { path.append(last) }
      last = step
    }

    mutating func leave() { last = path.popLast() }

    /// For messages.
    var place: String {
      (path + (last.map { [$0] } ?? [])).map { step in
        switch step {
        case .member(let name): ", member `\(name)`"
        case .item(let number): ", item \(number)"
        }
      }.joined()
    }
  }

  private func write(
    _ raw: SerializedValue, _ schema: ResolvedSchema, _ builder: inout JSONBuilder, _ walk: inout Walk
  ) throws(DecodingProblem) {
    switch raw {
    case .value(let value): builder.append(value)
    case .text(let bytes): try write(bytes, schema, &builder, &walk)
    case .list(let values): try write(list: values, schema.element, &builder, &walk)
    case .repeated(let items): try write(list: items.lazy.map(\.rawValue), schema.element, &builder, &walk)
    case .members(let members):
      builder.begin(.object)
      for (name, value) in members {
        builder.append(key: name)
        walk.enter(.member(name))
        try write(value, schema.property(name) ?? declaration.patterned(name) ?? schema.other, &builder, &walk)
        walk.leave()
      }
      builder.end()
    }
  }

  private func write(
    list values: some Sequence<SerializedValue>, _ element: ResolvedSchema, _ builder: inout JSONBuilder,
    _ walk: inout Walk
  ) throws(DecodingProblem) {
    builder.begin(.array)
    var position = 0
    for value in values {
      position += 1
      walk.enter(.item(position))
      try write(value, element, &builder, &walk)
      walk.leave()
    }
    builder.end()
  }

  private func write(
    _ raw: ArraySlice<UInt8>, _ schema: ResolvedSchema, _ builder: inout JSONBuilder, _ walk: inout Walk
  ) throws(DecodingProblem) {
    let types = schema.types
    if types.isDisjoint(with: .primitive), !types.isDisjoint(with: .composite) {
      if declaration.specification == .swagger2, types.contains(.array) {
        // `items` have a delimiter of their own.
        let parts = DelimitedStyle.split(raw, at: schema.delimiter, declaration.coding)
        return try write(.list(parts.map { .text($0) }), schema, &builder, &walk)
      }
      // Styles do not nest, so a value inside a value can only be JSON.
      return builder.append(try declaration.json(try declaration.decode(raw), at: walk.place))
    }
    let text = try coding.bytes(of: raw, key: declaration.name)
    guard let kind = Self.kind(of: text, types, prefersText: walk.prefersText) else {
      let shown = String(String.UnicodeScalarView(String(decoding: text, as: UTF8.self).unicodeScalars.prefix(60)))
      throw declaration.problem(
        .type, "the \(declaration.label)\(walk.place) must be \(Self.phrase(types)), found `\(shown)`")
    }
    if kind != .string, types.contains(.string) { walk.isAmbiguous = true }
    Self.write(text, as: kind, to: &builder)
  }

  /// `an integer or null`
  private static func phrase(_ types: JSONTypeSet) -> String {
    types.names.map { $0 == "null" ? $0 : "aio".contains($0.prefix(1)) ? "an \($0)" : "a \($0)" }.joined(
      separator: " or ")
  }

  /// The value of a text under some types; `nil` when none fits.
  package static func value(of text: String, _ types: JSONTypeSet, prefersText: Bool) -> JSON? {
    let text = ArraySlice(text.utf8)
    return kind(of: text, types, prefersText: prefersText).map { kind in .make { write(text, as: kind, to: &$0) } }
  }

  private static func write(_ text: ArraySlice<UInt8>, as kind: JSON.Kind, to builder: inout JSONBuilder) {
    switch kind {
    case .number: builder.append(decimal: text)
    case .string: builder.append(text: text)
    default: builder.append(kind)
    }
  }

  private static func kind(
    of text: ArraySlice<UInt8>, _ types: JSONTypeSet, prefersText: Bool
  ) -> JSON.Kind? {
    if prefersText, types.contains(.string) { return .string }
    if !types.isDisjoint(with: .number), JSONNumber.isValid(text),
      types.contains(.number) || isInteger(text)
    {
      return .number
    }
    if types.contains(.boolean) {
      if text.elementsEqual("true".utf8) { return .true }
      if text.elementsEqual("false".utf8) { return .false }
    }
    if types.contains(.string) { return .string }
    return types.contains(.null) && text.isEmpty ? .null : nil
  }

  /// `-?(0|[1-9][0-9]*)`, given that it is a number.
  private static func isInteger(_ text: ArraySlice<UInt8>) -> Bool {
    text.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: "-") }
  }
}
