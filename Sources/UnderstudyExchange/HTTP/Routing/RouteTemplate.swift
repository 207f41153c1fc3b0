/// A path template for the router (OAS 3.1, 4.8.2).
struct RouteTemplate {
  enum Segment: Equatable {
    /// In normal form, see `PathEncoding`.
    case literal([UInt8])
    /// The whole segment is one `{name}`.
    case variable
    /// Text and expressions together, or an expression with a pattern.
    case mixed(SegmentPattern)
    /// One or more segments, at the end of a route.
    case rest
  }

  var segments: [Segment] = []
  /// The names of all expressions, in order.
  var names: [String] = []

  /// A fragment, by which some authors distinguish operations of one path, never reaches a server (RFC 9110, section 7.1).
  init(_ template: String, isRoute: Bool = false) {
    let path = isRoute ? template : String(decoding: template.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    let template = PathTemplate(path, isRoute: isRoute)
    for parts in template.segments { add(parts, template.patterns) }
    if isRoute, template.hasRest { segments[segments.count - 1] = .rest }
  }

  private mutating func add(_ parts: [PathTemplate.Part], _ patterns: [String: String]) {
    let first = names.count
    var literals: [[UInt8]] = [[]]
    for part in parts {
      switch part {
      case .literal(let bytes): literals[literals.count - 1] += bytes
      // An expression without a name has no value.
      case .expression(let name) where name.isEmpty: literals[literals.count - 1] += "{}".utf8
      case .expression(let name):
        literals.append([])
        names.append(String(decoding: name, as: UTF8.self))
      }
    }
    literals = literals.map(PathEncoding.normalised)
    let tests = patterns.isEmpty ? [] : names[first...].map { patterns[$0] }
    let isTested = tests.contains { $0 != nil }
    switch literals.count {
    case 1: segments.append(.literal(literals[0]))
    case 2 where literals.allSatisfy(\.isEmpty) && !isTested: segments.append(.variable)
    default: segments.append(.mixed(SegmentPattern(literals: literals, patterns: isTested ? tests : [])))
    }
  }
}
