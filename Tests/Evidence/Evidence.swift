import ArgumentParser

/// What is claimed about the schema engine and about `verify`, measured at full size: slow for a test, and with no place in
/// the product.
@main
struct Evidence: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures and property tests of the schema engine, over folders of real descriptions; seeded faults.",
    subcommands: [
      Properties.self, Cases.self, Standalone.self, Convert.self, Speed.self, Repeat.self, Compilation.self,
      Mutants.self,
    ])
}
