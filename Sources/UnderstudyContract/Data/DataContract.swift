/// Lowers data, as json-server serves it, into a contract: `db.json`, or a folder with a file for each collection.
enum DataContract {
  /// The contract of a data file, with the findings about its data; `nil` without any collection.
  static func contract(
    of root: JSON, named name: String
  ) -> (document: JSONDocument?, findings: [Diagnostic]) {
    var reader = DataReader()
    reader.add(membersOf: root)
    return document(of: &reader, named: name, source: root.document)
  }

  /// The contract of the files of a folder, each of which is a collection with the name of the file.
  static func contract(
    ofFiles files: [JSON], folder: String, named name: String
  ) -> (document: JSONDocument?, findings: [Diagnostic]) {
    var reader = DataReader()
    for root in files { reader.add(Path.stem(of: root.path), root, key: root) }
    return document(of: &reader, named: name, folder: folder)
  }

  private static func document(
    of reader: inout DataReader, named name: String, source: JSONDocument? = nil, folder: String = ""
  ) -> (document: JSONDocument?, findings: [Diagnostic]) {
    reader.connect()
    guard !reader.collections.isEmpty else { return (nil, reader.findings) }
    // The files of a folder have positions of their own, which one document cannot have.
    var builder = JSONBuilder(withRanges: source != nil)
    write(reader.collections, named: name, to: &builder)
    let file = source.map(\.source) ?? SourceFile(path: folder, bytes: [])
    return (builder.finish(source: file, duplicates: source?.duplicates ?? []), reader.findings)
  }

  private static func write(_ collections: [DataCollection], named name: String, to builder: inout JSONBuilder) {
    let paths = DataPaths(collections: collections)
    builder.begin(.object)
    for (key, value) in [
      ("openapi", "3.1.0"), ("info", ["title": .string(name), "version": "1"]),
      ("x-understudy", ["stateful": true]), ("x-understudy-resource", paths.descriptions),
    ] as [(String, JSON)] {
      builder.append(key: key)
      builder.append(value)
    }
    builder.append(key: "paths")
    builder.begin(.object)
    for collection in collections {
      for (path, item) in paths.items(of: collection) {
        builder.append(key: Array(path.utf8), at: collection.key.range)
        write(item, at: collection.key.range, to: &builder)
      }
    }
    builder.end()
    builder.append(key: "components")
    builder.begin(.object)
    builder.append(key: "schemas")
    builder.begin(.object)
    for collection in collections {
      let schema = collection.schema.object(id: collection.idMember, idSchema: collection.idSchema)
      builder.append(key: Array(collection.name.utf8), at: collection.key.range)
      write(schema, at: collection.key.range, to: &builder)
    }
    builder.end()
    builder.append(key: "examples")
    builder.begin(.object)
    for collection in collections { write(examplesOf: collection, to: &builder) }
    builder.end()
    builder.end()
    builder.end()
  }

  /// Writes a value that was made for a collection: findings about it name the key of the collection.
  private static func write(_ value: JSON, at range: Range<Int>?, to builder: inout JSONBuilder) {
    switch value.kind {
    case .object:
      builder.begin(.object, at: range)
      for member in value.members {
        builder.append(key: Array(member.name.utf8), at: range)
        write(member.value, at: range, to: &builder)
      }
      builder.end()
    case .array:
      builder.begin(.array, at: range)
      for element in value.elements { write(element, at: range, to: &builder) }
      builder.end()
    case .string: builder.append(string: Array(value.text.utf8), at: range)
    case .number: builder.append(number: Array(value.text.utf8), at: range)
    case .null, .true, .false: builder.append(value.kind, at: range)
    }
  }

  /// The data as examples: all items, and the first one or the singular object.
  private static func write(examplesOf collection: DataCollection, to builder: inout JSONBuilder) {
    func write(_ name: String, _ value: (inout JSONBuilder) -> Void) {
      builder.append(key: name)
      builder.begin(.object)
      builder.append(key: "value")
      value(&builder)
      builder.end()
    }
    if !collection.isSingle {
      write(collection.name) { builder in
        builder.begin(.array)
        for item in collection.items { Self.write(item, of: collection, to: &builder) }
        builder.end()
      }
    }
    if let first = collection.items.first {
      write("\(collection.name).first") { Self.write(first, of: collection, to: &$0) }
    }
  }

  private static func write(_ item: DataCollection.Item, of collection: DataCollection, to builder: inout JSONBuilder) {
    guard let id = item.id, let member = collection.idMember else { return builder.append(item.value) }
    builder.begin(.object, at: item.value.range)
    builder.append(key: member)
    builder.append(id)
    for other in item.value.distinctMembers where !other.name.utf8Equals(member) {
      builder.append(key: other.name)
      builder.append(other.value)
    }
    builder.end(upTo: item.value.range?.upperBound)
  }
}
