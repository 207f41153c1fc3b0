/// The rules for drafting values; later strategies prefer valid values over natural ones.
struct SampleStrategy: Sendable {
  /// Valid examples and defaults are used.
  var usesExamples = true
  /// Optional properties are filled in.
  var fillsOptional = true
  /// Every part is validated separately, so that invalid ones are omitted or replaced.
  var validatesParts = false
  /// Keywords beside `$ref` count, as from draft 2019-09 on.
  var readsBesideReference = true
  /// Required properties of the other direction are kept, as JSON Schema itself has no directions.
  var keepsHidden = false
  /// Choices are random even for a plain seed.
  var isRandom = false
  /// Examples of objects and arrays are not used, as they may have optional properties.
  var isSmallest = false

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

  /// For a value without optional properties.
  static let smallest: [SampleStrategy] = [
    SampleStrategy(fillsOptional: false, isSmallest: true),
    SampleStrategy(fillsOptional: false, validatesParts: true, isSmallest: true),
  ]
}
