extension JSON {
  /// A copy with another value at a path, or without any; missing objects are made. `nil` where the path leads through a
  /// scalar, or past the end of a list.
  func setting(_ path: ArraySlice<String>, to value: JSON?) -> JSON? {
    guard let token = path.first else { return value }
    let rest = path.dropFirst()
    if isArray {
      var elements = Array(elements)
      guard let index = Int(token), elements.indices.contains(index) else { return value == nil ? self : nil }
      if rest.isEmpty, value == nil {
        elements.remove(at: index)
      } else {
        guard let changed = elements[index].setting(rest, to: value) else { return nil }
        elements[index] = changed
      }
      return .array(elements)
    }
    guard isObject else { return value == nil ? self : nil }
    var members = distinctMembers.map { ($0.name, $0.value) }
    let index = members.firstIndex { $0.0.utf8Equals(token) }
    if rest.isEmpty, value == nil {
      if let index { members.remove(at: index) }
    } else if let index {
      guard let changed = members[index].1.setting(rest, to: value) else { return nil }
      members[index].1 = changed
    } else if value != nil {
      guard let made = JSON.object([]).setting(rest, to: value) else { return nil }
      members.append((token, made))
    }
    return .object(members)
  }
}
