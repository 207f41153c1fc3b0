import UnderstudyJSON

/// The connected sockets in order; to find, add or remove one takes constant time, as thousands may leave at once.
package struct SocketMembers: Sendable, Sequence {
  package typealias Member = SocketState.Member

  private struct Key: Hashable {
    let id: Int
    let namespace: String
  }

  /// Members that have left are `nil`, until they are half of the places.
  private var places: [Member?] = []
  private var positions: [Key: Int] = [:]
  /// The number of places that were looked at so far: the cost of all changes.
  package private(set) var steps = 0

  package init() {}

  package var count: Int { positions.count }
  package var isEmpty: Bool { positions.isEmpty }

  /// The socket with a number in a namespace; `nil` if it is not connected.
  package subscript(_ id: Int, _ namespace: String) -> Member? {
    positions[Key(id: id, namespace: namespace)].flatMap { places[$0] }
  }

  mutating func append(_ member: Member) {
    _ = remove(member.id, member.namespace)
    positions[Key(id: member.id, namespace: member.namespace)] = places.count
    places.append(member)
    steps &+= 1
  }

  mutating func remember(_ value: JSONValue, as name: String, _ id: Int, _ namespace: String) {
    guard let position = positions[Key(id: id, namespace: namespace)] else { return }
    places[position]?.values[name] = value
  }

  mutating func remove(_ id: Int, _ namespace: String) -> Member? {
    guard let position = positions.removeValue(forKey: Key(id: id, namespace: namespace)) else { return nil }
    steps &+= 1
    let member = places[position]
    places[position] = nil
    if places.count > 2 * positions.count { compact() }
    return member
  }

  private mutating func compact() {
    steps &+= places.count
    places.removeAll { $0 == nil }
    for (position, place) in places.enumerated() {
      if let place { positions[Key(id: place.id, namespace: place.namespace)] = position }
    }
  }

  package func makeIterator() -> Iterator { Iterator(places: places.makeIterator()) }

  package struct Iterator: IteratorProtocol {
    fileprivate var places: IndexingIterator<[Member?]>

    package mutating func next() -> Member? {
      while let place = places.next() { if let place { return place } }
      return nil
    }
  }
}

extension SocketMembers: Hashable {
  package static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }

  package func hash(into hasher: inout Hasher) { for member in self { hasher.combine(member) } }
}

extension SocketMembers: Codable {
  package init(from decoder: any Decoder) throws {
    for member in try [Member](from: decoder) { append(member) }
  }

  package func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
