/// A file or folder that could not be read, and why.
package struct FileProblem: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Nothing has this path.
    case missing
    /// A file was expected.
    case isFolder
    /// A folder was expected.
    case isNoFolder
    /// The permissions forbid it.
    case denied
    /// It is something else than what was expected.
    case otherContent
    /// It holds more bytes than the named limit.
    case tooLarge
    /// Any other error of the system.
    case system
  }

  package let kind: Kind
  /// The path as it was given.
  package let path: String
  /// The problem, without the path.
  package let message: String
  /// Advice, where the fix is not obvious.
  package let help: String?

  package init(_ kind: Kind, _ path: String, _ message: String, help: String? = nil) {
    self.kind = kind
    self.path = path
    self.message = message
    self.help = help
  }
}
