/// A path template for the router (OAS 3.1, 4.8.2).
struct RouteTemplate {
  enum Segment: Equatable {
    /// In normal form, see `PathEncoding`.
    case literal([UInt8])
    /// The whole segment is one `{name}`.
    case variable
    /// Text and expressions together.
    case mixed(SegmentPattern)
  }

  var segments: [Segment] = []
  /// The names of all expressions, in order.
  var names: [String] = []

  /// A fragment, by which some authors distinguish operations of one path, never reaches a server (RFC 9110, section 7.1).
  init(_ template: String) {
    let path = String(decoding: template.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    for parts in PathTemplate(path).segments { add(parts) }
  }

  private mutating func add(_ parts: [PathTemplate.Part]) {
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
    switch literals.count {
    case 1: segments.append(.literal(literals[0]))
    case 2 where literals.allSatisfy(\.isEmpty): segments.append(.variable)
    default: segments.append(.mixed(SegmentPattern(literals: literals)))
    }
  }
}
