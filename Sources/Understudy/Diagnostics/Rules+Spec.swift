extension Rule {
  package static let spec: [Rule] = [
    specUnparsable, specInfoMissing, specFieldMissing, specType, specPathInvalid, specPathMethod,
    specOperationIdDuplicate,
    specRefUnresolved, specRefExternal,
  ]
}
