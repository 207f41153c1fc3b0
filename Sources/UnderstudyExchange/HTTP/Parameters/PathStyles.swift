/// `blue,black,brown`; `R,100,G,200`; exploded `R=100,G=200` (paths and header fields).
enum SimpleStyle {
  static func split(
    _ raw: ArraySlice<UInt8>, as form: WireForm, _ declaration: WireDeclaration
  ) throws(DecodingProblem) -> SerializedValue {
    if form == .primitive { return .text(raw) }
    // White space around commas is allowed only in header fields (RFC 9110, section 5.6.1).
    let parts = raw.parts(at: UInt8(ascii: ",")).map {
      declaration.coding == .verbatim ? FieldSyntax.trimmed($0) : $0
    }
    if form == .array { return .list(parts.map { .text($0) }) }
    return declaration.explode ? try declaration.members(assigned: parts) : try declaration.members(alternating: parts)
  }
}

/// `.blue`; `.blue,black`; exploded `.blue.black` and `.R=100.G=200` (paths).
enum LabelStyle {
  static func split(
    _ raw: ArraySlice<UInt8>, as form: WireForm, _ declaration: WireDeclaration
  ) throws(DecodingProblem) -> SerializedValue {
    let rest = try declaration.content(of: raw, style: "label", start: ".")
    if form == .primitive { return .text(rest) }
    // The table of OpenAPI 3.0.0 to 3.0.3 showed dots even without explode; later versions show commas.
    let hasOldDots = declaration.specification <= .openAPI30 && !rest.contains(UInt8(ascii: ","))
    let parts = rest.parts(at: declaration.explode || hasOldDots ? UInt8(ascii: ".") : UInt8(ascii: ","))
    if form == .array { return .list(parts.map { .text($0) }) }
    return declaration.explode ? try declaration.members(assigned: parts) : try declaration.members(alternating: parts)
  }
}

/// `;color=blue`; `;color=blue,black`; exploded `;color=blue;color=black` and `;R=100;G=200` (paths).
enum MatrixStyle {
  static func split(
    _ raw: ArraySlice<UInt8>, as form: WireForm, _ declaration: WireDeclaration
  ) throws(DecodingProblem) -> SerializedValue {
    let parts = try declaration.content(of: raw, style: "matrix", start: ";").parts(at: UInt8(ascii: ";"))
    if form == .object, declaration.explode { return try declaration.members(assigned: parts) }
    var values: [ArraySlice<UInt8>] = []
    for part in parts {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let name = try declaration.decode(part[..<equals])
      guard name.utf8.elementsEqual(declaration.name.utf8) else {
        throw declaration.problem(
          .style, "the \(declaration.label) has style matrix; expected `;\(declaration.name)=`, not `;\(name)`")
      }
      values.append(part[min(equals + 1, part.endIndex)...])
    }
    if form == .array, declaration.explode { return .list(values.map { .text($0) }) }
    guard let value = values.first, values.count == 1 else {
      throw declaration.problem(.style, "the \(declaration.label) occurs more than once, but is not exploded")
    }
    switch form {
    case .primitive: return .text(value)
    case .array: return .list(value.parts(at: UInt8(ascii: ",")).map { .text($0) })
    case .object: return try declaration.members(alternating: value.parts(at: UInt8(ascii: ",")))
    }
  }
}
