/// A path template, taken apart: `/users({id})/{name}.json` (OAS 3.1, 4.8.2).
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

  /// A brace without its partner is plain text. `template` starts with a slash; a missing one is understood. A fragment,
  /// by which some authors tell operations of one path apart, never reaches a server (RFC 9110, section 7.1).
  init(_ template: String) {
    let bytes = Array(template.utf8.prefix { $0 != UInt8(ascii: "#") })
    let rooted = bytes.first == UInt8(ascii: "/") ? bytes[1...] : bytes[...]
    for segment in rooted.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) { add(segment) }
  }

  private mutating func add(_ segment: ArraySlice<UInt8>) {
    var literals: [[UInt8]] = [[]]
    var rest = segment
    while let open = rest.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
    {
      literals[literals.count - 1] += rest[..<open]
      literals.append([])
      names.append(String(decoding: rest[(open + 1)..<close], as: UTF8.self))
      rest = rest[(close + 1)...]
    }
    literals[literals.count - 1] += rest
    literals = literals.map(PathEncoding.normalised)
    switch literals.count {
    case 1: segments.append(.literal(literals[0]))
    case 2 where literals.allSatisfy(\.isEmpty): segments.append(.variable)
    default: segments.append(.mixed(SegmentPattern(literals: literals)))
    }
  }
}
