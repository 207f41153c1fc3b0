/// The places in schemas that a program implements, a bit for each node of a document.
struct OriginSet {
  /// The bits by the number of a document; a list may be shorter than its document.
  private var documents: [[UInt64]] = []

  init(_ origins: some Sequence<Origin>) {
    for origin in origins {
      let (word, bit) = origin.node.quotientAndRemainder(dividingBy: UInt64.bitWidth)
      reserve(word + 1, of: origin.document)
      documents[origin.document][word] |= 1 << bit
    }
  }

  var count: Int {
    documents.reduce(0) { sum, words in words.reduce(sum) { $0 + $1.nonzeroBitCount } }
  }

  /// Whether all but a number of the places are in another set.
  func isSubset(of other: OriginSet, exceptFor most: Int) -> Bool {
    var missing = 0
    for (number, words) in documents.enumerated() {
      let others = number < other.documents.count ? other.documents[number] : []
      for (position, word) in words.enumerated() {
        missing += (position < others.count ? word & ~others[position] : word).nonzeroBitCount
        if missing > most { return false }
      }
    }
    return true
  }

  mutating func formUnion(_ other: OriginSet) {
    for (number, words) in other.documents.enumerated() {
      reserve(words.count, of: number)
      for (position, word) in words.enumerated() { documents[number][position] |= word }
    }
  }

  private mutating func reserve(_ words: Int, of document: Int) {
    while documents.count <= document { documents.append([]) }
    let missing = words - documents[document].count
    if missing > 0 { documents[document].append(contentsOf: repeatElement(0, count: missing)) }
  }
}
