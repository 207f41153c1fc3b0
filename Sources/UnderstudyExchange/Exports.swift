// Requests, responses and the model of a contract are part of every signature, so importing this module shows them too.
@_exported public import HTTPTypes
@_exported public import UnderstudyContract
