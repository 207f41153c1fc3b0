/// Resolves the most common references, like `#/components/schemas/x`: through objects and without escapes.
struct PointerCache {
  private var tables: [NodeID: MemberTable] = [:]
  private var lastParent: Parent?

  /// The object of the last reference: most references of a document differ only in their last token.
  private final class Parent {
    let resource: Int
    /// The pointer up to the last token.
    let pointer: [UInt8]
    let object: JSON
    let table: MemberTable?

    init(resource: Int, pointer: [UInt8], object: JSON, table: MemberTable?) {
      self.resource = resource
      self.pointer = pointer
      self.object = object
      self.table = table
    }

    /// The last token of a reference to another member of the object.
    func name(in reference: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
      guard reference.count > pointer.count else { return nil }
      let start = UnsafeBufferPointer(rebasing: reference[..<pointer.count])
      guard pointer.withUnsafeBufferPointer({ utf8Equals($0, start) }) else { return nil }
      let name = UnsafeBufferPointer(rebasing: reference[pointer.count...])
      let isPlain = name.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "%") }
      return isPlain ? name : nil
    }

    func member(_ name: UnsafeBufferPointer<UInt8>) -> Int? { PointerCache.member(name, of: object, table) }
  }

  /// The target of a reference; `nil` for other kinds of references.
  mutating func node(at reference: UnsafeBufferPointer<UInt8>, in resource: Int, root: JSON) -> Int? {
    if let parent = lastParent, parent.resource == resource, let name = parent.name(in: reference) {
      return parent.member(name)
    }
    guard reference.count >= 2, reference[0] == UInt8(ascii: "#"), reference[1] == UInt8(ascii: "/") else { return nil }
    guard !reference.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "~") }) else { return nil }
    let nameStart = (reference.lastIndex(of: UInt8(ascii: "/")) ?? 1) + 1
    let pointer = UnsafeBufferPointer(rebasing: reference[..<nameStart])
    var object = root
    for token in pointer.dropFirst(2).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast() {
      guard let next = Self.member(UnsafeBufferPointer(rebasing: token), of: object, table(of: object)) else {
        return nil
      }
      object = JSON(document: root.document, index: next)
    }
    let parent = Parent(resource: resource, pointer: Array(pointer), object: object, table: table(of: object))
    lastParent = parent
    return parent.member(UnsafeBufferPointer(rebasing: reference[nameStart...]))
  }

  /// The table of a large object: most references lead into the same few objects.
  private mutating func table(of object: JSON) -> MemberTable? {
    guard object.count >= MemberTable.minimumCount, object.document.duplicates.isEmpty else { return nil }
    if let table = tables[object.id] { return table }
    let table = MemberTable(object)
    tables[object.id] = table
    return table
  }

  /// The value of an object's member.
  private static func member(_ name: UnsafeBufferPointer<UInt8>, of object: JSON, _ table: MemberTable?) -> Int? {
    if let table { return table.value(of: name, in: object.document) }
    return object.member(utf8: name)?.value.index
  }
}
