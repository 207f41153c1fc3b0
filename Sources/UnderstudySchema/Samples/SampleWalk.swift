/// A walk through a sample in document order, with the schemas of each part; visits only the first element of an array.
struct SampleWalk {
  private let attempt: SampleAttempt
  private let whole: JSON
  private var pending: [(value: JSON, schemas: [JSON], pointer: JSONPointer)]
  private var last: Part?

  struct Part {
    let value: JSON
    let schema: SchemaIntersection
    let pointer: JSONPointer
  }

  init(_ whole: JSON, _ schema: JSON, _ attempt: SampleAttempt) {
    self.attempt = attempt
    self.whole = whole
    pending = [(value: whole, schemas: [schema], pointer: JSONPointer())]
  }

  mutating func next() -> Part? {
    if let last { pushChildren(of: last) }
    guard !attempt.budget.isSpent, let (value, schemas, pointer) = pending.popLast() else { return nil }
    let part = Part(value: value, schema: intersection(of: schemas, matching: value), pointer: pointer)
    last = part
    return part
  }

  /// The whole sample with another value for a part.
  func replacing(_ part: Part, with value: JSON) -> JSON { whole.replacing(part.pointer.tokens[...], with: value) }

  private mutating func pushChildren(of part: Part) {
    guard part.pointer.tokens.count < SampleAttempt.maximumDepth else { return }
    let children = attempt.children
    let elements = part.value.elements.prefix(1).map { ($0, children.ofElement(0, in: part.schema), "0") }
    let members = part.value.members.map { ($0.value, children.ofProperty($0.name, in: part.schema), $0.name) }
    pending += (elements + members).filter { !$0.1.isEmpty }.reversed().map { ($0, $1, part.pointer + $2) }
  }

  /// The schemas with the branches that the value fits.
  private func intersection(of origins: [JSON], matching value: JSON) -> SchemaIntersection {
    var schema = attempt.intersection(of: origins)
    var position = 0
    while position < schema.choices.count, !attempt.budget.isSpent {
      let branches = schema.choices[position].branches
      if let taken = branches.first(where: { attempt.validator.accepts(value, $0) }) {
        schema.add(taken, attempt.reader)
      }
      position += 1
    }
    return schema
  }
}

extension JSON {
  /// The document with another value in one place.
  fileprivate func replacing(_ way: ArraySlice<String>, with value: JSON) -> JSON {
    guard let token = way.first else { return value }
    let rest = way.dropFirst()
    if isArray {
      return .array(elements.enumerated().map { String($0) == token ? $1.replacing(rest, with: value) : $1 })
    }
    return .object(
      members.map { ($0.name, $0.key.isString(token) ? $0.value.replacing(rest, with: value) : $0.value) })
  }
}
