/// One schema object while it is compiled.
struct SchemaContext {
  let node: JSON
  let dialect: Dialect
  let resource: Int
  let scope: Int
  /// Whether what it evaluates must be noted: for its own `unevaluated*`, or for one outside.
  let marks: Bool
  /// Whether an `unevaluated*` outside asks for the notes.
  let isMarkedFromOutside: Bool
  let block: Int
  var code: [Instruction] = []
  private var keywords: [Keyword: JSON] = [:]

  init(_ node: JSON, _ dialect: Dialect, resource: Int, scope: Int, marks: Bool, block: Int) {
    self.node = node
    self.dialect = dialect
    self.resource = resource
    self.scope = scope
    self.block = block
    for member in node.members {
      guard let keyword = Keyword.named(member.name), dialect.keywords.contains(keyword) else { continue }
      keywords[keyword] = member.value
    }
    isMarkedFromOutside = marks
    self.marks = marks || keywords[.unevaluatedItems] != nil || keywords[.unevaluatedProperties] != nil
  }

  /// The value of a keyword, when the dialect knows it.
  subscript(keyword: Keyword) -> JSON? { keywords[keyword] }

  var hasUnevaluated: Bool { self[.unevaluatedItems] != nil || self[.unevaluatedProperties] != nil }
  var markFlags: Instruction.Flags { marks ? .marks : [] }
}
