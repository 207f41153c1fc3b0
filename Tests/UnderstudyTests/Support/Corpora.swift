import TestSupport

/// The corpora of `TestSupport`, under a name that every test of this target sees.
enum Corpora {
  static var root: String? { TestSupport.Corpora.root }
  static var isPresent: Bool { TestSupport.Corpora.isPresent }

  static func path(_ relative: String) -> String { TestSupport.Corpora.path(relative) }
}
