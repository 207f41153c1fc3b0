/// A hash table of names: open addressing over a range of the program's slots.
///
/// The hash is cheap, and the author of a document can choose names that collide. A name is therefore within reach of
/// the slot of its hash, or among the strays of the program, which are hashed by all of their bytes.
struct NameTable {
  /// The slots to look at for one name; in a half-full table random names need far fewer.
  static let reach = 32

  var first: UInt32
  /// One less than the number of slots, a power of two.
  var mask: UInt32

  /// One slot; the name is in the program's text.
  struct Slot {
    var hash: UInt32
    var offset: UInt32
    var length: UInt32
    /// The value of the name; `empty` marks a free slot.
    var value: UInt32

    static let empty = UInt32.max
  }
}

/// A name without a free slot within reach.
struct StrayName: Hashable {
  /// The first slot of its table.
  let table: UInt32
  let name: [UInt8]

  init(_ name: UnsafeBufferPointer<UInt8>, in table: NameTable) {
    self.table = table.first
    self.name = Array(name)
  }
}

/// The assertions about an object's members, all checked in one loop over the members.
struct ObjectPlan {
  /// From names to entries.
  var names: NameTable
  /// The first entry; the values of names are relative to it.
  var entries: UInt32
  var requiredCount: UInt32
  /// First and number of the `patternProperties`.
  var patterns: UInt32
  var patternCount: UInt32
  /// The branch of members that no name and no pattern matches.
  var additional: UInt32
  var hasAdditional: Bool
  var marks: Bool

  /// A name in `properties` or `required`.
  struct Entry {
    /// Whether the name is in `properties`.
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
  /// The allowed ones of null, false and true.
  var literals: JSONTypeSet
  var strings: NameTable
  /// First and number of the other values, in the program's constants.
  var others: UInt32
  var otherCount: UInt32
}

/// A value of an `enum` or `const` that is neither a literal nor a string; the program owns the document.
struct Constant {
  let document: Unmanaged<JSONDocument>
  let index: Int

  init(_ value: JSON) {
    document = .passUnretained(value.document)
    index = value.index
  }
}

/// A number to compare with; the program has its exact decimal under the same index.
struct NumberOperand {
  var integer: Int64
  var isInteger: Bool
  /// The number, if it has few digits.
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

/// A node in one of the documents of a program.
struct Origin: Hashable {
  private let documentNumber: UInt32
  private let nodeNumber: UInt32

  init(document: Int, node: Int) {
    documentNumber = UInt32(truncatingIfNeeded: document)
    nodeNumber = UInt32(truncatingIfNeeded: node)
  }

  /// The number of the document.
  var document: Int { Int(documentNumber) }
  var node: Int { Int(nodeNumber) }
}
