import UnderstudyVerification

/// The end of processes that a command left behind.
enum OrphanEnd {
  /// The number of looks at processes that end by themselves, such as a `tee` that writes the last output of the command: two
  /// seconds, or more on a machine that is too busy for either.
  private static let looks = 200

  /// Ends the processes in the background of a command that has ended; daemons live on.
  static func endRest() async {
    for _ in 0..<looks {
      guard CapturedProcess.hasOrphans(sparingDaemons: true) else { return }
      try? await Task.sleep(for: .milliseconds(10))
    }
    report(CapturedProcess.endOrphans(sparingDaemons: true))
  }

  /// Writes the names of processes that were ended; nothing without any.
  static func report(_ names: [String]) {
    guard !names.isEmpty else { return }
    let shown = names.unique().prefix(5).map { VisibleText.line($0) }.joined(separator: ", ")
    Terminal.standardError.write(
      "remark: ended \(names.count == 1 ? "1 process" : "\(names.count) processes") that outlived the command: \(shown)\n"
    )
  }
}
