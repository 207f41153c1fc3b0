/// Why no value can be made for a schema.
package struct SampleConflict: Sendable, CustomStringConvertible {
  /// One sentence that names the keywords in backticks, without a final stop.
  package var reason: String
  /// The schema object they stand in.
  package var schema: JSON?

  package var description: String { reason + (schema.map { " (at #\($0.pointer))" } ?? "") }

  /// The named keywords that stand in the schema, as their keys.
  package var keywords: [JSON] {
    let quoted = reason.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    return quoted.compactMap { position, word in
      // Every second piece stands between backticks.
      position % 2 == 1 && Keyword.named(String(word)) != nil ? schema?.key(String(word)) : nil
    }
  }
}
