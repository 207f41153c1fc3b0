/// A value of a contract under change: a node of a file, with children of its own once they may change.
///
/// A class, since an action changes values inside others in place.
final class OverlaidValue {
  /// The node with the kind, the position and, unless it has children, the value.
  private(set) var node: JSON
  private var children: [Child]?
  private var isRemoved = false

  struct Child {
    let key: JSON?
    let value: OverlaidValue
  }

  /// A selected value.
  struct Target {
    let value: OverlaidValue
    let parent: OverlaidValue?
    /// The number of values around it.
    let depth: Int
  }

  init(_ node: JSON) { self.node = node }

  // MARK: - Children

  private func open() -> [Child] {
    if let children { return children }
    let opened =
      node.isObject
      ? node.distinctMembers.map { Child(key: $0.key, value: OverlaidValue($0.value)) }
      : node.elements.map { Child(key: nil, value: OverlaidValue($0)) }
    children = opened
    return opened
  }

  /// The number of children.
  var count: Int { children?.count ?? node.count }

  /// The names of the members.
  var names: [String] { node.isObject ? open().compactMap { $0.key?.text } : [] }

  /// The children that a selector selects.
  func children(at step: JSONPath.Step) -> [OverlaidValue] {
    switch step {
    case .name(let name):
      return node.isObject ? open().last { $0.key?.isString(name) == true }.map { [$0.value] } ?? [] : []
    case .index(let index):
      let position = index < 0 ? index + count : index
      return node.isArray && 0..<count ~= position ? [open()[position].value] : []
    case .all: return node.isObject || node.isArray ? open().map(\.value) : []
    }
  }

  /// Appends the targets at nodes of a document that has not changed since it was written.
  ///
  /// - Parameter indices: The ascending indices of the nodes; the first ones are removed.
  func collect(
    _ indices: inout ArraySlice<Int>, parent: OverlaidValue? = nil, depth: Int = 0, into targets: inout [Target]
  ) {
    let end = node.document.end(of: node.index)
    if indices.first == node.index {
      indices.removeFirst()
      targets.append(Target(value: self, parent: parent, depth: depth))
    }
    guard let next = indices.first, next < end else { return }
    for child in open() {
      guard let next = indices.first, next < end else { return }
      guard next < child.value.node.document.end(of: child.value.node.index) else { continue }
      child.value.collect(&indices, parent: self, depth: depth + 1, into: &targets)
    }
  }

  // MARK: - Changes

  /// Two values that cannot be merged.
  struct Conflict: Error {
    let target: JSON
    let update: JSON
  }

  /// Merges an update by the rules of Overlay 1.1, section 4.4.3; null, which an empty value of YAML
  /// is, leaves objects and arrays as they are, and gives way to any value.
  func merge(_ update: JSON) throws(Conflict) {
    switch (node.kind, update.kind) {
    case (.object, .object): try mergeMembers(of: update)
    case (.array, .array): append(update.elements)
    case (.object, .null), (.array, .null): break
    case (.object, _), (.array, _): throw Conflict(target: node, update: update)
    case (.null, _): node = update
    case (_, .object), (_, .array): throw Conflict(target: node, update: update)
    default: node = update
    }
  }

  /// Appends elements to an array.
  func append(_ elements: some Sequence<JSON>) {
    children = open() + elements.map { Child(key: nil, value: OverlaidValue($0)) }
  }

  /// The maximum number of members that are searched for one by one.
  private static let fewMembers = 8

  private func mergeMembers(of update: JSON) throws(Conflict) {
    var members = open()
    // A table for many members, so that the time is linear.
    let isLong = update.count > Self.fewMembers
    var positions =
      isLong
      ? Dictionary(members.enumerated().map { ($0.element.key?.bytes ?? [], $0.offset) }, uniquingKeysWith: { $1 })
      : [:]
    for member in update.distinctMembers {
      let bytes = member.key.bytes
      if let position = isLong ? positions[bytes] : members.lastIndex(where: { $0.key?.bytes == bytes }) {
        try members[position].value.merge(member.value)
      } else {
        if isLong { positions[bytes] = members.count }
        members.append(Child(key: member.key, value: OverlaidValue(member.value)))
      }
    }
    children = members
  }

  /// Removes the targets from their parents.
  static func remove(_ targets: [Target]) {
    for target in targets { target.value.isRemoved = true }
    var seen: Set<ObjectIdentifier> = []
    for case let parent? in targets.map(\.parent) where seen.insert(ObjectIdentifier(parent)).inserted {
      parent.children = parent.open().filter { !$0.value.isRemoved }
    }
  }

  // MARK: - The result

  func write(to builder: inout JSONBuilder) {
    guard let children else { return builder.append(node) }
    builder.begin(node.kind, at: node.range)
    for child in children {
      if let key = child.key { builder.append(key) }
      child.value.write(to: &builder)
    }
    builder.end()
  }
}
