import UnderstudySystem

/// Resolves `$ref` within a document, into other files and through chains, relative to the file of each reference.
package final class ReferenceResolver: Sendable {
  package let store: DocumentStore
  private let cache = Lock(Cache())

  private struct Cache {
    var targets: [Key: Result<JSON, ReferenceFailure>] = [:]
    var tables: [NodeID: MemberTable] = [:]
    var identifiers: [ObjectIdentifier: IdentifierIndex] = [:]
  }

  private struct Key: Hashable {
    var document: ObjectIdentifier
    /// The index of the enclosing resource where documents name resources by `$id`; else 0.
    var resource: Int
    var text: [UInt8]

    /// Hashes the text as a whole, several times as fast as byte by byte.
    func hash(into hasher: inout Hasher) {
      hasher.combine(document)
      hasher.combine(resource)
      text.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  package init(store: DocumentStore) { self.store = store }

  /// The value that a reference string points to, one step.
  package func target(of reference: JSON) -> Result<JSON, ReferenceFailure> {
    let identifiers = identifiers(of: reference.document)
    let resource = identifiers.isEmpty ? nil : identifiers.resource(around: reference.index)
    let key = Key(document: ObjectIdentifier(reference.document), resource: resource?.root ?? 0, text: reference.bytes)
    if let known = cache.withLock({ $0.targets[key] }) { return known }
    let result = find(reference, identifiers, resource)
    cache.withLock { $0.targets[key] = result }
    return result
  }

  /// References in a row: enough for real contracts, and a bound, since a chain is walked once per link.
  package static let maximumChain = 100

  /// The end of a chain of Reference Objects.
  package func resolve(_ value: JSON) -> Result<JSON, ReferenceFailure> {
    var value = value
    var seen: Set<NodeID> = []
    while let reference = value.reference {
      guard seen.insert(value.id).inserted else { return .failure(.cycle) }
      guard seen.count <= Self.maximumChain else {
        return .failure(.malformed("it starts a chain of more than \(Self.maximumChain) references"))
      }
      switch target(of: reference) {
      case .success(let next): value = next
      case .failure(let failure): return .failure(failure)
      }
    }
    return .success(value)
  }

  private func find(
    _ reference: JSON, _ identifiers: IdentifierIndex, _ resource: IdentifierIndex.Resource?
  ) -> Result<JSON, ReferenceFailure> {
    let uri = URIReference(reference.text)
    let isLocal = uri.scheme == nil && uri.authority == nil && uri.path.isEmpty && uri.query == nil
    if isLocal {
      let root = JSON(document: reference.document, index: resource?.root ?? 0)
      return value(at: uri.fragment ?? "", below: root, identifiers, resource)
    }
    // A resource may carry its own absolute name: `$id` in a schema, `$self` in a 3.2 document.
    if let named = identifiers.resource(named: uri.resolved(against: resource?.uri ?? URIReference(""))) {
      let root = JSON(document: reference.document, index: named.root)
      return value(at: uri.fragment ?? "", below: root, identifiers, named)
    }
    guard let path = Self.location(of: uri, from: reference.path) else {
      return .failure(.malformed("its path has invalid percent-encoding"))
    }
    switch store.document(at: path, namedIn: reference.path) {
    case .success(let document):
      return value(at: uri.fragment ?? "", below: document.root, self.identifiers(of: document), nil)
    case .failure(let failure): return .failure(.document(store.place(of: path), failure))
    }
  }

  /// The path or URL of a reference in the file `base`; `nil` for invalid percent-encoding.
  package static func location(of uri: URIReference, from base: String) -> String? {
    let baseURI = URIReference(base)
    if uri.isRemote || (baseURI.isRemote && uri.scheme != "file") {
      return uri.resolved(against: baseURI).withoutFragment.description
    }
    // A file name may contain `?`, which starts the query of a URI.
    guard let path = PercentEncoding.decode((uri.path + (uri.query.map { "?" + $0 } ?? ""))) else { return nil }
    if uri.scheme == "file" || path.utf8.first == UInt8(ascii: "/") { return path }
    let folder = base.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(base[...$0]) } ?? ""
    return URIReference.removeDotSegments(folder + (uri.scheme.map { $0 + ":" } ?? "") + path)
  }

  private func value(
    at fragment: String, below root: JSON, _ identifiers: IdentifierIndex, _ resource: IdentifierIndex.Resource?
  ) -> Result<JSON, ReferenceFailure> {
    if fragment.isEmpty { return .success(root) }
    guard let decoded = PercentEncoding.decode(fragment) else {
      return .failure(.malformed("its fragment has invalid percent-encoding"))
    }
    guard decoded.utf8.first == UInt8(ascii: "/") else {
      if let index = identifiers.anchor(decoded, in: resource) {
        return .success(JSON(document: root.document, index: index))
      }
      return .failure(.malformed("`#\(fragment)` is not a JSON pointer, and no `$anchor` has that name"))
    }
    guard let pointer = JSONPointer(decoded) else {
      return .failure(.malformed("`~` stands alone in its fragment: write `~0` for `~` and `~1` for `/`"))
    }
    var value = root
    for token in pointer.tokens {
      guard let next = child(token, of: value) else { return .failure(.missing(token: token, parent: value)) }
      value = next
    }
    return .success(value)
  }

  /// A member or element; large objects are indexed, since thousands of references may go through one.
  private func child(_ token: String, of value: JSON) -> JSON? {
    guard value.isObject, value.count > 64, value.document.duplicates.isEmpty else {
      return value[JSONPointer([token])]
    }
    let table = cache.withLock { cache in
      if let known = cache.tables[value.id] { return known }
      let table = MemberTable(value)
      cache.tables[value.id] = table
      return table
    }
    var token = token
    return token.withUTF8 { table.value(of: $0, in: value.document) }.map {
      JSON(document: value.document, index: $0)
    }
  }

  private func identifiers(of document: JSONDocument) -> IdentifierIndex {
    cache.withLock { cache in
      let key = ObjectIdentifier(document)
      if let known = cache.identifiers[key] { return known }
      let index = IdentifierIndex(document)
      cache.identifiers[key] = index
      return index
    }
  }
}
