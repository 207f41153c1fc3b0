/// Writes strings that match a pattern.
///
/// Lookbehinds, word boundaries and negative lookaheads are ignored; the validator decides about the result.
struct PatternSampler: Sendable {
  private let root: PatternNode

  /// `nil` if the pattern cannot be read.
  init?(_ pattern: String) {
    guard let root = PatternReader.read(pattern) else { return nil }
    self.root = root
  }

  /// A match, with a number of scalars in the limits if possible; `nil` if the steps do not suffice.
  func sample(atLeast least: Int, atMost most: Int, _ random: inout SeededGenerator, steps: inout Int) -> String? {
    let shortest = root.shortest
    guard shortest <= most, shortest < PatternNode.limit, least < PatternNode.limit else { return nil }
    // Repetitions write two more scalars than needed: `^[a-z]+$` gives abc.
    let comfortable = min(max(shortest + 2 + random.variation(below: 4), least), most)
    var writer = Writer(random: random, spare: max(least, comfortable) - shortest, steps: steps)
    defer { (random, steps) = (writer.random, writer.steps) }
    guard writer.write(root) else { return nil }
    var text = writer.text
    writer.overlay(&text)
    if text.count < least {
      // Without an anchor any text may follow or precede.
      let letters = Alphabet.word.readable
      let filler = (text.count..<least).map { letters[$0 % letters.count] }
      if !endsClosed { text += filler } else if !startsClosed { text = filler + text }
    }
    return String(String.UnicodeScalarView(text))
  }

  private var endsClosed: Bool { PatternSampler.isAnchored(root) { if case .end = $0 { true } else { false } } }

  private var startsClosed: Bool { PatternSampler.isAnchored(root) { if case .start = $0 { true } else { false } } }

  private static func isAnchored(_ node: PatternNode, _ isAnchor: (PatternNode.Kind) -> Bool) -> Bool {
    switch node.kind {
    case .sequence(let nodes): nodes.contains { isAnchored($0, isAnchor) }
    case .choice(let nodes): nodes.contains { isAnchored($0, isAnchor) }
    case .group(let node, _, _): isAnchored(node, isAnchor)
    case let kind: isAnchor(kind)
    }
  }

  /// The text so far, and the limits for the rest.
  private struct Writer {
    var random: SeededGenerator
    /// The remaining scalars beyond the shortest match.
    var spare: Int
    /// The remaining steps: about one for each node.
    var steps: Int
    /// The number of chosen scalars, so that plain samples run through the alphabet.
    var position = 0
    var text: [Unicode.Scalar] = []
    var captures: [String: [Unicode.Scalar]] = [:]
    /// The texts that lookaheads require, with their positions.
    var demands: [(start: Int, text: [Unicode.Scalar])] = []

    init(random: SeededGenerator, spare: Int, steps: Int) {
      self.random = random
      self.spare = spare
      self.steps = steps
    }

    mutating func write(_ node: PatternNode) -> Bool {
      steps -= 1
      guard text.count < PatternNode.limit, steps > 0 else { return false }
      switch node.kind {
      case .start, .end, .empty: return true
      case .set(let alphabet):
        // Occasionally a sign; plain samples have only letters and digits.
        let isOdd = random.happens(oneIn: 8)
        let face = position + random.number(below: 1_000)
        let scalars = isOdd ? alphabet.any : alphabet.readable
        guard !scalars.isEmpty else { return false }
        text.append(scalars[face % scalars.count])
        if !alphabet.hasOneMember { position += 1 }
        return true
      case .sequence(let nodes): return nodes.allSatisfy { write($0) }
      case .choice(let nodes):
        steps -= nodes.count / 4
        let affordable = nodes.indices.filter { nodes[$0].shortest - node.shortest <= max(spare, 0) }
        guard let taken = random.pick(affordable) else { return false }
        spare -= nodes[taken].shortest - node.shortest
        return write(nodes[taken])
      case .repetition(let node, let least, let most):
        let length = max(node.shortest, 1)
        var count = least
        while count < most, spare >= length, count < PatternNode.limit {
          spare -= length
          count += 1
        }
        for _ in 0..<count {
          let start = text.count
          guard write(node) else { return false }
          // After an empty turn all others are empty.
          if text.count == start { break }
        }
        return true
      case .group(let node, let number, let name):
        let start = text.count
        guard write(node) else { return false }
        steps -= (text.count - start) / 4
        captures[String(number)] = Array(text[start...])
        if let name { captures[name] = Array(text[start...]) }
        return true
      case .backreference(let name):
        text += captures[name] ?? []
        return true
      case .lookahead(let node, let isNegative):
        guard !isNegative else { return true }
        var writer = Writer(random: random, spare: 0, steps: steps)
        defer { steps = writer.steps }
        guard writer.write(node) else { return false }
        demands.append((text.count, writer.text))
        return true
      }
    }

    /// Overwrites the text with the texts of the lookaheads, one after the other: `(?=.*\d)(?=.*[A-Z]).{8,}`.
    func overlay(_ text: inout [Unicode.Scalar]) {
      var next = 0
      for demand in demands {
        next = max(next, demand.start)
        for scalar in demand.text where next < text.count {
          text[next] = scalar
          next += 1
        }
      }
    }
  }
}
