import SourceText

/// Which keywords there are, told without reading any schema.
extension ResourceRegistry {
  /// The keywords among the keys of an object, by their hashes alone: none is missed, some other key may be taken for one.
  static func keywords(of object: JSON) -> KeywordSet {
    let (document, byName) = (object.document, Keyword.byName)
    var found: KeywordSet = []
    var key = object.index + 1
    for _ in 0..<object.count {
      if let keyword = byName.value(ofHash: document.nodes[key].hash) { found.insert(keyword) }
      key = document.end(of: key + 1)
    }
    return found
  }

  /// Which of the telling keywords are keys in a document, by their hashes alone.
  func keywords(in document: JSONDocument) -> KeywordSet {
    var found: KeywordSet = []
    let byName = Keyword.byName
    document.nodes.withUnsafeBufferPointer { nodes in
      Self.isTelling.withUnsafeBufferPointer { isTelling in
        for node in nodes where isTelling[Int(node.hash & 1023)] {
          // Of all strings only keys have a hash.
          guard node.kind == .string, let keyword = byName.value(ofHash: node.hash) else { continue }
          found.insert(keyword)
        }
      }
    }
    return found.intersection(Self.telling)
  }

  /// The keywords whose absence saves looking for something.
  private static let telling: KeywordSet = [
    .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor, .readOnly, .writeOnly,
  ]

  /// For each possible tail of a hash whether a telling keyword has it: nearly all nodes are passed over by one look.
  private static let isTelling: [Bool] = {
    var isTelling = [Bool](repeating: false, count: 1024)
    for keyword in Keyword.allCases where telling.contains(keyword) {
      isTelling[Int(Array(keyword.name.utf8).withUnsafeBufferPointer(JSONDocument.hash) & 1023)] = true
    }
    return isTelling
  }()
}
