/// Why an argument of the user is not valid, with advice.
package struct UsageProblem: Error, Equatable, Sendable {
  package var message: String
  package var help: String

  package init(message: String, help: String) {
    self.message = message
    self.help = help
  }
}
