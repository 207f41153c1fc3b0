/// Names and raw values of a query, a form body or the cookies; names are decoded once for all decoders.
package struct WirePairs: Sendable {
  /// Costly to copy: hot paths read its parts in place.
  struct Item: Sendable {
    /// Decoded if possible, else as received.
    var name: String
    var raw: ArraySlice<UInt8>
    var hasEquals: Bool
    /// The value of a multipart part that is JSON or a file.
    var value: JSON?

    init(name: String, raw: ArraySlice<UInt8>, hasEquals: Bool) {
      self.name = name
      self.raw = raw
      self.hasEquals = hasEquals
    }

    fileprivate init(_ pair: Query.Pair, in bytes: [UInt8], _ coding: WireCoding) {
      let name = bytes[pair.name]
      let decoded = coding == .plain ? nil : PercentEncoding.decode(name, plusIsSpace: true)
      self.init(
        name: decoded ?? String(decoding: name, as: UTF8.self), raw: bytes[pair.value], hasEquals: pair.hasEquals)
    }

    var rawValue: SerializedValue { value.map { .value($0) } ?? .text(raw) }
  }

  let items: [Item]
  /// The items of each name, if a linear search would be slow.
  private let groups: [WireName: [Int]]?
  let coding: WireCoding
  /// The approximate bytes of names and values.
  let length: Int
  /// Whether pairs beyond the limit were ignored.
  package let isTruncated: Bool

  private init(_ items: [Item], _ coding: WireCoding, length: Int, isTruncated: Bool = false) {
    self.items = items
    self.length = length
    self.coding = coding
    self.isTruncated = isTruncated
    groups = items.count < 32 ? nil : Dictionary(grouping: items.indices) { WireName(items[$0].name) }
  }

  package init(_ query: Query) {
    let coding = WireCoding.of(query.bytes)
    self.init(
      query.pairs.map { Item($0, in: query.bytes, coding) }, coding, length: query.bytes.count,
      isTruncated: query.isTruncated)
  }

  /// The fields of a form.
  package init(form bytes: [UInt8]) {
    var items: [Item] = []
    items.reserveCapacity(Query.capacity(for: bytes))
    let coding = WireCoding.of(bytes)
    let isTruncated = Query.split(bytes) { items.append(Item($0, in: bytes, coding)) }
    self.init(items, coding, length: bytes.count, isTruncated: isTruncated)
  }

  /// The cookies of all `Cookie` lines (RFC 6265, section 5.4); names are not decoded.
  package init(cookies lines: [String]) {
    let items = lines.flatMap { FieldSyntax.split($0.utf8, at: UInt8(ascii: ";")) }.filter { !$0.isEmpty }.map {
      cookie in
      let equals = cookie.firstIndex(of: UInt8(ascii: "="))
      return Item(
        name: String(decoding: cookie[..<(equals ?? cookie.count)], as: UTF8.self),
        raw: cookie[(equals.map { $0 + 1 } ?? cookie.count)...], hasEquals: equals != nil)
    }
    self.init(items, .percent, length: lines.reduce(0) { $0 + $1.utf8.count })
  }

  /// The parts of a multipart body, which are not percent-encoded.
  init(parts items: [Item]) {
    self.init(items, .verbatim, length: items.reduce(0) { $0 + $1.name.utf8.count + $1.raw.count })
  }

  /// Every name, in order, with repetitions.
  package var names: [String] { items.map(\.name) }

  /// The values of a name as text, decoded if possible.
  package func texts(of name: String) -> [String] {
    values(of: name).map { item in
      (try? coding.decode(item.raw, key: name)) ?? String(decoding: item.raw, as: UTF8.self)
    }
  }

  func values(of name: String) -> ArraySlice<Item> {
    if let groups { return (groups[WireName(name)]?.map { items[$0] } ?? [])[...] }
    var (first, last, count) = (0, -1, 0)
    for position in items.indices where items[position].name.utf8Equals(name) {
      if count == 0 { first = position }
      last = position
      count += 1
    }
    // The values of one name are mostly adjacent, and then a slice needs no copy.
    return count == last - first + 1 ? items[first..<last + 1] : items.filter { $0.name.utf8Equals(name) }[...]
  }
}

/// A name compared by its bytes, where `String` compares by canonical equivalence.
struct WireName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: WireName, b: WireName) -> Bool { a.text.utf8Equals(b.text) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
