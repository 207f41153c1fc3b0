extension Diagnostic {
  /// The message after the place of a value in a body: `/origin/lng: expected number, found string "x"`.
  ///
  /// Other parts of a message, such as a parameter, are named in the message itself. The place is shortened, because the
  /// names of members come from the client.
  package var placedMessage: String {
    guard location?.path == nil, let pointer = location?.pointer, pointer.utf8.starts(with: "/body/".utf8) else {
      return message
    }
    return "\(VisibleText.shortened(String(pointer.dropFirst("/body".count)), to: 200)): \(message)"
  }
}
