extension ResolvedSchema {
  private static let formatDepthLimit = 8

  /// Whether the texts of a value have the formats that the schema and those of its parts name, also where the dialect only
  /// annotates them.
  ///
  /// Formats that the engine does not know accept every text. Of alternatives, one is enough.
  package func hasFormats(in value: JSON) -> Bool { hasFormats(in: value, depth: 0) }

  private func hasFormats(in value: JSON, depth: Int) -> Bool {
    guard depth < Self.formatDepthLimit else { return true }
    if value.isString {
      let names = parts.compactMap { $0[.format]?.string }
      let text = Array(value.text.utf8)
      let hasOwn = Format.allCases.filter { format in names.contains { $0.utf8Equals(format.name) } }.allSatisfy {
        format in
        text.withUnsafeBufferPointer { format.accepts($0, isStrict: false) }
      }
      guard hasOwn, let library else { return hasOwn }
      return parts.flatMap { [$0.elements(of: .anyOf), $0.elements(of: .oneOf)] }.allSatisfy { branches in
        let views = branches.map(library.resolved).filter { $0.types.contains(.string) }
        return views.isEmpty || views.contains { $0.hasFormats(in: value, depth: depth + 1) }
      }
    }
    if value.isArray, describesElements {
      let schema = element
      return value.elements.allSatisfy { schema.hasFormats(in: $0, depth: depth + 1) }
    }
    guard value.isObject else { return true }
    return value.members.allSatisfy { member in
      let part = property(member.name) ?? (describesOthers ? other : nil)
      return part?.hasFormats(in: member.value, depth: depth + 1) ?? true
    }
  }
}
