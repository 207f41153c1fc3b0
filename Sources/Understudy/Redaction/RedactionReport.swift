/// What a redactor replaced: how often by which rule and in which place.
package struct RedactionReport: Sendable, Equatable {
  package struct Entry: Sendable, Hashable {
    /// `redact.jwt`
    package var rule: String
    package var side: Side
    /// A pointer into the message, with `*` for positions: `/body/items/*/token`.
    package var place: String
    package var count: Int
  }

  package enum Side: String, Sendable, Hashable, Comparable {
    case request, response

    package static func < (a: Side, b: Side) -> Bool { a == .request && b == .response }
  }

  /// A replaced value.
  package struct Place: Sendable, Hashable {
    package var rule: String
    package var side: Side
    /// A pointer into the message: `/header/Authorization`, `/query/token`, `/body/items/0/token`.
    package var pointer: String
  }

  private var counts: [Key: Int] = [:]

  private struct Key: Hashable {
    var rule: String
    var side: Side
    var place: String
  }

  /// Further places are counted together: hostile member names must not fill the memory.
  static let placeLimit = 10_000

  mutating func add(_ place: Place) {
    let tokens = JSONPointer(place.pointer)?.tokens ?? []
    let general = JSONPointer(tokens.map { $0.utf8.allSatisfy { 48...57 ~= $0 } ? "*" : $0 }).description
    let key = Key(rule: place.rule, side: place.side, place: general)
    if counts[key] == nil, counts.count >= Self.placeLimit {
      counts[Key(rule: place.rule, side: place.side, place: ""), default: 0] += 1
    } else {
      counts[key, default: 0] += 1
    }
  }

  package var isEmpty: Bool { counts.isEmpty }

  /// Requests before responses, and then in the order of places and rules.
  package var entries: [Entry] {
    counts.map { Entry(rule: $0.rule, side: $0.side, place: $0.place, count: $1) }
      .sorted { ($0.side, $0.place, $0.rule) < ($1.side, $1.place, $1.rule) }
  }

  /// One line for each entry: `  3 x request /header/Authorization [redact.security]`.
  package var text: String {
    let entries = entries
    let width = entries.map { String($0.count).utf8.count }.max() ?? 0
    return entries.map { entry in
      let count = String(entry.count)
      let gap = String(repeating: " ", count: width - count.utf8.count)
      let place = entry.place.isEmpty ? "other places" : VisibleText.line(VisibleText.shortened(entry.place, to: 120))
      return "  \(gap)\(count) x \(entry.side.rawValue) \(place) [\(entry.rule)]\n"
    }.joined()
  }
}
