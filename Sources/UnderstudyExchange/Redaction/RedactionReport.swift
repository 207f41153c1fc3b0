/// What a redactor replaced: how often by which rule and in which place.
package struct RedactionReport: Sendable, Equatable {
  /// Values that were replaced by one rule in one place.
  package struct Entry: Sendable, Hashable {
    /// With `*` for positions: `/body/items/*/token`.
    package var place: RedactedPlace
    package var count: Int
  }

  package enum Side: String, Sendable, Hashable, Comparable {
    case request, response

    package static func < (a: Side, b: Side) -> Bool { a == .request && b == .response }
  }

  package struct RedactedPlace: Sendable, Hashable {
    /// `redact.jwt`
    package var rule: String
    package var side: Side
    /// A pointer into the message: `/header/Authorization`, `/query/token`, `/body/items/0/token`.
    package var pointer: String
  }

  private var counts: [RedactedPlace: Int] = [:]

  package init() {}

  /// Further places are counted together: hostile member names must not fill the memory.
  static let placeLimit = 10_000

  mutating func add(_ place: RedactedPlace) {
    let tokens = JSONPointer(place.pointer)?.tokens ?? []
    let general = JSONPointer(tokens.map { $0.utf8.allSatisfy { 48...57 ~= $0 } ? "*" : $0 }).description
    var place = RedactedPlace(rule: place.rule, side: place.side, pointer: general)
    if counts[place] == nil, counts.count >= Self.placeLimit { place.pointer = "" }
    counts[place, default: 0] += 1
  }

  package var isEmpty: Bool { counts.isEmpty }

  /// Requests before responses, and then in the order of places and rules.
  package var entries: [Entry] {
    counts.map { Entry(place: $0, count: $1) }.sorted { a, b in
      (a.place.side, a.place.pointer, a.place.rule) < (b.place.side, b.place.pointer, b.place.rule)
    }
  }

  /// One line for each entry: `  3 x request /header/Authorization [redact.security]`.
  package var text: String {
    let entries = entries
    let width = entries.map { String($0.count).utf8.count }.max() ?? 0
    return entries.map { entry in
      let count = String(entry.count)
      let gap = String(repeating: " ", count: width - count.utf8.count)
      let pointer = entry.place.pointer
      let place = pointer.isEmpty ? "other places" : VisibleText.line(VisibleText.shortened(pointer, to: 120))
      return "  \(gap)\(count) x \(entry.place.side.rawValue) \(place) [\(entry.place.rule)]\n"
    }.joined()
  }
}
