/// Finds keywords by the hashes of keys alone; it may take another key for a keyword.
enum KeywordScan {
  /// The keywords among the keys of an object.
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

  /// The keywords of `scanned` that are keys anywhere in a document.
  static func keywords(in document: JSONDocument) -> KeywordSet {
    var found: KeywordSet = []
    let byName = Keyword.byName
    document.nodes.withUnsafeBufferPointer { nodes in
      Self.isScanned.withUnsafeBufferPointer { isScanned in
        for node in nodes where isScanned[Int(node.hash & 1023)] {
          // Only keys have a hash.
          guard node.kind == .string, let keyword = byName.value(ofHash: node.hash) else { continue }
          found.insert(keyword)
        }
      }
    }
    return found.intersection(Self.scanned)
  }

  /// The keywords whose absence saves a search.
  private static let scanned: KeywordSet = [
    .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .recursiveAnchor, .readOnly, .writeOnly,
  ]

  /// Whether a scanned keyword has the last ten bits of a hash; one lookup skips nearly all nodes.
  private static let isScanned: [Bool] = {
    var isScanned = [Bool](repeating: false, count: 1024)
    for keyword in Keyword.allCases where scanned.contains(keyword) {
      isScanned[Int(Array(keyword.name.utf8).withUnsafeBufferPointer(JSONDocument.hash) & 1023)] = true
    }
    return isScanned
  }()
}
