import JSONSchema
import SourceText

extension LiveSettings {
  /// Hides the values of headers in which these schemes have their credentials.
  package mutating func hideHeaders(of schemes: [SecurityScheme]) {
    let credentials = LiveCredentials(schemes, given: [:], headers: [])
    for (name, value) in headers where credentials.isPlace(ofHeader: name) {
      guard !secrets.contains(where: { value.contains($0.value) }) else { continue }
      secrets.append(Secret(value, variable: Self.variable(name)))
    }
  }
}

extension Report {
  /// Takes secrets that a server sent back out of what findings say.
  mutating func hide(_ secrets: [LiveSettings.Secret]) {
    // A short one would be found in words that have nothing to do with it.
    let secrets = secrets.filter { $0.value.utf8.count >= 6 }
    guard !secrets.isEmpty else { return }
    func hidden(_ text: String) -> String {
      secrets.reduce(text) { text, secret in
        secret.spellings.reduce(text) { $0.replacing($1, with: "${\(secret.variable)}") }
      }
    }
    for item in cases.indices {
      for finding in cases[item].findings.indices {
        cases[item].findings[finding].message = hidden(cases[item].findings[finding].message)
        cases[item].findings[finding].help = cases[item].findings[finding].help.map(hidden)
        for note in cases[item].findings[finding].notes.indices {
          cases[item].findings[finding].notes[note].message = hidden(cases[item].findings[finding].notes[note].message)
        }
      }
    }
  }
}

extension LiveSettings.Secret {
  /// As it is, as a key in a query, and as a Basic credential.
  var spellings: [String] { [value, PercentEncoding.encode(value), Base64.encode(Array(value.utf8))] }
}
