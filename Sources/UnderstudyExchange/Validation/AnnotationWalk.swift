/// Finds properties of a valid value that no keyword validates: readOnly, writeOnly, deprecated and undeclared ones,
/// discriminators that name no schema, and dates outside the limits of the contract.
struct AnnotationWalk {
  struct Note {
    enum Kind { case hidden, deprecated, undeclared, discriminator, format, timeLimit }

    var kind: Kind
    var pointer: JSONPointer
    var message: String
    var schema: JSON
  }

  private let library: SchemaLibrary
  private let direction: Direction
  private let looksForUndeclared: Bool
  private let looksForTimeLimits: Bool
  private(set) var notes: [Note] = []
  private let budget: WorkBudget
  private var visits = 5_000
  private let patterns = NamePatterns()

  private static let noteLimit = 20
  private static let depthLimit = 64
  /// The cost of reading a schema, in units of `WorkBudget`.
  private static let costOfSchema = 20
  private static let schemaLimit = 200

  init(_ schema: LazySchema, looksForUndeclared: Bool, within budget: WorkBudget) {
    self.budget = budget
    library = schema.library
    direction = schema.direction
    self.looksForUndeclared = looksForUndeclared
    looksForTimeLimits = direction == .request && !schema.annotations.isDisjoint(with: .timeLimit)
  }

  mutating func visit(_ value: JSON, _ schemas: [JSON], _ pointer: JSONPointer = JSONPointer()) {
    guard visits > 0, notes.count < Self.noteLimit, pointer.tokens.count < Self.depthLimit else { return }
    if value.isString {
      if looksForTimeLimits { validateTimeLimits(value, schemas, pointer) }
      return validateFormats(value, schemas, pointer)
    }
    guard value.isObject || value.isArray else { return }
    visits -= 1
    let parts = applicable(schemas, to: value)
    if value.isArray {
      let items = parts.map { (first: $0.elements(of: .prefixItems), rest: $0[.items]) }
      guard items.contains(where: { !$0.first.isEmpty || $0.rest?.isObject == true }) else { return }
      for (position, element) in value.elements.enumerated() {
        let own = items.compactMap { position < $0.first.count ? $0.first[position] : $0.rest }
        visit(element, own, pointer + String(position))
      }
      return
    }
    for part in parts { validateDiscriminator(part, value, pointer) }
    let patterned = parts.flatMap { $0[.patternProperties].map { Array($0.members) } ?? [] }
    for member in value.members { visit(member, parts, patterned, pointer + member.name) }
  }

  private mutating func validateTimeLimits(_ value: JSON, _ schemas: [JSON], _ pointer: JSONPointer) {
    visits -= 1
    let text = value.text
    for part in applicable(schemas, to: value) {
      let limits = TimeLimit.all(of: part.schema)
      if !limits.isEmpty { Observations.note { $0.dependsOnMore = true } }
      for limit in limits where limit.isExceeded(by: text, at: Timestamp.microseconds()) {
        note(.timeLimit, pointer, limit.message(text), limit.node)
      }
    }
  }

  /// If several alternatives accept a text, it is enough that one of them has no format, or one that the text keeps.
  private mutating func validateFormats(_ value: JSON, _ schemas: [JSON], _ pointer: JSONPointer) {
    guard direction == .response else { return }
    visits -= 1
    for schema in schemas where budget.charge(Self.costOfSchema) {
      let view = library.resolved(schema)
      for part in view.parts {
        guard let problem = library.brokenAnnotation(of: part.schema, by: value.text) else { continue }
        note(.format, pointer, problem, part.schema["format"] ?? part.schema)
      }
      let accepting = view.alternatives.filter {
        library.schema(at: $0, direction: direction).accepts(value, within: budget)
      }
      let broken = accepting.compactMap { branch in brokenFormat(of: branch, by: value.text) }
      guard let first = broken.first, broken.count == accepting.count else { continue }
      note(.format, pointer, first.problem, first.schema["format"] ?? first.schema)
    }
  }

