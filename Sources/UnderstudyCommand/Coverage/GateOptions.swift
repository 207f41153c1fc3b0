import ArgumentParser
import Understudy

/// What a coverage has to reach.
struct GateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fail (5) below this share of answers: served=80,asserted=50; 80 alone is for served. Repeatable.",
      valueName: "mark=percent")
  )
  var minCoverage: [String] = []

  @Option(
    help: ArgumentHelp(
      "Fail (5) unless these cells were served: 'chat/*:200,401,500'. Repeatable.", valueName: "operations:statuses"))
  var require: [String] = []

  @Flag(help: "Leave deprecated operations out.")
  var ignoreDeprecated = false

  func gates() throws -> [CoverageGate] {
    do throws(CoverageGate.Problem) {
      var gates: [CoverageGate] = []
      for text in minCoverage { gates += try CoverageGate.shares(text) }
      for text in require { gates.append(try CoverageGate(cells: text)) }
      return gates
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
  }
}
