/// Why a server cannot serve HTTPS, and what to do next.
package struct TLSProblem: Error, Hashable, Sendable {
  package let message: String
  package let help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
