extension Redactor {
  /// The shell variable that replaces each spelling of a known secret in a command line.
  package var variables: [(spelling: String, name: String)] {
    secrets.flatMap { secret in secret.spellings.map { ($0, secret.variable) } }
  }

  /// Removes known secrets, which a server may have sent back, from the findings of a report.
  package func hideSecrets(in report: inout Report) {
    // A short secret would match parts of ordinary words.
    let variables = secrets.filter { $0.value.utf8.count >= 6 }.flatMap { secret in
      secret.spellings.map { ($0, "${\(secret.variable)}") }
    }
    guard !variables.isEmpty else { return }
    func hidden(_ text: String) -> String {
      variables.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
    report.forEachFinding { finding in
      finding.message = hidden(finding.message)
      finding.help = finding.help.map(hidden)
      for note in finding.notes.indices { finding.notes[note].message = hidden(finding.notes[note].message) }
    }
  }
}
