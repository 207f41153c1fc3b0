/// The members of a set of scalars in the order in which samples use them.
struct Alphabet: Sendable {
  /// The most readable members: letters and digits of ASCII, else its signs, else Latin letters, else any.
  let readable: [Unicode.Scalar]
  /// Signs and letters of all scripts; controls only if there are no others.
  let any: [Unicode.Scalar]
  let hasOneMember: Bool

  static let word = Alphabet(.word)

  init(_ set: ScalarSet) {
    hasOneMember = set.onlyMember != nil
    if let only = set.onlyMember.flatMap(Unicode.Scalar.init) {
      readable = [only]
      any = [only]
      return
    }
    let common = Self.readableFirst.lazy.map { kind in
      Self.members(of: ScalarSet(kind.flatMap { set.intersection($0).ranges }))
    }
    readable = common.first { !$0.isEmpty } ?? Self.members(of: set)
    let visible = set.intersection(Self.visible)
    // A set that excludes only a few scalars allows many that readers do not expect.
    let chosen = Self.members(of: visible.count > 5_000 ? set.intersection(Self.ascii) : visible)
    any = chosen.isEmpty ? readable : chosen
  }

  /// The first members, as many as samples choose from.
  private static func members(of set: ScalarSet) -> [Unicode.Scalar] {
    Array(set.ranges.lazy.joined().lazy.compactMap(Unicode.Scalar.init).prefix(1_000))
  }

  private static let ascii = ScalarSet("!"..."~")
  private static let visible = ScalarSet([0x20...0x7E, 0xA1...0xAC, 0xAE...0xD7FF, 0xF900...0xFDCF, 0x1F300...0x1FAFF])

  private static let readableFirst = [
    [ScalarSet("a"..."z"), ScalarSet("A"..."Z"), ScalarSet("1"..."9"), ScalarSet("0"..."0")],
    [ScalarSet("!"..."~")], [ScalarSet(" "..." ")], [ScalarSet("\u{A1}"..."\u{FF}")],
  ]
}
