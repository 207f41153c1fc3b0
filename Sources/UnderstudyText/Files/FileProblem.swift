/// A file or folder that could not be read or written, and the reason.
package struct FileProblem: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case missing, isFolder, isNotFolder, denied, outside, otherContent, tooLarge, system
  }

  package let kind: Kind
  /// The path as given.
  package let path: String
  /// The problem, without the path.
  package let message: String
  /// Advice, if the fix is not obvious.
  package let help: String?

  package init(_ kind: Kind, _ path: String, _ message: String, help: String? = nil) {
    self.kind = kind
    self.path = path
    self.message = message
    self.help = help
  }
}
