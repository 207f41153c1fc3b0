/// Tells references to groups that PCRE2 remembers and ECMA-262 forgets.
///
/// Each turn of a repetition begins with its groups forgotten (ECMA-262, 22.2.2.3.1, RepeatMatcher, step 4), while PCRE2
/// keeps what an earlier turn found: `^(?:(a)|b)*\1$` fits `ab` for the one, and `aba` for the other. So a reference to a
/// group inside of a repetition is reported, unless the group surely takes part in the turn that counts. So is one to a group
/// of the same lookbehind, which ECMA-262 reads backwards (22.2.2.4) and PCRE2 does not.
///
/// Sets of groups are bits; groups from number 64 on are not followed, and each reference to them is reported.
struct PatternCaptures {
  enum Kind { case capture, lookbehind, other }

  private typealias Groups = UInt64

  private struct Frame {
    /// The bit of its own, where it captures.
    let own: Groups
    /// How many groups were opened up to it, itself included.
    let opened: Int
    /// The captures before it.
    let before: Groups
    /// Where a lookbehind around it began.
    let lookbehind: Int?
    /// Found in all of its alternatives that are complete.
    var inAll: Groups = .max
  }

  private var frames: [Frame] = []
  private var closed: Frame?
  private var opened = 0
  /// Groups that are open here.
  private var around: Groups = 0
  /// How many groups were opened before the outermost lookbehind around this place.
  private var lookbehind: Int?
  private var isReadBackwards = false
  /// Groups that have taken part wherever a match comes to this place.
  private var found: Groups = 0
  /// Groups inside of a repetition, and those that are repeated themselves.
  private var inside: Groups = 0
  private var repeated: Groups = 0
  /// Groups that may not have taken part where a reference to them stands, outside and inside of themselves.
  private var missed: Groups = 0
  private var missedByThemselves: Groups = 0

  /// Whether a reference may mean something else to PCRE2.
  var isAmbiguous: Bool {
    isReadBackwards || (missed & (inside | Self.others) | missedByThemselves & (inside | repeated)) != 0
  }

  /// Stands for all groups that are not followed.
  private static let others: Groups = 1

  private static func bit(_ group: Int) -> Groups { group < Groups.bitWidth ? 1 << Groups(group) : others }

  mutating func open(_ kind: Kind) {
    let isCapturing = kind == .capture
    if isCapturing { opened += 1 }
    let own = isCapturing ? Self.bit(opened) : 0
    around |= own
    frames.append(Frame(own: own, opened: opened, before: found, lookbehind: lookbehind))
    if kind == .lookbehind, lookbehind == nil { lookbehind = opened }
  }

  mutating func alternative() {
    guard let last = frames.indices.last else { return found = 0 }
    frames[last].inAll &= found
    found = frames[last].before
  }

  mutating func close() {
    guard let frame = frames.popLast() else { return }
    found = (found & frame.inAll | frame.own) & ~Self.others
    around &= ~frame.own
    lookbehind = frame.lookbehind
    closed = frame
  }

  /// The group that was closed last is repeated.
  mutating func quantify(from least: Int, to most: Int) {
    guard let closed else { return }
    if least == 0 { found = closed.before }
    guard most > 1 else { return }
    repeated |= closed.own
    inside |= Self.bits(closed.opened + 1, opened)
  }

  mutating func refer(to group: Int) {
    if let lookbehind, group > lookbehind { isReadBackwards = true }
    let group = Self.bit(group)
    guard found & group == 0 else { return }
    if around & group != 0 { missedByThemselves |= group } else { missed |= group }
  }

  private static func bits(_ first: Int, _ last: Int) -> Groups {
    guard first <= last, first < Groups.bitWidth else { return 0 }
    return .max << Groups(first) & .max >> Groups(Groups.bitWidth - 1 - min(last, Groups.bitWidth - 1))
  }
}
