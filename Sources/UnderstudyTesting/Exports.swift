// The lines of a test are arguments by default, made by a macro that the test must see, in XCTest too.
@_exported public import Testing
