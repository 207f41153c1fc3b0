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
