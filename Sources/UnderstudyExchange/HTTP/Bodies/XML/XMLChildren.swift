/// The children of an element by name, so that thousands of names cost linear time.
struct XMLChildren {
  private var groups: [WireName: [XMLElement]]
  private let order: [WireName]

  init(_ element: XMLElement) {
    var order: [WireName] = []
    groups = [:]
    for child in element.children {
      let name = WireName(child.name.local)
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(child)
    }
    self.order = order
  }

  /// Removes and returns the children with a name, in order.
  mutating func take(_ name: String, _ namespace: String?) -> [XMLElement] {
    let name = WireName(name)
    guard let group = groups[name] else { return [] }
    groups[name] = group.filter { !$0.name.matches(name.text, namespace) }
    return group.filter { $0.name.matches(name.text, namespace) }
  }

  var rest: [(name: String, elements: [XMLElement])] {
    order.compactMap { name in
      groups[name].flatMap { $0.isEmpty ? nil : (name.text, $0) }
    }
  }
}
