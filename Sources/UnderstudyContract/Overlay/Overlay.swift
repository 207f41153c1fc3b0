/// A document of the Overlay Specification 1.0 or 1.1: an ordered list of changes to an OpenAPI document.
struct Overlay {
  /// The string that names the document to change (section 4.4.1).
  var extends: JSON?
  /// Whether the version is 1.1, which copies values and replaces primitive values.
  var isVersion11 = false
  var actions: [Action] = []

  /// A change at every node that a query selects.
  struct Action {
    /// The string of a valid query. It is parsed for each use, since a parsed one takes many times as much memory.
    var target: JSON
    var change: Change
  }

  enum Change {
    case remove
    case update(JSON)
    /// Merges the only node that a query selects; the value is the string of the query.
    case copy(JSON)
  }
}
