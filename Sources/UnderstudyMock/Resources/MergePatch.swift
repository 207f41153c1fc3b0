/// JSON Merge Patch (RFC 7396).
package enum MergePatch {
  private static let depthLimit = 128

  package static func apply(_ patch: JSON, to target: JSON, depth: Int = 0) -> JSON {
    guard patch.isObject, depth < depthLimit else { return patch }
    var members = target.isObject ? target.members.map { ($0.name, $0.value) } : []
    for change in patch.distinctMembers {
      let index = members.firstIndex { $0.0.utf8Equals(change.name) }
      if change.value.isNull {
        if let index { members.remove(at: index) }
      } else {
        let value = apply(change.value, to: index.map { members[$0].1 } ?? .null, depth: depth + 1)
        if let index { members[index].1 = value } else { members.append((change.name, value)) }
      }
    }
    return .object(members)
  }
}
