/// The current schema object of the compiler; one context is reused for all of them.
struct SchemaContext {
  private(set) var document: JSONDocument
  /// The number of the document in the registry.
  private(set) var documentID = 0
  private(set) var index = 0
  private(set) var dialect = Dialect.draft2020
  private(set) var resource = -1
  private(set) var scope = 0
  /// The number of the set of names that its parts do not require.
  var exemptions: UInt16 = 0
  /// Whether evaluated children must be noted, for its own or an enclosing `unevaluated*`.
  private(set) var marks = false
  /// Whether an enclosing `unevaluated*` needs the notes.
  private(set) var isMarkedFromOutside = false
  /// Its keywords that the dialect defines.
  private(set) var present: KeywordSet = []
  /// The node of the value by keyword; valid only for present keywords.
  private var values = [Int](repeating: 0, count: Keyword.allCases.count)
  private let keywordsByName = Keyword.byName

  init(in document: JSONDocument) { self.document = document }

  /// Moves to a resource; returns whether its dialect is known.
  mutating func enter(resource: Int, of registry: borrowing ResourceRegistry) -> Bool {
    let entered = registry.resources[resource]
    guard let dialect = entered.dialect else { return false }
    self.resource = resource
    self.dialect = dialect
    documentID = entered.document
    document = registry.documents[documentID]
    return true
  }

  /// Moves to the schema object of a block in the current resource.
  mutating func enter(_ block: ProgramBuilder.Block) {
    index = block.place.node
    scope = Int(block.scope)
    exemptions = block.exemptions
    readKeywords()
    isMarkedFromOutside = block.marks
    marks = block.marks || hasUnevaluated
  }

  private mutating func readKeywords() {
    present = []
    var key = index + 1
    for _ in 0..<document.nodes[index].count {
      let hash = document.nodes[key].hash
      let keyword = document.withBytes(of: key) { keywordsByName.value(of: $0, hash: hash) }
      if let keyword, dialect.keywords.contains(keyword) {
        present.insert(keyword)
        // The last one of duplicate names counts.
        values[Int(keyword.rawValue)] = key + 1
      }
      key = document.end(of: key + 1)
    }
  }

  /// The schema itself.
  var node: JSON { JSON(document: document, index: index) }

  /// The value of a keyword that the dialect defines.
  subscript(keyword: Keyword) -> JSON? { position(of: keyword).map { json($0) } }

  /// The node of a keyword's value, without the reference counting of `JSON`, for the most common keywords.
  func position(of keyword: Keyword) -> Int? {
    present.contains(keyword) ? values[Int(keyword.rawValue)] : nil
  }

  func isTrue(_ keyword: Keyword) -> Bool { position(of: keyword).map { kind(of: $0) == .true } ?? false }

  func kind(of node: Int) -> JSON.Kind { document.nodes[node].kind }

  /// The nodes of the elements of an array; none for any other value.
  func elements(of node: Int) -> Children {
    let count = kind(of: node) == .array ? document.nodes[node].count : 0
    return Children(document: document, child: node + 1, left: count, skip: 0)
  }

  /// The nodes of the keys of an object, each directly before its value; none for any other value.
  func keys(of node: Int) -> Children {
    let count = kind(of: node) == .object ? document.nodes[node].count : 0
    return Children(document: document, child: node + 1, left: count, skip: 1)
  }

  var noChildren: Children { Children(document: document, child: index, left: 0, skip: 0) }

  func json(_ node: Int) -> JSON { JSON(document: document, index: node) }

  /// Nodes of children, in order.
  struct Children: Sequence, IteratorProtocol {
    let document: JSONDocument
    var child: Int
    var left: UInt32
    /// The distance from the child to the value that precedes the next child.
    let skip: Int

    var count: Int { Int(left) }

    mutating func next() -> Int? {
      guard left > 0 else { return nil }
      left -= 1
      defer { child = document.end(of: child + skip) }
      return child
    }
  }

  var hasUnevaluated: Bool { present.contains(.unevaluatedItems) || present.contains(.unevaluatedProperties) }
  var markFlags: Instruction.Flags { marks ? .marks : [] }
}
