/// What distinguishes the bodies of one cell: members, types, nulls, empty lists, the values of small enums, and the
/// branches of alternatives.
///
/// The elements of a list share one pointer, with `*` in place of the index, and so do the values of a map, whose keys are
/// data: in them only something new is a difference, since two lists are rarely alike.
struct BodyShape: Hashable, Sendable {
  /// `/items/*/status`, with its state.
  struct Fact: Hashable, Sendable {
    var pointer: String
    var state: State
  }

  enum State: Hashable, Sendable {
    case null, boolean, number, text, object, list, emptyList
    /// A number with a fraction, where fractions are marked and the schema does not document `number`.
    case fraction
    /// A value of a small enum, or a constant.
    case value(String)
    /// The name of the branch of a `oneOf` or `anyOf`, beside the state of the value itself.
    case branch(String)
  }

  /// Outside of lists and maps.
  private(set) var outer: Set<Fact> = []
  /// Inside of lists and maps.
  private(set) var inner: Set<Fact> = []

  /// Enums with more values are data, such as the countries of the world.
  static let enumLimit = 32
  /// Facts beyond this number are ignored: they come from objects whose keys are data.
  static let factLimit = 10_000

  private let marksFractions: Bool

  /// - Parameters:
  ///   - volatile: The places that do not count.
  ///   - marksFractions: Whether fractions are another state than integers.
  init(
    _ value: JSON, _ schema: ResolvedSchema = .any, volatile: VolatilePointers = VolatilePointers(),
    marksFractions: Bool = false
  ) {
    self.marksFractions = marksFractions
    add(value, schema, at: "", isInner: false, volatile)
  }

  /// Recursive, since the parser limits the depth.
  private mutating func add(
    _ value: JSON, _ schema: ResolvedSchema, at pointer: String, isInner: Bool, _ volatile: VolatilePointers
  ) {
    let kind = volatile[pointer]
    guard outer.count + inner.count < Self.factLimit, kind != .shape else { return }
    insert(Fact(pointer: pointer, state: state(of: value, schema, isVolatile: kind == .value)), isInner)
    if schema.hasAlternatives, let name = schema.branchName(of: value) {
      insert(Fact(pointer: pointer, state: .branch(name)), isInner)
    }
    switch value.kind {
    case .array:
      let element = schema.element
      for item in value.elements { add(item, element, at: pointer + "/*", isInner: true, volatile) }
    case .object:
      for member in value.members {
        let isKey = schema.isKey(member.name) || kind == .names && schema.property(member.name) == nil
        add(
          member.value, schema.schema(of: member.name),
          at: schema.pointer(of: member.name, at: pointer, isMap: kind == .names), isInner: isInner || isKey, volatile)
      }
    default: break
    }
  }

  private mutating func insert(_ fact: Fact, _ isInner: Bool) {
    if isInner { inner.insert(fact) } else { outer.insert(fact) }
  }

  private func state(of value: JSON, _ schema: ResolvedSchema, isVolatile: Bool) -> State {
    let isNamed = !isVolatile && schema.listsValues
    switch value.kind {
    case .null: return .null
    case .object: return .object
    case .array: return value.count == 0 ? .emptyList : .list
    case .true, .false: return isNamed ? .value(value.description) : .boolean
    case .number:
      if isNamed { return .value(value.text) }
      let isDocumented = schema.types != .any && schema.types.contains(.number)
      let isFraction = value.int == nil && value.text.utf8.contains(UInt8(ascii: "."))
      return marksFractions && !isVolatile && !isDocumented && isFraction ? .fraction : .number
    case .string: return isNamed ? .value(value.text) : .text
    }
  }

  /// The states of every pointer, without branches.
  var states: [String: Set<State>] {
    (Array(outer) + Array(inner)).reduce(into: [:]) { states, fact in
      if case .branch = fact.state { return }
      states[fact.pointer, default: []].insert(fact.state)
    }
  }

  /// The names of the branches at every pointer that has alternatives.
  var branches: [String: Set<String>] {
    (Array(outer) + Array(inner)).reduce(into: [:]) { branches, fact in
      if case .branch(let name) = fact.state { branches[fact.pointer, default: []].insert(name) }
    }
  }
}

extension ResolvedSchema {
  /// Whether the schema lists the values, so that each of them has a meaning.
  var listsValues: Bool { enumeration.map { $0.count <= BodyShape.enumLimit } ?? has(.const) }
}

extension BodyShape.State {
  /// The JSON type, for a message.
  var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .number, .fraction: "number"
    case .text, .value, .branch: "string"
    case .object: "object"
    case .list, .emptyList: "array"
    }
  }
}
