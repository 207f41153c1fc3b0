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
  private var present: KeywordSet = []
  /// In the order of the text; most schemas have so few that looking through them is fastest.
  private var keywords: [(keyword: Keyword, value: JSON)] = []

  init(_ node: JSON, _ dialect: Dialect, resource: Int, scope: Int, marks: Bool, block: Int) {
    self.node = node
    self.dialect = dialect
    self.resource = resource
    self.scope = scope
    self.block = block
    for member in node.members {
      guard let keyword = Keyword.named(member.key), dialect.keywords.contains(keyword) else { continue }
      present.insert(keyword)
      keywords.append((keyword, member.value))
    }
    isMarkedFromOutside = marks
    self.marks = marks || present.contains(.unevaluatedItems) || present.contains(.unevaluatedProperties)
  }

  /// The value of a keyword, when the dialect knows it.
  ///
  /// Of duplicate names the last is read.
  subscript(keyword: Keyword) -> JSON? {
    present.contains(keyword) ? keywords.last { $0.keyword == keyword }?.value : nil
  }

  var hasUnevaluated: Bool { present.contains(.unevaluatedItems) || present.contains(.unevaluatedProperties) }
  var markFlags: Instruction.Flags { marks ? .marks : [] }
}
