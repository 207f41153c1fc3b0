package import UnderstudyMock

extension Reply {
  /// The source of the answer as a header, the log and the journal have it.
  package var reason: String { "\(source)" }

  /// A reply that a test wrote.
  package init(
    _ content: Content, delay: Duration = .zero, fault: Fault? = nil, reason: String, diagnostics: [Diagnostic] = []
  ) {
    self.init(content, delay: delay, fault: fault, source: ReplySource(.written(reason)), diagnostics: diagnostics)
  }
}
