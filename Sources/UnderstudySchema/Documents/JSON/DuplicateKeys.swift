/// Finds duplicate keys of objects.
enum DuplicateKeys {
  /// The most problems of one text, so that a body full of duplicates stays cheap.
  static let maximumProblems = 100

  /// Appends a problem for every key of the object that repeats an earlier one.
  static func append(
    to problems: inout [TextProblem], object: Int, nodes: [JSONDocument.Node], ranges: [JSONDocument.SourceRange]?,
    bytes: UnsafeBufferPointer<UInt8>, source: SourceFile?
  ) {
    guard problems.count < maximumProblems else { return }
    func text(_ key: Int) -> UnsafeBufferPointer<UInt8> {
      let start = Int(nodes[key].offset)
      return UnsafeBufferPointer(rebasing: bytes[start..<start + Int(nodes[key].count)])
    }
    func isSame(_ a: Int, _ b: Int) -> Bool {
      nodes[a].hash == nodes[b].hash && nodes[a].count == nodes[b].count && text(a).elementsEqual(text(b))
    }
    func report(_ key: Int, after first: Int) {
      guard problems.count < maximumProblems else { return }
      let range = ranges.map { Int($0[key].start)..<Int($0[key].end) } ?? 0..<0
      let name = String(decoding: text(key), as: UTF8.self)
      var help = "remove one of them"
      if let source, let ranges {
        help = "the first is in line \(source.lineNumber(of: Int(ranges[first].start))); " + help
      }
      problems.append(TextProblem(.duplicateKey, "duplicate key `\(name)` in one object", at: range, help: help))
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
      for (position, key) in keys.enumerated() {
        if let first = keys[..<position].first(where: { isSame($0, key) }) { report(key, after: first) }
      }
      return
    }
    // Sorting makes equal keys neighbours, in less than quadratic time for any keys.
    let sorted = keys.sorted {
      if nodes[$0].hash != nodes[$1].hash { return nodes[$0].hash < nodes[$1].hash }
      if nodes[$0].count != nodes[$1].count { return nodes[$0].count < nodes[$1].count }
      for (a, b) in zip(text($0), text($1)) where a != b { return a < b }
      return $0 < $1
    }
    var repeated: [(key: Int, first: Int)] = []
    var first = sorted[0]
    for key in sorted.dropFirst() {
      if isSame(first, key) { repeated.append((key, first)) } else { first = key }
    }
    for (key, first) in repeated.sorted(by: { $0.key < $1.key }) { report(key, after: first) }
  }
}
