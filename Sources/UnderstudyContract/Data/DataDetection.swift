/// Tells data, as json-server serves it, from contracts and from files of other tools.
enum DataDetection {
  /// Whether a member describes the file and is no collection.
  static func isAside(_ member: JSON.Member) -> Bool { member.name == "$schema" && member.value.isString }

  /// Whether an object consists of collections: lists of objects, and singular objects. One of objects alone may as well be a
  /// part of a contract. A list of other values is reported where the others are read.
  static func isData(_ root: JSON) -> Bool {
    guard root.isObject, root["paths"]?.isObject != true, root["routes"]?.isObject != true else { return false }
    let members = root.distinctMembers.filter { !isAside($0) }
    return members.allSatisfy { $0.value.isObject || $0.value.isArray } && members.contains { isList($0.value) }
  }

  /// A member of a document with collections that is neither a list nor an object.
  static func oddMember(of root: JSON) -> JSON.Member? {
    guard root.members.contains(where: { $0.value.count > 0 && isList($0.value) }) else {
      return nil
    }
    return root.members.first { !isAside($0) && !$0.value.isObject && !$0.value.isArray }
  }

  private static func isList(_ value: JSON) -> Bool { value.isArray && value.elements.allSatisfy(\.isObject) }

  /// Whether a file may be data by its name: YAML is always a contract.
  static func isNamed(_ path: String) -> Bool { Path.fileExtension(of: path).lowercased() == "json" }

  /// The files of a folder of data, and the findings about files that cannot be read; `nil` for any other folder, such as
  /// one with the parts of a contract.
  static func files(in folder: String, _ store: DocumentStore) -> (roots: [JSON], findings: [Diagnostic])? {
    let names = ((try? FileSystem.list(folder)) ?? []).filter { !$0.isFolder && isNamed($0.name) }.map(\.name)
    var (roots, findings): ([JSON], [Diagnostic]) = ([], [])
    for name in names.prefix(DataReader.collectionLimit + 1) {
      let path = Path.join(folder, name)
      switch store.document(at: path) {
      case .success(let document): roots.append(document.root)
      case .failure(let failure): findings.append(failure.diagnostic(of: "data file", at: path))
      }
    }
    let isData = roots.contains(where: isList) && !roots.contains(where: isPart)
    return isData ? (roots, findings) : nil
  }

  /// Whether a file belongs to a contract or to another format.
  private static func isPart(_ root: JSON) -> Bool {
    let signs = ["openapi", "swagger", "asyncapi", "$schema", "$ref", "$defs", "paths", "components", "definitions"]
    return root.isObject && signs.contains { root[$0] != nil }
  }
}
