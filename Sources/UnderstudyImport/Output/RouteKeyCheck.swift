/// Checks the path of a route as the reader of routes files does.
enum RouteKeyCheck {
  static func problem(_ route: String) -> String? {
    let template = PathTemplate(route, isRoute: true)
    if template.segments.count > 200 { return "the path has more than 200 segments" }
    for (name, pattern) in template.patterns {
      if let reason = Pattern.problem(pattern) { return "the pattern of `\(name)` is not valid: \(reason)" }
    }
    let names = template.names.map { String(decoding: $0, as: UTF8.self) }
    if names.count != Set(names).count { return "two variables of the path have one name" }
    let literals = template.segments.joined().compactMap { part -> [UInt8]? in
      if case .literal(let bytes) = part { bytes } else { nil }
    }
    let hasOddBytes = literals.contains { $0.contains { "{}#?*".utf8.contains($0) || $0 < 0x21 } }
    let hasColon = route.split(separator: "/").contains { $0.hasPrefix(":") && $0.count > 1 }
    return hasOddBytes || hasColon ? "`\(VisibleText.shortened(route, to: 60))` is not the path of a route" : nil
  }
}
