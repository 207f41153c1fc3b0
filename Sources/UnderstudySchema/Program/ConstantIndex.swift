/// Finds the values of a long `enum` by their hashes.
struct ConstantIndex: Sendable {
  /// With up to this many values, comparing with each is as fast.
  static let minimum: UInt32 = 8

  private struct Key: Hashable {
    let enumeration: UInt32
    let hash: Int
  }

  /// Positions in the program's constants: more than one if hashes collide or a value is listed twice.
  private var positions: [Key: [UInt32]] = [:]

  init(_ enumerations: borrowing Table<Enumeration>, _ constants: [JSON]) {
    for id in 0..<enumerations.count {
      let enumeration = enumerations.base[id]
      guard enumeration.otherCount > Self.minimum else { continue }
      for position in enumeration.others..<enumeration.others + enumeration.otherCount {
        let key = Key(enumeration: UInt32(id), hash: ValueIdentity.hash(of: constants[Int(position)]))
        positions[key, default: []].append(position)
      }
    }
  }

  func positions(of hash: Int, in enumeration: UInt32) -> [UInt32] {
    positions[Key(enumeration: enumeration, hash: hash)] ?? []
  }
}
