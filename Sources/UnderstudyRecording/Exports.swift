// Reports and contracts are part of every signature, so importing this module shows them too.
@_exported public import UnderstudyVerification
