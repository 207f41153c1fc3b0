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
