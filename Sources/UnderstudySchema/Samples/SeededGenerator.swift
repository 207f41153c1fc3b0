/// Reproducible pseudo-random choices: the same start gives the same numbers on every machine (SplitMix64).
package struct SeededGenerator: Sendable {
  private var state: UInt64
  /// A plain generator takes the first choice, and the next one for the next element of an array.
  private var isPlain: Bool
  private let ordinal: Int

  package init(state: UInt64, isPlain: Bool, ordinal: Int) {
    self.state = state
    self.isPlain = isPlain
    self.ordinal = ordinal
  }

  /// The same generator, made random on a condition.
  func random(if isRandom: Bool) -> SeededGenerator {
    var copy = self
    copy.isPlain = isPlain && !isRandom
    return copy
  }

  /// A number from 0 up to, not including, `bound`; 0 if `bound` is below 2.
  package mutating func number(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    guard !isPlain else { return ordinal % bound }
    return Int(next() % UInt64(bound))
  }

  /// Whether an event with a chance of one in `bound` happens; never in a plain generator.
  mutating func happens(oneIn bound: Int) -> Bool { !isPlain && number(below: bound) == 0 }

  /// A number from 0 up to, not including, `bound`; 0 in a plain generator.
  mutating func variation(below bound: Int) -> Int { isPlain ? 0 : number(below: bound) }

  mutating func pick<T>(_ choices: [T]) -> T? { choices.isEmpty ? nil : choices[number(below: choices.count)] }

  /// One of the choices, without a step of the generator.
  func choice<T>(of choices: [T]) -> T {
    var copy = self
    return choices[copy.number(below: choices.count)]
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// The finaliser of SplitMix64.
  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A stable hash, mixed so that neighbours are far apart.
  static func hash(_ text: String, onto start: UInt64 = StableHash.start) -> UInt64 {
    mix(StableHash.fold(text.utf8, onto: start))
  }

  static func hash(_ number: Int, onto start: UInt64) -> UInt64 {
    mix(start &+ UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15)
  }
}
