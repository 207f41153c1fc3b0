/// Compares the strings that two alternatives accept.
struct StringComparison {
  private let pair: VariantComparison
  private var x: SchemaVariant { pair.x }
  private var y: SchemaVariant { pair.y }

  /// The maximum length of a string that proves a difference.
  private static let maximumLength = 1 << 20

  init(_ pair: VariantComparison) { self.pair = pair }

  func differences() -> [SchemaDifference] { lengths + patterns + formats + contents }

  // MARK: - Lengths

  private var lengths: [SchemaDifference] {
    var result: [SchemaDifference] = []
    let least = max(x.largest(.minLength)?.size ?? 0, formatLength?.lowerBound ?? 0)
    if let (limit, node) = y.largest(.minLength), limit > least, !arePatternsWithin("{\(limit),}", limit) {
      result.append(
        SchemaDifference(
          .length, "minLength", sub: pair.subNode(.minLength), sup: node,
          words: (x.largest(.minLength).map { String($0.size) }, String(limit)),
          candidates: strings(of: least, limit - 1)))
    }
    let most = min(x.smallest(.maxLength)?.size ?? .max, formatLength?.upperBound ?? .max)
    if let (limit, node) = y.smallest(.maxLength), limit < most, !arePatternsWithin("{0,\(limit)}", limit) {
      result.append(
        SchemaDifference(
          .length, "maxLength", sub: pair.subNode(.maxLength), sup: node,
          words: (most == .max ? nil : String(most), String(limit)),
          candidates: strings(of: limit + 1, min(most, limit + 100)) + instants(longerThan: limit)))
    }
    return result
  }

  /// The lengths of strings with the asserted formats of the tested side.
  private var formatLength: ClosedRange<Int>? {
    x.formats.lazy.compactMap { format in
      pair.sub.assertsFormat(format.part, format.name) ? Self.formatLengths[format.name] : nil
    }.first
  }

  private static let formatLengths = ["date": 10...10, "uuid": 36...36, "date-time": 20...Int.max, "time": 9...Int.max]

  /// A timestamp with a long fraction, which the format allows.
  private func instants(longerThan length: Int) -> [JSON] {
    guard length <= Self.countedLength * 5, x.formats.contains(where: { $0.name == "date-time" }) else { return [] }
    return [.string("2024-05-17T09:30:00.\(String(repeating: "0", count: length))Z")]
  }

  /// Whether the patterns of the tested side allow only some lengths.
  private func arePatternsWithin(_ counts: String, _ limit: Int) -> Bool {
    limit <= Self.countedLength && !ownPatterns.isEmpty
      && PatternInclusion(ownPatterns, "^[\\s\\S]\(counts)$").isProven
  }

  private var ownPatterns: [String] { x.all(.pattern).compactMap(\.string) }

  /// The maximum length that is compared with patterns.
  private static let countedLength = 200

  /// The patterns of the tested side, and its limits of length as patterns.
  private var boundedPatterns: [String] {
    let least = x.largest(.minLength)?.size ?? 0
    let most = x.smallest(.maxLength)?.size
    guard least > 0 || most != nil, max(least, most ?? 0) <= Self.countedLength, least <= most ?? .max else {
      return ownPatterns
    }
    return ownPatterns + ["^[\\s\\S]{\(least),\(most.map(String.init) ?? "")}$"]
  }

  /// Strings of some lengths: plain ones, and samples cut or filled up.
  private func strings(of lengths: Int...) -> [JSON] {
    let bases = pair.bases.compactMap(\.string) + ["a", "0"]
    return lengths.filter { 0...Self.maximumLength ~= $0 }.flatMap { length in
      bases.map { base in
        let scalars = Array(base.unicodeScalars.prefix(length))
        let fill = String(scalars.last ?? "a")
        return .string(
          String(String.UnicodeScalarView(scalars)) + String(repeating: fill, count: length - scalars.count))
      }
    } + pair.bases
  }

  // MARK: - Patterns

  private var patterns: [SchemaDifference] {
    let own = ownPatterns
    return y.all(.pattern).compactMap { node -> SchemaDifference? in
      guard let text = node.string, !own.contains(where: { $0.utf8Equals(text) }) else { return nil }
      let inclusion = PatternInclusion(boundedPatterns, text)
      if inclusion.isProven { return nil }
      return SchemaDifference(
        .pattern, "pattern", sub: pair.subNode(.pattern), sup: node,
        words: (own.isEmpty ? nil : own.joined(separator: ", "), text),
        candidates: inclusion.witnesses.map(JSON.string) + own.compactMap(pair.sub.string).map(JSON.string) + pair.bases
          + ["a", "", "0", "A-1 ?", "\u{E9}\n"])
    }
  }

  // MARK: - Annotations that may be asserted

  private var formats: [SchemaDifference] {
    y.formats.compactMap { format -> SchemaDifference? in
      let known = x.formats.map(\.name)
      if known.contains(where: { Self.includes(format.name, $0) }) { return nil }
      let isAsserted = pair.sup.assertsFormat(format.part, format.name) && NumberRange.formats[format.name] == nil
      return SchemaDifference(
        .format, "format", sub: pair.subNode(.format), sup: format.node, words: (known.first, format.name),
        verdict: isAsserted ? .undecided : .stated, candidates: pair.bases + strings(of: 1, 0, 10))
    }
  }

  /// Whether every value of one format is a value of another.
  private static func includes(_ wide: String, _ narrow: String) -> Bool {
    wide.utf8Equals(narrow)
      || [
        ("uri-reference", "uri"), ("iri", "uri"), ("iri-reference", "iri"), ("idn-email", "email"),
        ("idn-hostname", "hostname"),
      ]
      .contains { $0 == (wide, narrow) }
  }

  private var contents: [SchemaDifference] {
    [Keyword.contentEncoding, .contentMediaType].compactMap { keyword in
      let (own, other) = (x.keyword(keyword)?.string, y.keyword(keyword)?.string)
      guard own?.lowercased() != other?.lowercased() else { return nil }
      return SchemaDifference(
        .content, keyword.name, sub: pair.subNode(keyword), sup: y.keyword(keyword) ?? y.node, words: (own, other),
        verdict: .stated)
    }
  }
}
