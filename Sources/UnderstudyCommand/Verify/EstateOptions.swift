import ArgumentParser
import UnderstudyVerification

/// The choice of contracts that a run validates anew.
struct EstateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Validate only the contracts that changed since they branched off this git revision, by their files, fixtures and "
        + "references.", valueName: "revision"))
  var changedSince: String?

  @Option(
    help: ArgumentHelp(
      "Keep verdicts in this folder, and take them from there while no file of their contract changes.",
      valueName: "folder"))
  var cache: String?

  /// The first of the flags that is given.
  var flag: String? { changedSince != nil ? "--changed-since" : cache != nil ? "--cache" : nil }
}
