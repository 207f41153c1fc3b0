/// What an operation does with a collection.
package enum ResourceVerb: String, CaseIterable, Sendable {
  case create, list, read, replace, update, delete
}
