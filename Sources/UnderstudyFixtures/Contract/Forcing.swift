/// A status and perhaps a name, as in `--force joinQueue=203.slow`.
package struct Forcing: Sendable, Hashable {
  package var code: Int
  package var name: String?
  /// Whether the operation has no such cell, so that a `PlainResponse` is sent.
  package var isPlain = false

  package init(code: Int, name: String? = nil, isPlain: Bool = false) {
    (self.code, self.name, self.isPlain) = (code, name, isPlain)
  }

  /// `203`, `200.empty`
  package var label: String { name.map { "\(code).\($0)" } ?? "\(code)" }
}
