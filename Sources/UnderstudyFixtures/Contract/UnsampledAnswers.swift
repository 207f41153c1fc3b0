extension Contract {
  /// An answer for whose schema no sample was found.
  package struct Unsampled: Sendable, Equatable {
    /// `readChat/401`
    package let cell: String
    /// Why, without a full stop.
    package let reason: String
  }

  /// The cells without fixtures and examples for whose schemas no sample is found; takes as long as making all samples.
  /// A cancelled task returns the cells so far.
  package func unsampledAnswers(seed: String) -> [Unsampled] {
    let schemas = compiled.freshSchemas()
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    var known: [NodeID: String?] = [:]
    func conflict(of content: MediaTypeObject) -> String? {
      let described = ContentSchemas(content, schemas)
      guard let schema = described.whole ?? described.item else { return nil }
      let target = schemas.target(ofReference: schema) ?? schema
      if let reason = known[target.id] { return reason }
      let reason = generator.conflict(of: schema, direction: .response)?.reason
      known[target.id] = .some(reason)
      return reason
    }
    var unsampled: [Unsampled] = []
    for operation in compiled.operations where operation.operation.method != "HEAD" {
      for cell in cells(of: operation) where cell.defaults.isEmpty && !CompiledCell.isBodiless(cell.cell.status.code) {
        guard !Task.isCancelled else { return unsampled }
        let offers = cell.cell.offers
        guard offers.allSatisfy(\.examples.isEmpty), let reason = offers.first.flatMap(conflict),
          offers.dropFirst().allSatisfy({ conflict(of: $0) != nil })
        else { continue }
        unsampled.append(Unsampled(cell: "\(operation.id)/\(cell.cell.status)", reason: reason))
      }
    }
    return unsampled
  }
}
