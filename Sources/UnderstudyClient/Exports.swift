// Lines of a test are default arguments made by a macro that the test must see, in XCTest too.
@_exported public import Testing

// The values of bodies, arguments and messages.
@_exported public import enum UnderstudyJSON.JSONValue
