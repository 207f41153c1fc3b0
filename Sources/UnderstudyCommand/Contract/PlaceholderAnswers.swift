import UnderstudyVerification

/// Responses whose bodies only stand for the bodies of the contract: no sample has their format, or their example is at a URL.
struct PlaceholderAnswers {
  /// The cells with the reason, in the order of the contract.
  let all: [(cell: String, reason: String)]

  /// Finds the cells without a fixture; a cancelled task returns the cells so far.
  init(_ contract: Contract) {
    var found: [(cell: String, reason: String)] = []
    for operation in contract.compiled.operations where operation.operation.method != "HEAD" {
      for cell in contract.cells(of: operation) where cell.defaults.isEmpty {
        guard !Task.isCancelled, let offer = cell.cell.offers.first, let reason = Self.reason(offer) else { continue }
        found.append(("\(operation.id)/\(cell.cell.status)", reason))
      }
    }
    all = found
  }

  private static func reason(_ offer: MediaTypeObject) -> String? {
    if let example = offer.examples.first {
      guard case .external(let reference) = example.value, example.externalPath == nil else { return nil }
      return "the example at \(reference) is not fetched"
    }
    let type = offer.range.prefix { $0 != ";" }.lowercased()
    let isMade = madeTypes.contains { type.hasPrefix($0) } || madeWords.contains { type.contains($0) }
    return isMade ? nil : "no sample has the format \(type)"
  }

  private static let madeTypes = [
    "text/", "multipart/", "application/x-www-form-urlencoded", "application/octet-stream",
  ]
  private static let madeWords = ["json", "xml", "yaml", "*"]
}
