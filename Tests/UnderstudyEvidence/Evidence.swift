import ArgumentParser

/// Measures loading, replying, the schema engine and `verify` at full size, which is too slow for a test.
@main
struct Evidence: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Measures of loading, replying and the schema engine; property tests over folders of descriptions; seeded faults.",
    subcommands: [
      Properties.self, Cases.self, Standalone.self, Convert.self, Speed.self, Repeat.self, Compilation.self,
      Loading.self, Replies.self, Mutants.self, Bowtie.self, Paths.self,
    ])
}
