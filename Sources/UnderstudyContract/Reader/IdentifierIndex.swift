/// The named places of a document: `$id`, `$anchor`, `$dynamicAnchor` in schemas (Core 2020-12, 8.2), `$self` in OpenAPI 3.2
/// (4.2.1). Empty for nearly every document.
struct IdentifierIndex: Sendable {
  /// A schema with `$id`, or the document itself.
  struct Resource: Sendable {
    /// The index of its root object.
    var root: Int
    fileprivate var end: Int
    fileprivate var parent: Int?
    var uri: URIReference
  }

  private var resources: [Resource] = []
  private var byURI: [URIReference: Int] = [:]
  private var anchors: [Anchor: Int] = [:]

  private struct Anchor: Hashable {
    var resource: Int
    var name: [UInt8]
  }

  var isEmpty: Bool { resources.isEmpty }

  init(_ document: JSONDocument) {
    let names = ["$id", "$anchor", "$dynamicAnchor", "$self"].map { Array($0.utf8) }
    let hashes = names.map { $0.withUnsafeBufferPointer(JSONDocument.hash) }
    // Only keys have a hash, so one pass over the table finds every place without walking the tree.
    var found: [(name: Int, key: Int)] = []
    let nodes = document.nodes
    for (index, node) in nodes.enumerated() where node.hash != 0 {
      guard case .string = node.kind, let name = hashes.firstIndex(of: node.hash), index + 1 < nodes.count,
        case .string = nodes[index + 1].kind,
        document.withBytes(of: index, { $0.elementsEqual(names[name]) })
      else { continue }
      found.append((name, index))
    }
    guard !found.isEmpty else { return }

    let base = document.root["$self"]?.string ?? document.root["$id"]?.string ?? document.source?.path ?? ""
    resources = [Resource(root: 0, end: document.end(of: 0), parent: nil, uri: URIReference(base).withoutFragment)]
    let parents = Self.parents(of: found.map(\.key), in: document)
    for (entry, object) in zip(found, parents) where entry.name == 0 && object != 0 {
      let outer = position(around: object)
      let uri = URIReference(JSON(document: document, index: entry.key + 1).text).resolved(
        against: resources[outer].uri)
      resources.append(
        Resource(root: object, end: document.end(of: object), parent: outer, uri: uri.withoutFragment))
    }
    for (position, resource) in resources.enumerated() { byURI[resource.uri] = position }
    for (entry, object) in zip(found, parents) where entry.name == 1 || entry.name == 2 {
      let name = JSON(document: document, index: entry.key + 1).bytes
      anchors[Anchor(resource: position(around: object), name: name)] = object
    }
  }

  /// The innermost resource around a node.
  func resource(around index: Int) -> Resource { resources[position(around: index)] }

  /// The resource with this URI, without its fragment.
  func resource(named uri: URIReference) -> Resource? { byURI[uri.withoutFragment].map { resources[$0] } }

  /// The node of an anchor in a resource; `nil` means the document itself.
  func anchor(_ name: String, in resource: Resource?) -> Int? {
    anchors[Anchor(resource: resource.map { position(around: $0.root) } ?? 0, name: Array(name.utf8))]
  }

  private func position(around index: Int) -> Int {
    // Resources are sorted by root; the node is in the last one that starts before it, or in an ancestor of that one.
    var low = 0
    var high = resources.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if resources[middle].root <= index { low = middle } else { high = middle }
    }
    var position = low
    while resources[position].end <= index, let parent = resources[position].parent { position = parent }
    return position
  }

  /// The objects that hold the keys, both in document order, found in one pass.
  private static func parents(of keys: [Int], in document: JSONDocument) -> [Int] {
    var result: [Int] = []
    var open: [(index: Int, end: Int)] = []
    var index = 0
    for key in keys {
      while index <= key {
        while let last = open.last, last.end <= index { open.removeLast() }
        if document.end(of: index) > index + 1 { open.append((index, document.end(of: index))) }
        index += 1
      }
      result.append(open.last?.index ?? 0)
    }
    return result
  }
}
