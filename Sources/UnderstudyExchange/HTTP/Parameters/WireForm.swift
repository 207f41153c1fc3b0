package enum WireForm: Sendable { case primitive, array, object }

extension ResolvedSchema {
  /// The possible forms of a value, likeliest first.
  package var forms: [WireForm] {
    if types == .any { return !properties.isEmpty ? [.object] : describesElements ? [.array] : [.primitive] }
    var forms: [WireForm] = []
    if types.contains(.object) { forms.append(.object) }
    if types.contains(.array) { forms.append(.array) }
    if !types.isDisjoint(with: .primitive) || forms.isEmpty { forms.append(.primitive) }
    return forms
  }

  /// The delimiter of a Swagger 2.0 array inside another.
  var delimiter: UInt8 {
    switch parts.lazy.compactMap({ $0.schema["collectionFormat"]?.string }).first {
    case "ssv": UInt8(ascii: " ")
    case "tsv": UInt8(ascii: "\t")
    case "pipes": UInt8(ascii: "|")
    default: UInt8(ascii: ",")
    }
  }
}
