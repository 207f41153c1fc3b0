/// The edits that sort the members of JSON objects in the order of their schema's `properties`.
struct MemberOrder {
  let text: [UInt8]
  private(set) var edits: [TextEdit] = []

  private static let depthLimit = 64

  init(_ text: [UInt8]) { self.text = text }

  /// Sorts from the outside in: the members of a moved object are sorted in the next round.
  mutating func sort(_ value: JSON, by schema: ResolvedSchema, depth: Int = 0) {
    guard depth < Self.depthLimit else { return }
    if value.isArray {
      guard schema.describesElements else { return }
      for element in value.elements { sort(element, by: schema.element, depth: depth + 1) }
      return
    }
    guard value.isObject else { return }
    if let edit = edit(value, schema.declaredProperties.map(\.name)) {
      edits.append(edit)
      return
    }
    for member in value.members {
      if let property = schema.declaredProperty(member.name) { sort(member.value, by: property, depth: depth + 1) }
    }
  }

  /// Only members move; line breaks and commas between them stay.
  private func edit(_ object: JSON, _ order: [String]) -> TextEdit? {
    let members = Array(object.members)
    let ranks = Dictionary(order.enumerated().map { (Array($1.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    let places = members.enumerated().map { (ranks[$1.key.bytes] ?? order.count, $0) }
    let sorted = places.sorted { $0 < $1 }
    guard sorted.map(\.1) != Array(members.indices) else { return nil }
    let ranges = members.compactMap { member -> Range<Int>? in
      guard let start = member.key.range?.lowerBound, let end = member.value.range?.upperBound else { return nil }
      return start..<end
    }
    guard ranges.count == members.count, let first = ranges.first, let last = ranges.last else { return nil }
    var result: [UInt8] = []
    for (position, source) in sorted.map(\.1).enumerated() {
      result += text[ranges[source]]
      if position + 1 < ranges.count { result += text[ranges[position].upperBound..<ranges[position + 1].lowerBound] }
    }
    return TextEdit(first.lowerBound..<last.upperBound, result)
  }
}
