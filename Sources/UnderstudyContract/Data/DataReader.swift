/// Reads the collections of a data file, or of the files of a folder, with findings about what cannot be served.
struct DataReader {
  private(set) var collections: [DataCollection] = []
  private(set) var findings: [Diagnostic] = []
  /// The number of findings beyond the limit.
  private var omitted = 0
  private var isFull = false

  /// The maximum number of collections, and of the items of one.
  static let collectionLimit = 500
  static let itemLimit = 10_000
  /// The maximum number of references between the collections: each makes paths and parameters on both sides.
  static let referenceLimit = 500
  /// The maximum number of findings about one file: its data may repeat one mistake in each item.
  static let findingLimit = 20

  /// The collections of the members of an object.
  mutating func add(membersOf root: JSON) {
    for member in root.distinctMembers where !DataDetection.isAside(member) {
      add(member.name, member.value, key: member.key)
    }
  }

  /// Adds a collection; findings about it point at `key`.
  mutating func add(_ name: String, _ value: JSON, key: JSON) {
    guard isSegment(name, key) else { return }
    guard collections.count < Self.collectionLimit else {
      if !isFull {
        report(
          "more than \(Self.collectionLimit) collections: `\(name)` and the members after it are not served", at: key,
          help: "divide the file: several files can be served together")
      }
      isFull = true
      return
    }
    guard !collections.contains(where: { $0.name.utf8Equals(name) }) else {
      return report("a second collection `\(name)`: it is not served", at: key, help: "rename it")
    }
    var collection = DataCollection(name: name, key: key)
    if value.isObject {
      collection.items = [DataCollection.Item(value: value)]
      collection.schema.add(value)
    } else if value.isArray {
      guard read(value, into: &collection) else { return }
    } else {
      return report(
        "expected a list of objects or an object for `\(name)`, found \(value.kindWithArticle)", at: value,
        help: "write it as a member of an object, which is served at a path of its own: "
          + "{\"settings\": {\"\(name)\": ...}}")
    }
    collections.append(collection)
  }

  /// Reads the items of a list; returns `false` for a list that is not served.
  private mutating func read(_ list: JSON, into collection: inout DataCollection) -> Bool {
    let name = collection.name
    guard list.count <= Self.itemLimit else {
      report(
        "`\(name)` has \(list.count) items: expected at most \(Self.itemLimit), the limit of a collection",
        at: collection.key, help: "keep the items that the test needs")
      return false
    }
    if let other = list.elements.first(where: { !$0.isObject }) {
      report(
        "expected an object for each item of `\(name)`, found \(other.kindWithArticle)", at: other,
        help: "write each value as an item: {\"id\": 1, \"value\": ...}")
      return false
    }
    let id = ["id", "_id"].first { id in list.elements.contains { $0[id] != nil } } ?? "id"
    collection.idMember = id
    var seen: [String: JSON] = [:]
    var missing: [JSON] = []
    for item in list.elements {
      guard let value = item[id], !value.isNull else {
        missing.append(item)
        collection.items.append(DataCollection.Item(value: item))
        collection.schema.add(item)
        continue
      }
      guard value.isString || value.kind == .number, !value.text.isEmpty else {
        report(
          "expected a number or a string for the id of an item of `\(name)`, found "
            + (value.isString ? "an empty string" : value.kindWithArticle), at: value,
          help: "the item is not served; give it an id that a path can have")
        continue
      }
      let text = value.int.map { String($0) } ?? value.text
      if let first = seen[text] {
        report(
          "the id \(JSONWriter.text(value)) of `\(name)` is taken: the item is not served", at: value,
          notes: [Diagnostic.Note("the first item with this id", at: Location(first))], help: "give it another id")
        continue
      }
      seen[text] = value
      collection.items.append(DataCollection.Item(value: item))
      collection.schema.add(item)
    }
    if !missing.isEmpty { number(&collection, missing, taken: Set(seen.keys)) }
    return true
  }

  /// Gives the items without an id the next integers.
  private mutating func number(_ collection: inout DataCollection, _ missing: [JSON], taken: Set<String>) {
    var last = taken.compactMap { Int($0) }.filter { $0 < Int.max - Self.itemLimit }.max() ?? 0
    let isText = !taken.isEmpty && collection.items.allSatisfy { $0.value[collection.idMember ?? ""]?.kind != .number }
    for index in collection.items.indices {
      let id = collection.items[index].value[collection.idMember ?? ""]
      guard id == nil || id?.isNull == true else { continue }
      repeat { last += 1 } while taken.contains(String(last))
      collection.items[index].id = isText ? .string(String(last)) : .integer(last)
    }
    let count = missing.count.counted("item")
    report(
      "\(count) of `\(collection.name)` without `\(collection.idMember ?? "id")`, served with new ids", at: missing[0],
      severity: .warning, help: "write the ids, so that they stay the same when the file changes")
  }

  private mutating func isSegment(_ name: String, _ key: JSON) -> Bool {
    if name.utf8.starts(with: "__".utf8) {
      report("`\(name)` is a path of the mock itself: the collection is not served", at: key, help: "rename it")
      return false
    }
    let isPlain = name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) }
    guard isPlain, !["", ".", ".."].contains(name) else {
      report(
        "\(JSONWriter.text(.string(name))) is not a segment of a path: the collection is not served", at: key,
        help: "name it with letters, digits, `-`, `_`, `.` and `~`")
      return false
    }
    return true
  }

  private mutating func report(
    _ message: String, at value: JSON, severity: Severity = .error, notes: [Diagnostic.Note] = [], help: String? = nil
  ) {
    guard findings.count < Self.findingLimit else { return omitted += 1 }
    findings.append(
      Diagnostic(.dataInvalid, message, at: Location(start: value), severity: severity, notes: notes, help: help))
  }

  /// Finds the references between the collections that were read, and counts the findings beyond the limit.
  mutating func connect() {
    if omitted > 0, let last = findings.last {
      findings.append(Diagnostic(.dataInvalid, "\(omitted.counted("more finding")) of this kind", at: last.location))
    }
    let names = collections.filter { !$0.isSingle }.map(\.name)
    var (rest, isReported) = (Self.referenceLimit, false)
    for index in collections.indices where !collections[index].isSingle {
      let found = collections[index].schema.names.compactMap { member in
        DataReference.collection(of: member, among: names).map { (member, $0) }
      }
      collections[index].references = Array(found.prefix(rest))
      if found.count > rest, !isReported {
        isReported = true
        report(
          "more than \(Self.referenceLimit) references between collections: `\(found[rest].0)` of "
            + "`\(collections[index].name)` and the references after it are plain members", at: collections[index].key,
          severity: .warning, help: "divide the file: several files can be served together")
      }
      rest -= min(rest, found.count)
    }
  }
}
