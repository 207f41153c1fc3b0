// Requests, responses and diagnostics are part of every signature, so whoever imports this module sees them.
@_exported public import HTTPTypes
@_exported public import SourceText
