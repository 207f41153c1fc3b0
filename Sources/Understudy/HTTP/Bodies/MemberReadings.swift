/// Members with several readings each, as a few readings of the whole: likeliest of all, then plainest of all.
struct MemberReadings {
  private var members: [(name: String, values: [JSON])] = []

  mutating func add(_ name: String, _ values: [JSON]) { members.append((name, values)) }

  /// One or two objects; combinations in between would grow without bound.
  var readings: [JSON] {
    let likeliest = JSON.object(members.compactMap { member in member.values.first.map { (member.name, $0) } })
    guard members.contains(where: { $0.values.count > 1 }) else { return [likeliest] }
    let plainest = JSON.object(members.compactMap { member in member.values.last.map { (member.name, $0) } })
    return [likeliest, plainest]
  }
}
