/// Suggestions of similar names: "did you mean `name`?".
package enum Suggestion {
  /// The candidate with the fewest edits; `nil` if none is similar enough for a typing error.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let scalars = Array(name.lowercased().unicodeScalars)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates where !areOtherStatuses(name, candidate) {
      // `==` also equates canonically equivalent texts.
      if candidate == name {
        if candidate.utf8.elementsEqual(name.utf8) { continue }
        return candidate
      }
      let other = Array(candidate.lowercased().unicodeScalars)
      let shorter = min(scalars.count, other.count)
      // Any two single letters are one edit apart.
      let limit = shorter < 2 ? 0 : max(1, shorter / 3)
      guard abs(scalars.count - other.count) <= limit, scalars.count < 200 else { continue }
      let distance = editDistance(scalars, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Whether both are statuses of different classes: 200 and 500 are one edit apart, but not a typing error.
  private static func areOtherStatuses(_ a: String, _ b: String) -> Bool {
    guard let first = statusClass(a), let second = statusClass(b) else { return false }
    return first != second
  }

  /// The first digit of `404`, `4XX` or `404.name`; `nil` for other texts.
  private static func statusClass(_ text: String) -> UInt8? {
    let status = text.utf8.prefix { $0 != UInt8(ascii: ".") }
    guard status.count == 3, let first = status.first, 49...53 ~= first else { return nil }
    let rest = status.dropFirst()
    return rest.allSatisfy { 48...57 ~= $0 } || rest.elementsEqual("XX".utf8) ? first : nil
  }

  /// `did you mean `x`?`, a note about a name that only looks the same, or `nil`.
  package static func phrase(for name: String, among candidates: some Sequence<String>) -> String? {
    nearest(to: name, among: candidates).map { candidate in
      candidate == name
        ? "it looks like `\(candidate)`: the same letters, in other code points" : "did you mean `\(candidate)`?"
    }
  }

  /// A phrase about a similar name, or the list of known names; `none` replaces an empty list.
  package static func help(for name: String, among known: [String], none: String? = nil) -> String {
    let list = "known: \(known.joined(separator: ", "))"
    return phrase(for: name, among: known) ?? (known.isEmpty ? none ?? list : list)
  }

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
  package static func editDistance<T: Equatable>(_ a: [T], _ b: [T]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for row in 0..<a.count {
      var current = [row + 1]
      for column in 0..<b.count {
        var cost = min(current[column] + 1, last[column + 1] + 1, last[column] + (a[row] == b[column] ? 0 : 1))
        if row > 0, column > 0, a[row] == b[column - 1], a[row - 1] == b[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[b.count]
  }
}
