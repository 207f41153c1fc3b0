/// Names and raw values of a query, a form body or the cookies, in order; names are decoded once for all decoders. A
/// class, because its parts cost more to copy than to hold.
package final class WirePairs: Sendable {
  package struct Item: Sendable {
    fileprivate let bytes: [UInt8]
    fileprivate let place: Query.Pair
    /// The value of a multipart part that is JSON or a file.
    let value: JSON?

    /// Decoded if possible, else as received.
    package var name: String { String(decoding: bytes[place.name], as: UTF8.self) }
    var raw: ArraySlice<UInt8> { bytes[place.value] }
    var hasEquals: Bool { place.hasEquals }
    var rawValue: SerializedValue { value.map { .value($0) } ?? .text(raw) }
  }

  /// As received, with the names that differ from it when they are decoded behind it.
  private let bytes: [UInt8]
  private let places: [Query.Pair]
  /// Of all pairs, or none.
  private let values: [JSON?]
  /// The pairs of each name, if a linear search would be slow.
  private let groups: [WireName: [Int]]?
  let coding: WireCoding
  /// The approximate bytes of names and values.
  let length: Int
  /// Whether pairs beyond the limit were ignored.
  package let isTruncated: Bool

  private init(
    _ bytes: [UInt8], _ places: [Query.Pair], values: [JSON?] = [], _ coding: WireCoding, length: Int,
    isTruncated: Bool = false
  ) {
    self.bytes = bytes
    self.places = places
    self.values = values
    self.length = length
    self.coding = coding
    self.isTruncated = isTruncated
    groups =
      places.count < 32
      ? nil
      : Dictionary(grouping: places.indices) { WireName(String(decoding: bytes[places[$0].name], as: UTF8.self)) }
  }

  package convenience init(_ query: Query) { self.init(query.bytes, query.pairs, isTruncated: query.isTruncated) }

  package convenience init(form bytes: [UInt8]) {
    var places: [Query.Pair] = []
    places.reserveCapacity(Query.capacity(for: bytes))
    let isTruncated = Query.split(bytes) { places.append($0) }
    self.init(bytes, places, isTruncated: isTruncated)
  }

  private convenience init(_ received: [UInt8], _ pairs: [Query.Pair], isTruncated: Bool) {
    let coding = WireCoding.of(received)
    let (bytes, places) = coding == .plain ? (received, pairs) : Self.decodingNames(of: pairs, in: received)
    self.init(bytes, places, coding, length: received.count, isTruncated: isTruncated)
  }

  private static func decodingNames(
    of pairs: [Query.Pair], in received: [UInt8]
  ) -> (bytes: [UInt8], places: [Query.Pair]) {
    var (bytes, places) = (received, pairs)
    for position in pairs.indices {
      let raw = received[pairs[position].name]
      let name = PercentEncoding.decode(raw, plusIsSpace: true) ?? String(decoding: raw, as: UTF8.self)
      if name.utf8.elementsEqual(raw) { continue }
      places[position].name = bytes.count..<bytes.count + name.utf8.count
      bytes += name.utf8
    }
    return (bytes, places)
  }

  /// The cookies of all `Cookie` lines (RFC 6265, section 5.4); names are not decoded.
  package convenience init(cookies lines: [String]) {
    var (bytes, places) = ([] as [UInt8], [] as [Query.Pair])
    for line in lines {
      for cookie in FieldSyntax.split(line.utf8, at: UInt8(ascii: ";")) where !cookie.isEmpty {
        let equals = cookie.firstIndex(of: UInt8(ascii: "="))
        places.append(
          Self.append(
            cookie[..<(equals ?? cookie.endIndex)], cookie[(equals.map { $0 + 1 } ?? cookie.endIndex)...],
            hasEquals: equals != nil, to: &bytes))
      }
    }
    self.init(bytes, places, .percent, length: lines.reduce(0) { $0 + $1.utf8.count })
  }

  /// The parts of a multipart body, which are not percent-encoded; a `value` replaces the text of its part.
  convenience init(parts: [(name: String, raw: ArraySlice<UInt8>, value: JSON?)]) {
    var (bytes, places) = ([] as [UInt8], [] as [Query.Pair])
    for part in parts { places.append(Self.append(part.name.utf8, part.raw, hasEquals: true, to: &bytes)) }
    self.init(bytes, places, values: parts.map(\.value), .verbatim, length: bytes.count)
  }

  private static func append(
    _ name: some Collection<UInt8>, _ raw: ArraySlice<UInt8>, hasEquals: Bool, to bytes: inout [UInt8]
  ) -> Query.Pair {
    let start = bytes.count
    bytes += name
    let middle = bytes.count
    bytes += raw
    return Query.Pair(name: start..<middle, value: middle..<bytes.count, hasEquals: hasEquals)
  }

  /// Every name, in order, with repetitions.
  package var names: [String] { map(\.name) }

  var hasBareName: Bool { places.contains { !$0.hasEquals } }

  /// The values of a name as text, decoded if possible.
  package func texts(of name: String) -> [String] {
    values(of: name).map { item in
      (try? coding.decode(item.raw, key: name)) ?? String(decoding: item.raw, as: UTF8.self)
    }
  }

  func values(of name: String) -> Slice<WirePairs> {
    if let groups { return selecting(groups[WireName(name)] ?? []) }
    var name = name
    let (first, last, count) = name.withUTF8 { name in
      bytes.withUnsafeBufferPointer { bytes in
        var (first, last, count) = (0, -1, 0)
        for position in places.indices where Self.isSame(bytes, places[position].name, name) {
          if count == 0 { first = position }
          last = position
          count += 1
        }
        return (first, last, count)
      }
    }
    // The values of one name are mostly adjacent.
    if count == last - first + 1 { return self[first..<last + 1] }
    return selecting(places.indices.filter { self[$0].name.utf8Equals(name) })
  }

  /// The pairs whose names begin with a text and are longer.
  package func items(below prefix: String) -> [Item] {
    var prefix = prefix
    let positions = prefix.withUTF8 { prefix in
      bytes.withUnsafeBufferPointer { bytes in
        places.indices.filter { position in
          let name = places[position].name
          return name.count > prefix.count
            && Self.isSame(bytes, name.lowerBound..<name.lowerBound + prefix.count, prefix)
        }
      }
    }
    return positions.map { self[$0] }
  }

  private static func isSame(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    range.count == name.count && utf8Equals(UnsafeBufferPointer(rebasing: bytes[range]), name)
  }

  private func selecting(_ positions: [Int]) -> Slice<WirePairs> {
    let pairs = WirePairs(
      bytes, positions.map { places[$0] }, values: values.isEmpty ? [] : positions.map { values[$0] }, coding,
      length: length)
    return pairs[...]
  }
}

extension WirePairs: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(position: Int) -> Item {
    Item(bytes: bytes, place: places[position], value: values.isEmpty ? nil : values[position])
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
