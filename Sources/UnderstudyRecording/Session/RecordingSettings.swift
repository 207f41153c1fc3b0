package struct RecordingSettings: Sendable {
  package enum Mode: String, CaseIterable, Sendable {
    /// Nothing is sent and nothing is written: fixtures answer.
    case none
    /// Cells and shapes without a fixture are written.
    case missing
    /// Recorded fixtures are written again.
    case all
    /// Nothing is written: differences from the fixtures are reported.
    case diff
  }

  package enum Keep: String, CaseIterable, Sendable {
    /// Every answer that differs by a byte.
    case all
    case shapes
    case first
  }

  /// What happens to phone numbers, names and other personal data.
  package enum Personal: String, CaseIterable, Sendable {
    /// It is written, and listed.
    case list
    /// Fakes of the same form are written.
    case replace
    case keep
  }

  package var mode = Mode.missing
  package var personal = Personal.list
  package var keep = Keep.shapes
  /// Whether variants get a `when`.
  package var infersWhen = true
  package var session: String?
  package var rejectsInvalid = false
  /// Whether bodies get placeholders for what they repeat from their requests or the clock.
  package var writesTemplates = false
  package var wantsOverlay = false
  package var redaction = RedactionSettings()
  /// The ids of rules whose findings may be written: `redact.jwt`.
  package var allowedSecrets: [String] = []
  /// Where the exchanges come from: the origin of a server, or the name of a file.
  package var source = ""

  package init() {}
}
