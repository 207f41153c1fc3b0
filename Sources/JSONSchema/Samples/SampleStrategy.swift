/// The rules by which values are drafted; the later strategies give up natural values for the chance to fit.
struct SampleStrategy: Sendable {
  /// Examples and defaults are taken where they fit.
  var usesExamples = true
  /// Optional properties are filled in.
  var fillsOptional = true
  /// Every part is validated on its own, so that one that cannot fit is left out or made again.
  var validatesParts = false
  /// Keywords beside `$ref` count (they do since draft 2019-09, and mostly do no harm before).
  var readsBesideReference = true
  /// Required properties of the other direction are kept: JSON Schema itself knows no direction.
  var keepsHidden = false
  /// Choices are random even where the seed asks for plain values.
  var isRandom = false

  static let inOrder: [SampleStrategy] = [
    SampleStrategy(),
    SampleStrategy(validatesParts: true),
    SampleStrategy(fillsOptional: false, validatesParts: true),
    SampleStrategy(usesExamples: false, validatesParts: true, keepsHidden: true),
    SampleStrategy(usesExamples: false, fillsOptional: false, validatesParts: true, readsBesideReference: false),
    SampleStrategy(
      usesExamples: false, validatesParts: true, readsBesideReference: false, keepsHidden: true, isRandom: true),
    SampleStrategy(usesExamples: false, fillsOptional: false, validatesParts: true, keepsHidden: true, isRandom: true),
  ]
}
