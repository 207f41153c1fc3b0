/// Tells data, as json-server serves it, from contracts and from files of other tools.
enum DataDetection {
  /// Whether a member describes the file and is no collection.
  static func isAside(_ member: JSON.Member) -> Bool { member.name == "$schema" && member.value.isString }

  /// Whether an object consists of collections: lists of objects, and singular objects.
  ///
  /// A list of other values is reported where the others are read.
  static func isData(_ root: JSON) -> Bool {
    guard root.isObject, root["paths"]?.isObject != true, root["routes"]?.isObject != true else { return false }
    let members = root.distinctMembers.filter { !isAside($0) }
    return members.allSatisfy { $0.value.isObject || $0.value.isArray } && members.contains { isCollection($0.value) }
  }

  /// A member of a document with collections that is neither a list nor an object.
  static func oddMember(of root: JSON) -> JSON.Member? {
    guard root.members.contains(where: { $0.value.isArray && $0.value.count > 0 && isCollection($0.value) }) else {
      return nil
    }
    return root.members.first { !isAside($0) && !$0.value.isObject && !$0.value.isArray }
  }

  private static func isCollection(_ value: JSON) -> Bool {
    value.isObject || value.isArray && value.elements.allSatisfy(\.isObject)
  }

  /// Whether a file name is that of data: contracts in YAML are never taken for data.
  static func isNamed(_ path: String) -> Bool { Path.fileExtension(of: path).lowercased() == "json" }

  /// The files of a folder of data; `nil` for any other folder, such as one with the parts of a contract.
  static func files(in folder: String, _ store: DocumentStore) -> [JSON]? {
    let names = ((try? FileSystem.list(folder)) ?? []).filter { !$0.isFolder && isNamed($0.name) }.map(\.name)
    guard !names.isEmpty, names.count <= DataReader.collectionLimit else { return nil }
    var files: [JSON] = []
    for name in names {
      guard case .success(let document) = store.document(at: Path.join(folder, name)) else { return nil }
      files.append(document.root)
    }
    return files.allSatisfy(isFile) ? files : nil
  }

  /// Whether a file of a folder is a list of objects, or an object without a sign of another format.
  private static func isFile(_ root: JSON) -> Bool {
    if root.isArray { return root.elements.allSatisfy(\.isObject) }
    let signs = ["openapi", "swagger", "asyncapi", "$schema", "$ref", "$defs", "paths", "components", "definitions"]
    return root.isObject && !signs.contains { root[$0] != nil }
  }
}
