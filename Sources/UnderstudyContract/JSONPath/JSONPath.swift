/// A JSONPath query (RFC 9535): the one engine for conditions, overlays and templates.
package struct JSONPath: Sendable {
  /// The query as written.
  package let text: String
  /// The constant patterns of `match` and `search` that are not I-Regexps (RFC 9485): these calls never hold.
  package let brokenPatterns: [BrokenPattern]
  private let segments: [Segment]

  /// The maximum size of a query in bytes.
  package static let lengthLimit = 10_000
  /// The maximum depth of nested filters, parentheses and function calls.
  package static let depthLimit = 50
  /// The maximum number of steps of one evaluation: each visited node, compared value and selected node is a step.
  package static let stepLimit = 2_000_000

  package struct BrokenPattern: Sendable {
    package let text: String
    package let reason: String
  }

  /// Parses a query.
  ///
  /// - Throws: The first problem with its byte offsets in the query.
  package init(_ text: String) throws(TextProblem) {
    var parser = JSONPathParser(text)
    segments = try parser.query()
    brokenPatterns = parser.brokenPatterns
    self.text = text
  }

  /// The nodes that the query selects, in the order of the RFC; `nil` if the evaluation takes too many steps.
  ///
  /// - Parameters:
  ///   - steps: The maximum number of steps.
  ///   - budget: Pays for the steps as well.
  package func nodes(in root: JSON, steps: Int = stepLimit, within budget: WorkBudget? = nil) -> [JSON]? {
    let evaluator = JSONPathEvaluator(root: root, steps: steps, within: budget)
    let nodes = evaluator.nodes(segments, from: root)
    return evaluator.isStopped ? nil : nodes
  }

  /// A selector that depends on the children of a node alone.
  enum Step: Sendable {
    case name(String)
    /// A position, counted from the end if negative.
    case index(Int)
    case all
  }

  /// The selectors of each segment; `nil` if the query has filters, slices or descendants.
  var steps: [[Step]]? {
    var steps: [[Step]] = []
    for segment in segments where !segment.isDescendant {
      var own: [Step] = []
      for selector in segment.selectors {
        switch selector {
        case .name(let name): own.append(.name(name))
        case .index(let index): own.append(.index(index))
        case .wildcard: own.append(.all)
        case .slice, .filter: return nil
        }
      }
      steps.append(own)
    }
    return steps.count == segments.count ? steps : nil
  }

  /// The pointer to the only node that the query can select; `nil` if it may select several, or counts from the end.
  package var pointer: JSONPointer? {
    var tokens: [String] = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): tokens.append(name)
      case .index(let index) where index >= 0: tokens.append(String(index))
      default: return nil
      }
    }
    return JSONPointer(tokens)
  }

  /// The normalized path of a node from the root of its document (RFC 9535, section 2.7).
  package static func normalized(_ node: JSON) -> String {
    var value = JSON(document: node.document, index: 0)
    var text = "$"
    for token in node.pointer.tokens {
      text += value.isArray ? "[\(token)]" : "['\(escaped(token))']"
      guard let next = value[JSONPointer([token])] else { break }
      value = next
    }
    return text
  }

  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "'", "\\": text += "\\" + String(scalar)
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "\0"..."\u{1F}": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension JSONPath: Hashable {
  package static func == (first: Self, second: Self) -> Bool { first.text.utf8Equals(second.text) }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONPath {
  /// Selectors that apply to each node of a list, and for `..` to each of its descendants as well.
  struct Segment: Sendable {
    var isDescendant: Bool
    var selectors: [Selector]
  }

  enum Selector: Sendable {
    case name(String)
    /// A position, counted from the end if negative.
    case index(Int)
    case wildcard
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  /// The logical expression of a filter.
  indirect enum Condition: Sendable {
    case any([Condition])
    case all([Condition])
    case not(Condition)
    case exists(Query)
    case comparison(Operand, Operator, Operand)
    /// `match`, which takes the whole string, or `search`.
    case match(Operand, Expression, isWhole: Bool)
  }

  enum Operator: Sendable { case equal, unequal, less, lessOrEqual, greater, greaterOrEqual }

  /// A query inside a filter, from the current node (`@`) or the root (`$`).
  struct Query: Sendable {
    var isRelative: Bool
    var segments: [Segment]

    /// Whether it selects at most one node by its form: names and indices alone.
    var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
      }
    }
  }

  /// An expression with a value, or with none.
  indirect enum Operand: Sendable {
    case literal(JSON)
    case query(Query)
    case length(Operand)
    case count(Query)
    case value(Query)
  }

  /// The pattern of `match` or `search`.
  enum Expression: Sendable {
    /// Compiled when the query is read; `nil` if it is not an I-Regexp.
    case fixed(Pattern?)
    case dynamic(Operand)
  }
}
