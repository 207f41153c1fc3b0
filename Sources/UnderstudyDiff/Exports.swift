// The compared contracts are part of every signature.
@_exported public import UnderstudyContract
