/// The path of a stub, as the path of a route.
struct PathPattern: Sendable {
  /// `/users/7`, `/users/{id}`, `/users/{id:[0-9]+}`, or `/*` for any other pattern.
  var route: String
  /// A pattern of whole paths, for `/*` alone.
  var pattern: Pattern?
  /// The condition on the rest of `/*`.
  var restPattern: String?

  /// Every path.
  static let any = PathPattern(route: "/*")

  init(route: String) { self.route = route.utf8.first == UInt8(ascii: "/") ? route : "/" + route }

  private static let rest = "/*"

  var isRest: Bool { route == Self.rest }
  var isLiteral: Bool { !isRest && !route.utf8.contains(UInt8(ascii: "{")) }

  /// The condition that replaces a pattern in the route `/*`.
  var predicate: Predicate { restPattern.map { .test(.path, "*", Predicate.matches($0)) } ?? .always }

  /// The segments of the route, with `{` and `}` around a variable.
  static func segments(_ route: String) -> [String] {
    var segments: [String] = []
    var segment: [UInt8] = []
    var depth = 0
    for byte in route.utf8.dropFirst() {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if byte == UInt8(ascii: "/"), depth <= 0 {
        segments.append(String(decoding: segment, as: UTF8.self))
        segment = []
      } else {
        segment.append(byte)
      }
    }
    return segments + [String(decoding: segment, as: UTF8.self)]
  }

  /// The route without the names of its variables, by which routes of one shape are equal.
  var shape: String {
    if isRest { return route }
    return "/"
      + Self.segments(route).map { Self.variable($0).map { "{:\($0.pattern ?? "")}" } ?? $0 }.joined(separator: "/")
  }

  /// The name and the pattern of a segment that is a variable as a whole.
  static func variable(_ segment: String) -> (name: String, pattern: String?)? {
    guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return nil }
    let inner = segment.dropFirst().dropLast()
    guard let colon = inner.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (String(inner), nil) }
    return (String(inner[..<colon]), String(inner[inner.utf8.index(after: colon)...]))
  }

  /// The names of the variables with the positions of their segments.
  var variables: [(name: String, position: Int)] {
    isRest
      ? []
      : Self.segments(route).enumerated().compactMap { index, text in Self.variable(text).map { ($0.name, index) } }
  }

  /// The relation of a pattern to the route of another stub.
  enum Cover { case no, yes, unknown }

  /// Whether this pattern matches every path of a route.
  func covers(_ other: PathPattern) -> Cover {
    if isRest {
      guard let pattern else { return .yes }
      if other.isLiteral { return pattern.matches(other.route) == .yes ? .yes : .no }
      if other.isRest { return .unknown }
      // A pattern that ends with anything covers what begins as it does.
      let samples = ["1", "a", "A-b_c.d"].map { text in
        "/" + Self.segments(other.route).map { Self.variable($0) == nil ? $0 : text }.joined(separator: "/")
      }
      let results = samples.map { pattern.matches($0) == .yes }
      return results.allSatisfy { !$0 } ? .no : results.allSatisfy { $0 } && isOpen ? .yes : .unknown
    }
    if other.isRest { return .no }
    let (mine, theirs) = (Self.segments(route), Self.segments(other.route))
    guard mine.count == theirs.count else { return .no }
    var cover = Cover.yes
    for (a, b) in zip(mine, theirs) where !a.utf8Equals(b) {
      guard let variable = Self.variable(a) else {
        if Self.variable(b) != nil { cover = .unknown } else { return .no }
        continue
      }
      guard let pattern = variable.pattern else { continue }
      if Self.variable(b) != nil { cover = .unknown; continue }
      guard let test = try? Pattern(ecma: "^(?:\(pattern))$"), test.matches(b) == .yes else { return .no }
    }
    return cover
  }

  private var isOpen: Bool { restPattern?.hasSuffix(".*)$") == true || restPattern == nil }
}
