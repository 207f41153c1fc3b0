/// What distinguishes the bodies of one cell: members, types, nulls, empty lists, and the values of small enums.
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
    /// A value of a small enum, or a constant.
    case value(String)
  }

  /// Outside of lists and maps.
  private(set) var outer: Set<Fact> = []
  /// Inside of lists and maps.
  private(set) var inner: Set<Fact> = []

  /// Enums with more values are data, such as the countries of the world.
  static let enumLimit = 32
  /// Facts beyond this number are ignored: they come from objects whose keys are data.
  static let factLimit = 10_000

  init(_ value: JSON, _ schema: ResolvedSchema = .any) { add(value, schema, at: "", isInner: false) }

  /// Recursive, since the parser limits the depth.
  private mutating func add(_ value: JSON, _ schema: ResolvedSchema, at pointer: String, isInner: Bool) {
    guard outer.count + inner.count < Self.factLimit else { return }
    insert(Fact(pointer: pointer, state: Self.state(of: value, schema)), isInner)
    switch value.kind {
    case .array:
      let element = schema.element
      for item in value.elements { add(item, element, at: pointer + "/*", isInner: true) }
    case .object:
      for member in value.members {
        let property = schema.property(member.name)
        if property == nil, schema.describesOthers || VolatileText.isKey(member.name) {
          add(member.value, schema.other, at: pointer + "/*", isInner: true)
        } else {
          add(
            member.value, property ?? .any, at: "\(pointer)/\(JSONPointer.escape(member.name))", isInner: isInner)
        }
      }
    default: break
    }
  }

  private mutating func insert(_ fact: Fact, _ isInner: Bool) {
    if isInner { inner.insert(fact) } else { outer.insert(fact) }
  }

  private static func state(of value: JSON, _ schema: ResolvedSchema) -> State {
    switch value.kind {
    case .null: return .null
    case .object: return .object
    case .array: return value.count == 0 ? .emptyList : .list
    case .true, .false: return isNamed(schema) ? .value(value.description) : .boolean
    case .number: return isNamed(schema) ? .value(value.text) : .number
    case .string: return isNamed(schema) ? .value(value.text) : .text
    }
  }

  /// Whether the schema lists the values.
  private static func isNamed(_ schema: ResolvedSchema) -> Bool {
    schema.enumeration.map { $0.count <= enumLimit } ?? schema.has(.const)
  }
}

extension BodyShape {
  /// The states of every pointer.
  var states: [String: Set<State>] {
    (Array(outer) + Array(inner)).reduce(into: [:]) { $0[$1.pointer, default: []].insert($1.state) }
  }
}

extension BodyShape.State {
  /// The JSON type, for a message.
  var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .text, .value: "string"
    case .object: "object"
    case .list, .emptyList: "array"
    }
  }
}
