/// One step of a compiled schema: 16 bytes in one flat array.
///
/// `a` and `b` are operands; most are an index into a side table of the program.
struct Instruction {
  enum Operation: UInt8 {
    /// `false`
    case fail
    /// A part of a schema that cannot be evaluated: no value passes, not even under `not`; a: the number of members
    /// from which on a value needs that part.
    case refuse
    /// `type`; a: the allowed types. Runs only for kinds of nodes that do not prove an allowed type.
    case types
    /// `enum`, `const`; a: enumeration
    case enumeration
    /// a: number
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    /// a: the bound
    case minLength, maxLength, minItems, maxItems, minProperties, maxProperties
    /// a: pattern
    case pattern
    /// a: `Format`; b: 1 when it is asserted strictly
    case format
    /// a: content
    case content
    case uniqueItems
    /// a: first branch; b: the number of branches
    case prefixItems
    /// a: branch; b: the number of elements that it skips
    case items
    /// a: contains
    case contains
    /// `properties`, `patternProperties`, `additionalProperties` and `required` in one loop; a: object
    case members
    /// a: branch
    case propertyNames
    /// a: dependency
    case dependentRequired, dependentSchemas
    /// `$ref` and `allOf`. Before linking a: block; afterwards a: first instruction, b: one past the last.
    case call
    /// a: first branch; b: the number of branches
    case anyOf, oneOf
    /// a: branch
    case not
    /// `if`; a: the first of three branches: if, then, else
    case condition
    /// a: branch
    case unevaluatedItems, unevaluatedProperties
  }

  var operation: Operation
  /// The types of values that it applies to.
  var applies: JSONTypeSet
  var flags: Flags
  var a: UInt32
  var b: UInt32
  /// The number of its origin: the node of the keyword's value, or the schema when several keywords count.
  var origin: UInt32

  struct Flags: OptionSet {
    let rawValue: UInt8

    /// Evaluated children are noted for a later `unevaluated*`.
    static let marks = Flags(rawValue: 1 << 0)
    /// `unevaluated*`: no enclosing schema needs the notes.
    static let forgets = Flags(rawValue: 1 << 1)
    /// `enumeration`: the keyword is `const`.
    static let isConst = Flags(rawValue: 1 << 2)
    /// `anyOf`, `oneOf`: the schema has a discriminator.
    static let discriminates = Flags(rawValue: 1 << 3)
  }
}

/// A subschema as a range of instructions; its leading `type` is kept apart, so that testing it needs no call.
struct Branch {
  /// The first instruction after the leading `type`.
  var start: UInt32
  var end: UInt32
  /// The types that the leading `type` allows; `any` without one.
  var kinds: JSONTypeSet
  /// Whether the subschema is `false`.
  var isFalse: Bool

  /// The first instruction, the leading `type` included.
  var wholeStart: UInt32 { kinds == .any ? start : start - 1 }
}
