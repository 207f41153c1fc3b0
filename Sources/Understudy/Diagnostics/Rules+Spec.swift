extension Rule {
  /// What can be wrong with a contract; each stands beside its check, in `OpenAPI/Rules`.
  package static let spec: [Rule] = [
    specUnparsable, specInfoMissing, specFieldMissing, specType, specDuplicateKey,
    specRefUnresolved, specRefExternal, specRefSiblings,
    specPathInvalid, specPathMethod, specPathConflict, specPathAmbiguous, specPathParamUndeclared, specPathParamUnused,
    specPathParamRepeated,
    specOperationIdDuplicate,
    specParamDuplicate, specParamIgnored, specParamWireCollision, specParamStyleInvalid,
    specSchemaUnsatisfiable, specSchemaTypeFormat, specSchemaWrongDialect,
    specSchemaDiscriminator, specSchemaRequiredDefault, specSchemaEnumDuplicate,
    specSecurityUndefined, specResponseNone, specResponsesKey, specLinkBroken,
  ]
}
