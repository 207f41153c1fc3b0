/// Resolves the most common references, like `#/components/schemas/x`: through objects and without escapes.
struct PointerCache {
  private var tables: [NodeID: MemberTable] = [:]
  private var lastParent: Parent?

  /// The object of the last reference: most references of a document differ only in their last token.
  private struct Parent {
    let resource: Int
    /// The pointer up to the last token.
    let pointer: [UInt8]
    let object: JSON

    /// The last token of a reference to another member of the object.
    func name(in reference: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
      guard reference.count > pointer.count else { return nil }
      let start = UnsafeBufferPointer(rebasing: reference[..<pointer.count])
      guard pointer.withUnsafeBufferPointer({ utf8Equals($0, start) }) else { return nil }
      let name = UnsafeBufferPointer(rebasing: reference[pointer.count...])
      let isPlain = name.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "%") }
      return isPlain ? name : nil
    }
  }

  /// The target of a reference; `nil` for other kinds of references.
  mutating func node(at reference: UnsafeBufferPointer<UInt8>, in resource: Int, root: JSON) -> Int? {
    if let parent = lastParent, parent.resource == resource, let name = parent.name(in: reference) {
      return member(name, of: parent.object)
    }
    guard reference.count >= 2, reference[0] == UInt8(ascii: "#"), reference[1] == UInt8(ascii: "/") else { return nil }
    guard !reference.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "~") }) else { return nil }
    let nameStart = (reference.lastIndex(of: UInt8(ascii: "/")) ?? 1) + 1
    let pointer = UnsafeBufferPointer(rebasing: reference[..<nameStart])
    var object = root
    for token in pointer.dropFirst(2).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast() {
      guard let next = member(UnsafeBufferPointer(rebasing: token), of: object) else { return nil }
      object = JSON(document: root.document, index: next)
    }
    lastParent = Parent(resource: resource, pointer: Array(pointer), object: object)
    return member(UnsafeBufferPointer(rebasing: reference[nameStart...]), of: object)
  }

  /// The value of an object's member. Large objects get a table, since most references lead into the same few objects.
  private mutating func member(_ name: UnsafeBufferPointer<UInt8>, of object: JSON) -> Int? {
    guard object.count >= MemberTable.minimumCount, object.document.duplicates.isEmpty else {
      return object.member(utf8: name)?.value.index
    }
    if let table = tables[object.id] { return table.value(of: name, in: object.document) }
    let table = MemberTable(object)
    tables[object.id] = table
    return table.value(of: name, in: object.document)
  }
}
