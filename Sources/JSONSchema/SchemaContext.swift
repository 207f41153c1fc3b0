/// The schema object that is being compiled; one context serves all of them, one after the other.
struct SchemaContext {
  private(set) var document: JSONDocument
  /// The number of the document in the registry.
  private(set) var documentID = 0
  private(set) var index = 0
  private(set) var dialect = Dialect.draft2020
  private(set) var resource = -1
  private(set) var scope = 0
  /// The names that its parts need not require, as the number of a set.
  var exemptions: UInt16 = 0
  /// Whether what it evaluates must be noted: for its own `unevaluated*`, or for one outside.
  private(set) var marks = false
  /// Whether an `unevaluated*` outside asks for the notes.
  private(set) var isMarkedFromOutside = false
  /// The keywords that it has and its dialect knows.
  private(set) var present: KeywordSet = []
  /// By keyword the node of the value; valid only for keywords that are present.
  private var values = [Int](repeating: 0, count: Keyword.allCases.count)
  private let keywordsByName = Keyword.byName

  init(in document: JSONDocument) { self.document = document }

  /// Goes on to a resource; `false` when its dialect is not known.
  mutating func enter(resource: Int, of registry: borrowing ResourceRegistry) -> Bool {
    let entered = registry.resources[resource]
    guard let dialect = entered.dialect else { return false }
    self.resource = resource
    self.dialect = dialect
    documentID = entered.document
    document = registry.documents[documentID]
    return true
  }

  /// Goes on to the schema object of a block in the resource that was entered.
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
        // Of duplicate names the last is read.
        values[Int(keyword.rawValue)] = key + 1
      }
      key = document.end(of: key + 1)
    }
  }

  /// The schema itself.
  var node: JSON { JSON(document: document, index: index) }

  /// The value of a keyword, when the dialect knows it.
  subscript(keyword: Keyword) -> JSON? { position(of: keyword).map { json($0) } }

  /// The node of a keyword's value: for what stands in nearly every schema, where counting references would show.
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

  /// The nodes of the keys of an object, each with its value behind it; none for any other value.
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
    /// How far behind the child the value stands that the next one follows.
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
