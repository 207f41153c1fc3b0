/// A member of listed items that parameters bound: `minPrice`, `price_lte`, `createdAfter`, `startDate`.
struct ResourceRange {
  let member: String
  private var limits: [(bound: Bound, text: String)]

  enum Bound { case least, most, above, below }

  /// The first or the last word of a parameter's name.
  private static let words: [String: Bound] = [
    "min": .least, "minimum": .least, "from": .least, "start": .least, "since": .least, "gte": .least,
    "max": .most, "maximum": .most, "to": .most, "end": .most, "until": .most, "lte": .most,
    "after": .above, "gt": .above, "before": .below, "lt": .below,
  ]

  /// The ranges that parameters ask for, by their names and values; the bounds of one member are one range. A bound on
  /// the id of the items of `collection` is a cursor, which is ignored.
  static func all(_ parameters: [(name: String, text: String)], of collection: ResourceCollection) -> [ResourceRange] {
    var ranges: [ResourceRange] = []
    for (name, text) in parameters {
      guard let (bound, member) = target(of: name, collection.shape), member != collection.idMember else { continue }
      if let index = ranges.firstIndex(where: { $0.member.utf8Equals(member) }) {
        ranges[index].limits.append((bound, text))
      } else {
        ranges.append(ResourceRange(member: member, limits: [(bound, text)]))
      }
    }
    return ranges
  }

  /// Whether an item is within the bounds; of a list, one of its elements.
  func holds(for item: JSON) -> Bool {
    guard let found = item[member] else { return false }
    return (found.isArray ? Array(found.elements) : [found]).contains { value in
      !value.isNull && limits.allSatisfy { Self.holds($0.bound, value.plainText, $0.text) }
    }
  }

  /// The bound that a name means, and the member that it is for.
  private static func target(of name: String, _ schema: ResolvedSchema) -> (Bound, member: String)? {
    let parts = parts(of: name)
    guard parts.count > 1 else { return nil }
    if let bound = words[parts[0]], let found = memberName(parts.dropFirst().joined(), schema) { return (bound, found) }
    if let bound = words[parts[parts.count - 1]], let found = memberName(parts.dropLast().joined(), schema) {
      return (bound, found)
    }
    return nil
  }

  /// The member of a name; `created` may be `createdAt`, and `date` the only date.
  private static func memberName(_ name: String, _ schema: ResolvedSchema) -> String? {
    func first(_ properties: [ResolvedSchema.Property], _ names: [String]) -> String? {
      properties.first { names.contains(ResourceIdentity.normal($0.name)) }?.name
    }
    if let exact = first(schema.properties.filter { isOrdered(schema.schema(of: $0)) }, [name]) { return exact }
    let dates = schema.properties.filter { isDate(schema.schema(of: $0)) }
    if let date = first(dates, ["at", "on", "date", "time", "s"].map { name + $0 }) { return date }
    return ["date", "time", "datetime"].contains(name) && dates.count == 1 ? dates[0].name : nil
  }

  private static func isOrdered(_ schema: ResolvedSchema) -> Bool {
    let types = (schema.describesElements ? schema.element : schema).types
    return types.contains(.string) || types.contains(.integer) || types.contains(.number)
  }

  private static func isDate(_ schema: ResolvedSchema) -> Bool {
    ["date", "date-time"].contains(where: (schema.describesElements ? schema.element : schema).hasFormat)
  }

  /// The words of a name in lower case: `createdAt[gte]` has `created`, `at` and `gte`.
  private static func parts(of name: String) -> [String] {
    var parts: [[UInt8]] = [[]]
    var isInCapitals = false
    for byte in name.utf8 {
      let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      if isCapital, !isInCapitals { parts.append([]) }
      isInCapitals = isCapital
      if "_-.[]$: ".utf8.contains(byte) {
        parts.append([])
      } else {
        parts[parts.count - 1].append(isCapital ? byte + 32 : byte)
      }
    }
    return parts.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }

  static func holds(_ bound: Bound, _ value: String, _ limit: String) -> Bool {
    let order = order(value, limit)
    return switch bound {
    case .least: order >= 0
    case .most: order <= 0
    case .above: order > 0
    case .below: order < 0
    }
  }

  /// Below 0 where the first precedes: numbers by value, dates by instant (or day), and others as strings.
  private static func order(_ a: String, _ b: String) -> Int {
    if let a = Double(a), let b = Double(b) { return compare(a, b) }
    if let a = Timestamp.microseconds(a.utf8), let b = Timestamp.microseconds(b.utf8) { return compare(a, b) }
    let length = isDay(a) || isDay(b) ? 10 : Int.max
    let (first, second) = (a.utf8.prefix(length), b.utf8.prefix(length))
    if first.elementsEqual(second) { return 0 }
    return first.lexicographicallyPrecedes(second) ? -1 : 1
  }

  private static func compare<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  /// `full-date` of RFC 3339: the order of its text is that of the days.
  private static func isDay(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.enumerated().allSatisfy { offset, byte in
        offset == 4 || offset == 7 ? byte == UInt8(ascii: "-") : UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      }
  }
}
