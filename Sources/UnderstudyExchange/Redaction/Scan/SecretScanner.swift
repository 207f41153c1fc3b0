/// Looks for secrets in files: the last check before a recording is written, and of files that are committed.
package struct SecretScanner: Sendable {
  private let contracts: [ContractSecrets]
  private let settings: RedactionSettings
  private let placeholders: Set<[UInt8]>

  package struct ScannedSecret: Sendable, Equatable {
    /// `redact.jwt`
    package var rule: String
    /// The offset of the value in the file; of a value inside another, that of the outer.
    package var offset: Int
    /// The first characters and the length: `eyJh... (213 bytes)`.
    package var excerpt: String
    /// A pointer to the value: `/body/token`.
    package var pointer: String
  }

  /// - Parameter placeholders: Values that a redactor wrote, which are not secrets.
  package init(
    _ contracts: [ContractSecrets] = [], settings: RedactionSettings = RedactionSettings(),
    placeholders: Set<[UInt8]> = []
  ) {
    (self.contracts, self.settings, self.placeholders) = (contracts, settings, placeholders)
  }

  /// The secrets in a file, in the order of the file, without placeholders.
  package func findings(in bytes: [UInt8], _ type: MediaRange? = nil) -> [ScannedSecret] {
    var settings = settings
    settings.off.insert(Rule.redactEcho.id)
    let pass = RedactionPass(
      contracts: contracts, settings: settings, operation: nil,
      known: KnownSecrets(.typed, placeholders: placeholders))
    // Files hold what servers answered, errors included.
    (pass.side, pass.status) = (.response, 400)
    _ = pass.bodies.redact(bytes, type, schema: nil)
    return pass.found.map { found in
      let shown = found.count >= 16 ? VisibleText.line(String(decoding: found.start.prefix(4), as: UTF8.self)) : ""
      return ScannedSecret(
        rule: found.place.rule, offset: found.offset, excerpt: "\(shown)... (\(found.count.counted("byte")))",
        pointer: found.place.pointer)
    }
  }

  package func findings(in text: String) -> [ScannedSecret] { findings(in: Array(text.utf8)) }
}
