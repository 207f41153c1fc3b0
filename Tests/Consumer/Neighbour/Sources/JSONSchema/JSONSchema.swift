/// Named like its module, as in other libraries.
public struct JSONSchema {
  /// The draft of the schema.
  public var draft: Int

  /// A schema of a draft.
  public init(draft: Int) { self.draft = draft }
}
