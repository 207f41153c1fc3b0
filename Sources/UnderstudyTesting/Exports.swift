// The words of a test: lanes, replies, calls, verdicts.
@_exported public import UnderstudyClient

// A test names these two. It imports the rest of their module if it needs that.
@_exported public import struct UnderstudyMock.Cell
@_exported public import struct UnderstudyMock.Contract
