/// Finds keys that stand twice in one object.
enum DuplicateKeys {
  /// Appends a problem for every key of the object that repeats an earlier one.
  static func append(
    to problems: inout [TextProblem], object: Int, nodes: [JSONDocument.Node], ranges: [JSONDocument.SourceRange]?,
    bytes: UnsafeBufferPointer<UInt8>
  ) {
    func text(_ key: Int) -> UnsafeBufferPointer<UInt8> {
      let start = Int(nodes[key].offset)
      return UnsafeBufferPointer(rebasing: bytes[start..<start + Int(nodes[key].count)])
    }
    func isSame(_ a: Int, _ b: Int) -> Bool {
      nodes[a].hash == nodes[b].hash && nodes[a].count == nodes[b].count && text(a).elementsEqual(text(b))
    }
    func report(_ key: Int) {
      let range = ranges.map { Int($0[key].start)..<Int($0[key].end) } ?? 0..<0
      let name = String(decoding: text(key), as: UTF8.self)
      problems.append(
        TextProblem(.duplicateKey, "the key `\(name)` stands twice in one object", at: range, help: "the last one is read"))
    }

    var keys: [Int] = []
    keys.reserveCapacity(Int(nodes[object].count))
    var child = object + 1
    for _ in 0..<nodes[object].count {
      keys.append(child)
      let value = nodes[child + 1]
      child = value.kind == .array || value.kind == .object ? Int(value.offset) : child + 2
    }
    if keys.count <= 12 {
      for later in 1..<keys.count where keys[..<later].contains(where: { isSame($0, keys[later]) }) { report(keys[later]) }
      return
    }
    // Sorted, equal keys are neighbours: no chosen keys can make this quadratic.
    let sorted = keys.sorted {
      if nodes[$0].hash != nodes[$1].hash { return nodes[$0].hash < nodes[$1].hash }
      if nodes[$0].count != nodes[$1].count { return nodes[$0].count < nodes[$1].count }
      for (a, b) in zip(text($0), text($1)) where a != b { return a < b }
      return $0 < $1
    }
    let repeated = zip(sorted, sorted.dropFirst()).filter { isSame($0, $1) }.map { max($0, $1) }
    for key in repeated.sorted() { report(key) }
  }
}
