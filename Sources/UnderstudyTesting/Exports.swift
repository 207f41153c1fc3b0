// The lines of a test are arguments by default, made by a macro that the test must see, in XCTest too.
@_exported public import Testing

// A test names these two. It imports the rest of their module if it needs that.
@_exported public import struct UnderstudyMock.Cell
@_exported public import struct UnderstudyMock.Contract
