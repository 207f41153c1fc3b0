/// A hash table of names: open addressing over a range of the program's slots.
struct NameTable {
  var first: UInt32
  /// One less than the number of slots, a power of two.
  var mask: UInt32

  /// One slot; the name stands in the program's text.
  struct Slot {
    var hash: UInt32
    var offset: UInt32
    var length: UInt32
    /// What the name stands for; `empty` marks a free slot.
    var value: UInt32

    static let empty = UInt32.max
  }
}

/// What an object's members are held against, all in one loop over the members.
struct ObjectPlan {
  /// From names to entries.
  var names: NameTable
  /// First of the entries that the names' values count from.
  var entries: UInt32
  var requiredCount: UInt32
  /// First and number of the `patternProperties`.
  var patterns: UInt32
  var patternCount: UInt32
  /// Branch for the members that no name and no pattern matched.
  var additional: UInt32
  var hasAdditional: Bool
  var marks: Bool

  /// A name in `properties` or `required`.
  struct Entry {
    /// Whether the name stands in `properties`.
    var isDeclared: Bool
    var isRequired: Bool
    var branch: Branch
  }

  struct PatternEntry {
    var pattern: UInt32
    var branch: UInt32
  }
}

/// The allowed values of `enum` or `const`.
struct Enumeration {
  /// Which of null, false and true are allowed.
  var literals: Kinds
  var strings: NameTable
  /// First and number of the other values: nodes in the program's constants.
  var others: UInt32
  var otherCount: UInt32
}

/// A number to compare with; the exact decimal stands in the program under the same index.
struct NumberOperand {
  var integer: Int64
  var isInteger: Bool
  /// The number itself, where it has few digits.
  var scaled: ScaledNumber?
}

struct ContainsPlan {
  var branch: UInt32
  var minimum: UInt32
  var maximum: UInt32
  var marks: Bool
}

/// One entry of `dependentRequired` or `dependentSchemas`.
struct Dependency {
  var nameOffset: UInt32
  var nameLength: UInt32
  var nameHash: UInt32
  /// `dependentRequired`: first and number of the names; `dependentSchemas`: the branch.
  var first: UInt32
  var count: UInt32
}

/// A name in the program's text.
struct NameReference {
  var offset: UInt32
  var length: UInt32
  var hash: UInt32
}

/// Text for people and tools about the branches of an `anyOf` or `oneOf`; never read when a value is merely accepted.
struct ChoiceNotes: Sendable {
  /// A branch's name: that of the component it refers to, its title, or none.
  var names: [String?]
  /// The property that names the branch, and the branch of each of its values (OpenAPI's discriminator).
  var discriminator: (property: String, branches: [String: Int])?
}

/// Different names in the order in which they came.
struct NameList {
  private(set) var references: [NameReference] = []
  /// The first name of each hash, which is nearly always the only one.
  private var byHash: [UInt32: Int] = [:]
  /// The names whose hash another one had before.
  private var byText: [[UInt8]: Int] = [:]

  /// Where the name stands, when it is there already; else it is added and `nil` is the answer.
  mutating func position(of name: NameReference, in text: [UInt8]) -> Int? {
    func spelling(_ name: NameReference) -> ArraySlice<UInt8> { text[Int(name.offset)...].prefix(Int(name.length)) }
    guard let first = byHash[name.hash] else {
      byHash[name.hash] = references.count
      references.append(name)
      return nil
    }
    if spelling(references[first]) == spelling(name) { return first }
    let key = Array(spelling(name))
    if let known = byText[key] { return known }
    byText[key] = references.count
    references.append(name)
    return nil
  }
}
