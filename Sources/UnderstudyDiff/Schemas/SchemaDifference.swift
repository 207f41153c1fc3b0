/// One reason why a value of a schema may not be a value of another schema.
package struct SchemaDifference: Sendable {
  package var kind: Kind
  /// The path from the compared value to the part that differs; `*` stands for any element or any other member.
  package var path: [String] = []
  /// The keyword, or the schema, of the side whose values are tested.
  package var sub: JSON?
  /// The keyword, or the schema, that may refuse them.
  package var sup: JSON?
  /// The name of a property, the value of an `enum`, or the keyword that the message names.
  package var subject: String
  /// The limits of both sides in words, if the message shows them.
  package var subWords: String?
  package var supWords: String?
  package var verdict = Verdict.undecided
  /// Values that may prove the difference, not confirmed yet.
  var candidates: [JSON] = []

  package typealias Kind = DifferenceKind

  package enum Verdict: Sendable {
    /// A value that one side accepts and the other refuses, confirmed by the schema engine.
    case broken(JSON)
    /// No such value was found, and none was excluded.
    case undecided
    /// A difference that no value can show.
    case stated
  }

  init(
    _ kind: Kind, _ subject: String, sub: JSON? = nil, sup: JSON? = nil,
    words: (sub: String?, sup: String?) = (nil, nil),
    verdict: Verdict = .undecided, candidates: [JSON] = []
  ) {
    self.kind = kind
    self.subject = subject
    self.sub = sub
    self.sup = sup
    (subWords, supWords) = words
    self.verdict = verdict
    self.candidates = candidates
  }

  /// Whether a value may be refused.
  package var isFailure: Bool { if case .stated = verdict { false } else { true } }

  /// The value that proves the difference.
  package var witness: JSON? { if case .broken(let value) = verdict { value } else { nil } }

  package var isUndecided: Bool { if case .undecided = verdict { true } else { false } }

  /// The maximum length of a path whose values are tried: each step costs as much as the value is deep.
  private static let maximumPath = 100

  /// The difference as one of a part of a value, with the values that hold the witness.
  func lifted(to name: String, _ embed: (JSON) -> [JSON]) -> SchemaDifference {
    var lifted = self
    lifted.path.insert(name, at: 0)
    lifted.candidates = []
    if case .broken(let value) = verdict {
      if lifted.path.count <= Self.maximumPath { lifted.candidates = embed(value) }
      lifted.verdict = .undecided
    }
    return lifted
  }
}

/// Differences without repetition: of several with equal keywords, one with a proof if there is any.
struct DifferenceList {
  private(set) var list: [SchemaDifference] = []
  private var positions: [SchemaDifference.Identity: Int] = [:]
  /// The number of differences by which a value may be refused.
  private(set) var failures = 0

  mutating func add(_ differences: [SchemaDifference]) {
    for difference in differences {
      guard let position = positions[difference.identity] else {
        positions[difference.identity] = list.count
        list.append(difference)
        if difference.isFailure { failures += 1 }
        continue
      }
      if list[position].witness == nil, difference.witness != nil { list[position] = difference }
    }
  }

  func hasProof(of difference: SchemaDifference) -> Bool {
    positions[difference.identity].map { list[$0].witness != nil || !difference.isFailure } ?? false
  }
}

extension SchemaDifference {
  /// The keywords of both sides, whatever the path to them.
  struct Identity: Hashable {
    let kind: Kind
    let subject: [UInt8]
    let sub: NodeID?
    let sup: NodeID?
    let isFailure: Bool
  }

  var identity: Identity {
    Identity(kind: kind, subject: Array(subject.utf8), sub: sub?.id, sup: sup?.id, isFailure: isFailure)
  }
}
