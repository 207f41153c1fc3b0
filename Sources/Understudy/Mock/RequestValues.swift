/// The values of a request as text, for `when` and for templates; decoded at the first question.
package protocol RequestValues {
  /// All values of a name, decoded; several for a repeated key, none where it is absent.
  func values(_ part: RequestMatcher.Part, _ name: String) -> [String]
  /// The names that a part holds, in order.
  func names(_ part: RequestMatcher.Part) -> [String]
}
