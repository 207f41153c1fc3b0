/// Copies a value, keeping of duplicate names the last.
enum UniqueMembers {
  static func copy(_ value: JSON) -> JSON {
    var builder = JSONBuilder(withRanges: value.document.ranges != nil)
    append(value, to: &builder)
    return builder.finish(source: value.document.source).root
  }

  private static func append(_ value: JSON, to builder: inout JSONBuilder) {
    switch value.kind {
    case .array:
      builder.begin(.array, at: value.range)
      for element in value.elements { append(element, to: &builder) }
      builder.end(upTo: value.range?.upperBound)
    case .object:
      var last: [[UInt8]: Int] = [:]
      for member in value.members { last[bytes(of: member.key)] = member.key.index }
      builder.begin(.object, at: value.range)
      for member in value.members where last[bytes(of: member.key)] == member.key.index {
        builder.append(key: bytes(of: member.key), at: member.key.range)
        append(member.value, to: &builder)
      }
      builder.end(upTo: value.range?.upperBound)
    case .null, .false, .true, .number, .string: builder.append(value)
    }
  }

  private static func bytes(of key: JSON) -> [UInt8] { key.document.withBytes(of: key.index) { Array($0) } }
}
