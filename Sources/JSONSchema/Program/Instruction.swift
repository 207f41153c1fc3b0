/// One step of a compiled schema: 16 bytes in one flat array.
///
/// `a` and `b` are operands; most are an index into a side table of the program.
struct Instruction {
  enum Operation: UInt8 {
    /// `false`
    case fail
    /// A schema that cannot be evaluated: no value passes, not even under `not`; a: how many members a value must have to
    /// need what is broken.
    case refuse
    /// `type`; a: the allowed kinds. Only runs for kinds that are not allowed as such.
    case types
    /// `enum`, `const`; a: enumeration
    case enumeration
    /// a: number
    case minimum
    case maximum
    case exclusiveMinimum
    case exclusiveMaximum
    case multipleOf
    /// a: the bound
    case minLength
    case maxLength
    /// a: pattern
    case pattern
    /// a: `Format`; b: 1 when it is asserted strictly
    case format
    /// a: content
    case content
    /// a: the bound
    case minItems
    case maxItems
    case uniqueItems
    /// a: first branch; b: how many
    case prefixItems
    /// a: branch; b: how many elements it skips
    case items
    /// a: contains
    case contains
    /// a: the bound
    case minProperties
    case maxProperties
    /// `properties`, `patternProperties`, `additionalProperties` and `required` in one loop; a: object
    case members
    /// a: branch
    case propertyNames
    /// a: dependency
    case dependentRequired
    case dependentSchemas
    /// `$ref` and `allOf`. Before linking a: block; afterwards a: first instruction, b: one past the last.
    case call
    /// a: first branch; b: how many
    case anyOf
    case oneOf
    /// a: branch
    case not
    /// `if`; a: the first of three branches: if, then, else
    case condition
    /// a: branch
    case unevaluatedItems
    case unevaluatedProperties
  }

  var operation: Operation
  /// The kinds of instance that it applies to.
  var applies: JSONTypeSet
  var flags: Flags
  var a: UInt32
  var b: UInt32
  /// The keyword's value node, or the schema where more than one keyword counts: a number of the program's origins.
  var origin: UInt32

  struct Flags: OptionSet {
    let rawValue: UInt8

    /// Evaluated children are noted for a later `unevaluated*`.
    static let marks = Flags(rawValue: 1 << 0)
    /// Of `unevaluated*`: no schema outside needs the notes.
    static let forgets = Flags(rawValue: 1 << 1)
    /// Of `enumeration`: it is a `const`.
    static let isConst = Flags(rawValue: 1 << 2)
    /// Of `anyOf` and `oneOf`: a discriminator stands beside it.
    static let discriminates = Flags(rawValue: 1 << 3)
  }
}

/// A subschema as a range of instructions, with its leading `type` taken out to be tested without a call.
struct Branch {
  /// The first instruction behind the leading `type`.
  var start: UInt32
  var end: UInt32
  /// The kinds that the leading `type` allows; any when there is none.
  var kinds: JSONTypeSet
  /// Whether it is `false`.
  var isFalse: Bool

  /// All of its instructions, the leading `type` included.
  var wholeStart: UInt32 { kinds == .any ? start : start - 1 }
}
