import Testing

/// The tests with blocking sockets. One runs at a time: together they would hold every thread that Swift's tasks have,
/// and the time limits under test would run out meanwhile.
@Suite(.serialized) enum OverSockets {}
