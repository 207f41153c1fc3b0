/// Finds references to groups that PCRE2 and ECMA-262 capture differently.
///
/// Each turn of a repetition clears its groups in ECMA-262 (22.2.2.3.1, RepeatMatcher, step 4), while PCRE2 keeps those
/// of earlier turns: `^(?:(a)|b)*\1$` matches `ab` in one and `aba` in the other. A reference to a group inside of a
/// repetition is therefore ambiguous, unless the group takes part in every turn. So is a reference to a group of the
/// same lookbehind, which ECMA-262 reads backwards (22.2.2.4) and PCRE2 does not.
///
/// Sets of groups are bits; a reference to a group from number 64 on always counts as ambiguous.
struct PatternCaptures {
  enum Kind { case capture, lookbehind, other }

  private typealias Groups = UInt64

  private struct Frame {
    /// Its own bit, if it captures.
    let own: Groups
    /// The number of groups up to it, itself included.
    let opened: Int
    /// The groups found before it.
    let before: Groups
    /// The value of `lookbehind` before it.
    let lookbehind: Int?
    /// The groups found in all of its complete alternatives.
    var inAll: Groups = .max
  }

  private var frames: [Frame] = []
  private var closed: Frame?
  private var opened = 0
  /// The open groups.
  private var around: Groups = 0
  /// The number of groups before the outermost open lookbehind.
  private var lookbehind: Int?
  private var isReadBackwards = false
  /// Groups that take part in every match up to here.
  private var found: Groups = 0
  /// Groups inside of a repetition, and groups that are repeated.
  private var inside: Groups = 0
  private var repeated: Groups = 0
  /// Groups that may not have taken part at a reference to them, outside and inside of themselves.
  private var missed: Groups = 0
  private var missedByThemselves: Groups = 0

  /// Whether a reference may have another meaning in PCRE2.
  var isAmbiguous: Bool {
    isReadBackwards || (missed & (inside | Self.others) | missedByThemselves & (inside | repeated)) != 0
  }

  /// The bit of all groups from number 64 on.
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

  /// Repeats the last closed group.
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
