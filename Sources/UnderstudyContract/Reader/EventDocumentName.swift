/// The names of the AsyncAPI document that belongs to a contract.
package enum EventDocumentName {
  /// `shop.asyncapi.yaml` beside `shop.yaml`, and `asyncapi.yaml` beside `openapi.yaml`.
  package static func candidates(beside contract: String) -> [String] {
    let stem = Path.stem(of: contract)
    let word = ["openapi", "swagger"].first { stem.contains($0) }
    let name = word.map { stem.replacing($0, with: "asyncapi", maxReplacements: 1) } ?? "\(stem).asyncapi"
    return ["yaml", "yml", "json"].map { Path.join(Path.folder(of: contract), "\(name).\($0)") }
  }
}
