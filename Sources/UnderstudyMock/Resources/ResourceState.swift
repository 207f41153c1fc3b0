/// The items of all collections: part of the state of a mock.
package struct ResourceState: Codable, Sendable, Hashable {
  /// The items by the path with the ids of parents: `/users/3/posts`. A collection without an entry has its seeds.
  var collections: [String: [ResourceItem]] = [:]
  /// The places that requests have deleted: `/users/3/photo`.
  private var deleted: Set<String> = []
  /// How many items were made, for their ids and samples.
  package private(set) var created = 0
  /// The greatest time that an item was made at, in microseconds since 1970.
  private var lastTime = 0
  var answers = ItemResponses()

  private enum CodingKeys: String, CodingKey {
    case collections, deleted, created, lastTime
  }

  /// The most items of a collection, and the most collections.
  package static let itemLimit = 10_000
  package static let collectionLimit = 10_000
  /// The most deleted places that are remembered, and the longest one in bytes.
  package static let deletionLimit = 10_000
  package static let placeLimit = 1_000

  package init() {}

  /// The items in the order of their creation; `nil` for a collection that was not used yet.
  package func items(in path: String) -> [ResourceItem]? { collections[path] }

  /// Fills a collection at its first use; `false` if there are too many collections.
  mutating func begin(_ path: String, with seeds: () -> [ResourceItem]) -> Bool {
    if collections[path] != nil { return true }
    guard collections.count < Self.collectionLimit else { return false }
    collections[path] = seeds()
    return true
  }

  func item(_ id: String, in path: String) -> ResourceItem? { collections[path]?.first { $0.id.utf8Equals(id) } }

  func hasRoom(in path: String) -> Bool { collections[path].map { $0.count < Self.itemLimit } ?? true }

  mutating func nextNumber() -> Int {
    created += 1
    return created
  }

  /// A time for a new item that no earlier item has, for cursors: the given one, or a millisecond after the last.
  mutating func nextTime(_ now: Int) -> Int {
    lastTime = max(now, lastTime + 1000)
    return lastTime
  }

  /// Adds an item, or changes that of the same id.
  mutating func put(_ item: ResourceItem, in path: String) {
    restore("\(path)/\(item.id)")
    let index = collections[path]?.firstIndex { $0.id.utf8Equals(item.id) }
    guard let index else {
      collections[path, default: []].append(item)
      return
    }
    collections[path]?[index] = item
  }

  mutating func remove(_ id: String, from path: String) {
    collections[path]?.removeAll { $0.id.utf8Equals(id) }
    let inner = "\(path)/\(id)/"
    for key in collections.keys where key.hasPrefix(inner) { collections[key] = nil }
    markDeleted("\(path)/\(id)")
  }

  mutating func markDeleted(_ place: String) {
    guard deleted.count < Self.deletionLimit, place.utf8.count <= Self.placeLimit else { return }
    deleted.insert(place)
  }

  /// Makes a place and all below it exist again.
  mutating func restore(_ place: String) {
    if deleted.isEmpty { return }
    deleted.remove(place)
    let inner = "\(place)/"
    deleted = deleted.filter { !$0.hasPrefix(inner) }
  }

  /// Makes the places directly below one exist again.
  mutating func restoreAll(in place: String) {
    if deleted.isEmpty { return }
    let inner = "\(place)/"
    deleted = deleted.filter { !$0.hasPrefix(inner) || $0.utf8.dropFirst(inner.utf8.count).contains(UInt8(ascii: "/")) }
  }

  /// The outermost place above this one, or this one, that was deleted.
  func deletedPlace(at place: String) -> String? {
    if deleted.isEmpty { return nil }
    let ends = place.utf8.indices.dropFirst().filter { place.utf8[$0] == UInt8(ascii: "/") } + [place.endIndex]
    return ends.lazy.map { String(place[..<$0]) }.first(where: deleted.contains)
  }
}