  private func brokenFormat(of schema: JSON, by text: String) -> (problem: String, schema: JSON)? {
    for part in library.resolved(schema).parts {
      if let problem = library.brokenAnnotation(of: part.schema, by: text) { return (problem, part.schema) }
    }
    return nil
  }

  private mutating func visit(
    _ member: JSON.Member, _ parts: [ResolvedSchema.Part], _ patterned: [JSON.Member], _ pointer: JSONPointer
  ) {
    var named = parts.compactMap { $0[.properties]?[member.name] }
    for declared in patterned where patterns.matches(declared.name, member.name, within: budget) {
      named.append(declared.value)
    }
    let others = parts.compactMap { $0[.additionalProperties] }
    // By name, since annotations count in dialects that do not act on them.
    let meanings = applicable(named, to: member.value).map(\.schema)
    let keyword = direction == .request ? "readOnly" : "writeOnly"
    if let flag = meanings.lazy.compactMap({ $0[keyword] }).first(where: { $0.bool == true }) {
      note(.hidden, pointer, "`\(member.name)` is \(keyword)", flag)
    } else if let flag = meanings.lazy.compactMap({ $0["deprecated"] }).first(where: { $0.bool == true }) {
      note(.deprecated, pointer, "the property `\(member.name)` is deprecated", flag)
    }
    if looksForUndeclared, named.isEmpty, others.isEmpty,
      let properties = parts.lazy.compactMap({ $0[.properties] }).first,
      !parts.contains(where: { $0[.patternProperties] != nil || $0[.unevaluatedProperties] != nil })
    {
      note(.undeclared, pointer, "the contract declares no property `\(member.name)`", properties)
    }
    visit(member.value, named.isEmpty ? others.filter(\.isObject) : named, pointer)
  }

  /// The schema objects that apply to a value: all parts, and the alternatives that accept it.
  private func applicable(_ schemas: [JSON], to value: JSON) -> [ResolvedSchema.Part] {
    var parts: [ResolvedSchema.Part] = []
    var pending = schemas
    while let schema = pending.popLast(), parts.count < Self.schemaLimit, budget.charge(Self.costOfSchema) {
      let view = library.resolved(schema)
      parts += view.parts
      pending += view.alternatives.filter {
        library.schema(at: $0, direction: direction).accepts(value, within: budget)
      }
    }
    return parts
  }

  /// A discriminator does not decide what is valid (OAS 3.1, 4.8.25), so an unknown name is only a note.
  private mutating func validateDiscriminator(
    _ part: ResolvedSchema.Part, _ value: JSON, _ pointer: JSONPointer
  ) {
    guard let discriminator = part[.discriminator],
      let property = discriminator["propertyName"]?.string ?? discriminator.string,
      let text = value[property]?.string, discriminator["mapping"]?[text] == nil,
      discriminator["defaultMapping"] == nil
    else { return }
    let branches = part.elements(of: .oneOf) + part.elements(of: .anyOf)
    let names = branches.compactMap { $0["$ref"]?.string.flatMap { $0.split(separator: "/").last } }
    let root = JSON(document: part.schema.document, index: 0)
    let components = root["components"]?["schemas"] ?? root["definitions"]
    guard !(branches.isEmpty ? components?[text] != nil : names.contains { $0.utf8.elementsEqual(text.utf8) }) else {
      return
    }
    note(
      .discriminator, pointer + property, "`\(property)` is `\(text)`, which names no schema of its discriminator",
      discriminator)
  }

  private mutating func note(_ kind: Note.Kind, _ pointer: JSONPointer, _ message: String, _ schema: JSON) {
    if notes.count < Self.noteLimit, !notes.contains(where: { $0.kind == kind && $0.pointer == pointer }) {
      notes.append(Note(kind: kind, pointer: pointer, message: message, schema: schema))
    }
  }
}
