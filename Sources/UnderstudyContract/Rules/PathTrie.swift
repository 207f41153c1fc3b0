/// A path template, as far as it decides which URLs match.
struct PathCandidate {
  enum Segment: Hashable {
    case literal([UInt8])
    /// A single expression; whether its parameter accepts any text.
    case expression(takesText: Bool)
    case mixed([PathTemplate.Part])
  }

  let key: JSON
  let segments: [Segment]
  let methods: Set<String>

  init(_ key: JSON, _ operations: [Operation], _ schemas: SchemaLibrary) {
    self.key = key
    methods = Set(operations.map(\.method))
    let parameters = operations.flatMap(\.parameters).filter { $0.location == .path }
    segments = PathTemplate(key.text).segments.map { parts in
      switch parts.first {
      case .expression(let name) where parts.count == 1:
        let parameter = parameters.first { $0.name.utf8.elementsEqual(name) }
        let types = parameter?.schema.map { schemas.resolved($0).types } ?? .any
        return .expression(takesText: types.contains(.string))
      case .literal(let text) where parts.count == 1: return .literal(text)
      case nil: return .literal([])
      default: return .mixed(parts)
      }
    }
  }
}

/// An index of paths with the same number of segments. A comparison of each two paths would take quadratic time.
struct PathTrie {
  private struct Node {
    var children: [PathCandidate.Segment: Int] = [:]
    /// The paths that end here, by their positions.
    var paths: [Int] = []
    /// The position of the first path below.
    let first: Int
  }

  /// The maximum number of nodes to visit for all paths of an index: hundreds for each of 20,000 paths.
  static let maximumVisits = 4_000_000

  private var nodes = [Node(first: 0)]
  private var candidates: [PathCandidate] = []
  private var visits = 0
  /// Whether later paths are not compared any more.
  var isExhausted: Bool { visits >= Self.maximumVisits }

  mutating func insert(_ candidate: PathCandidate) {
    var node = 0
    for segment in candidate.segments {
      if let next = nodes[node].children[segment] {
        node = next
      } else {
        nodes.append(Node(first: candidates.count))
        nodes[node].children[segment] = nodes.count - 1
        node = nodes.count - 1
      }
    }
    nodes[node].paths.append(candidates.count)
    candidates.append(candidate)
  }

  /// Returns the first path that can match the same URL, where each of the two has a literal in place of an expression of the
  /// other; `nil` also after the maximum number of visits.
  mutating func first(ambiguousWith path: PathCandidate) -> PathCandidate? {
    var best = candidates.count
    var open = [(node: 0, depth: 0, isConcrete: false, isOtherConcrete: false)]
    while let (node, depth, isConcrete, isOtherConcrete) = open.popLast() {
      guard !isExhausted else { return nil }
      visits += 1
      guard nodes[node].first < best else { continue }
      guard depth < path.segments.count else {
        guard isConcrete, isOtherConcrete else { continue }
        let found = nodes[node].paths.first { !candidates[$0].methods.isDisjoint(with: path.methods) }
        best = min(best, found ?? best)
        continue
      }
      func enter(_ segment: PathCandidate.Segment, concrete: Bool = false, otherConcrete: Bool = false) {
        guard let next = nodes[node].children[segment] else { return }
        open.append((next, depth + 1, isConcrete || concrete, isOtherConcrete || otherConcrete))
      }
      switch path.segments[depth] {
      case .literal(let text):
        enter(.literal(text))
        // A literal is not a value of a number, and text within a segment separates two paths.
        enter(.expression(takesText: true), concrete: true)
      case .expression(let takesText):
        for (segment, next) in nodes[node].children {
          visits += 1
          if case .literal = segment, !takesText { continue }
          let isLiteral = if case .literal = segment { true } else { false }
          open.append((next, depth + 1, isConcrete, isOtherConcrete || isLiteral))
        }
      case .mixed(let parts):
        enter(.mixed(parts))
        for takesText in [true, false] { enter(.expression(takesText: takesText)) }
      }
    }
    return best < candidates.count ? candidates[best] : nil
  }
}
