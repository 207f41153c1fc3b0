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
