/// A member of an item with the id of an item of another collection: `postId` of a comment.
package struct ResourceReference: Sendable {
  package let member: String
  /// The name of the other collection: `posts`.
  package let collection: String

  package init(member: String, collection: String) { (self.member, self.collection) = (member, collection) }

  /// The name of the item that the member refers to: `post` of `postId`.
  package var name: String {
    for suffix in ["_id", "Id", "ID"] where member.hasSuffix(suffix) { return String(member.dropLast(suffix.count)) }
    return member
  }
}
