extension Rule {
  /// What can be wrong with a contract; each stands beside its check, in `OpenAPI/Rules`.
  package static let spec: [Rule] = [
    specUnparsable, specInfoMissing, specFieldMissing, specType, specDuplicateKey,
    specRefUnresolved, specRefExternal, specRefSiblings,
    specPathInvalid, specPathMethod, specPathConflict, specPathAmbiguous, specPathParamUndeclared, specPathParamUnused,
    specPathParamRepeated, specPathAdjacent,
    specOperationIdDuplicate,
    specParamDuplicate, specParamQuerystring, specParamIgnored, specParamWireCollision, specParamStyleInvalid,
    specSchemaUnsatisfiable, specSchemaTypeFormat, specSchemaWrongDialect,
    specSchemaDiscriminator, specSchemaRequiredDefault, specSchemaEnumDuplicate,
    specSecurityUndefined, specResponseNone, specResponseDescription, specResponsesKey, specLinkBroken,
  ]
}
