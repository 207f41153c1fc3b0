import UnderstudyVerification

/// The examples of a subcommand's help, and its documentation.
struct HelpTopic {
  /// `coverage merge`; empty for the program itself.
  let command: String
  let page: String
  let examples: [String]

  private init(_ command: String, _ page: String, _ examples: String...) {
    self.command = command
    self.page = page
    self.examples = examples
  }

  static let all = [
    HelpTopic("", "README.md", "understudy serve api.yaml", "understudy verify --live http://localhost:8080 api.yaml"),
    HelpTopic(
      "serve", "docs/serve.md", "understudy serve api.yaml --port 8080 --force readPet=404",
      "understudy serve api.yaml --upstream https://api.example.com --har traffic.har"),
    HelpTopic(
      "run", "docs/run.md", "understudy run api.yaml -- npm test",
      "understudy run api.yaml --require 'pets/*:200,404' -- swift test"),
    HelpTopic(
      "record", "docs/record.md", "understudy record api.yaml --upstream https://api.example.com",
      "understudy record api.yaml --from traffic.har"),
    HelpTopic(
      "scenario", "docs/scenarios.md", "understudy scenario list api.yaml", "understudy scenario show life api.yaml"),
    HelpTopic(
      "scenario show", "docs/scenarios.md", "understudy scenario show life api.yaml",
      "understudy scenario show life api.yaml --format mermaid"),
    HelpTopic(
      "scenario list", "docs/scenarios.md", "understudy scenario list api.yaml",
      "understudy scenario list api.yaml --fixtures tests/fixtures"),
    HelpTopic("ctl", "docs/admin.md", "understudy ctl force readPet=404 --times 1", "understudy ctl log --follow"),
    HelpTopic(
      "ctl force", "docs/admin.md", "understudy ctl force readPet=404",
      "understudy ctl force readPet=500 listPets=200.empty --times 2"),
    HelpTopic(
      "ctl reply", "docs/admin.md", "understudy ctl reply readPet --status 418 --text tea",
      "understudy ctl reply readPet --fault reset --times 2"),
    HelpTopic(
      "ctl route", "docs/routes.md", "understudy ctl route 'GET /flags={json: {dark: true}}'",
      "understudy ctl route --remove 'GET /flags'"),
    HelpTopic(
      "ctl open", "docs/admin.md", "understudy ctl open alice --port 0",
      "understudy ctl open alice --scenario token-expires"),
    HelpTopic(
      "ctl close", "docs/admin.md", "understudy ctl close alice",
      "understudy ctl close alice --url http://localhost:8080"),
    HelpTopic(
      "ctl fault", "docs/admin.md", "understudy ctl fault readPet=reset@20%",
      "understudy ctl fault --delay 'listPets=2s'"),
    HelpTopic(
      "ctl reload", "docs/admin.md", "understudy ctl reload", "understudy ctl reload --url http://localhost:8080"),
    HelpTopic("ctl release", "docs/admin.md", "understudy ctl release", "understudy ctl release --lane ann"),
    HelpTopic("ctl play", "docs/admin.md", "understudy ctl play token-expires", "understudy ctl play"),
    HelpTopic(
      "ctl webhook", "docs/callbacks.md", "understudy ctl webhook newPet --to http://127.0.0.1:9000/pets",
      "understudy ctl webhook"),
    HelpTopic("ctl advance", "docs/admin.md", "understudy ctl advance 1h", "understudy ctl advance 5s --lane ann"),
    HelpTopic("ctl reset", "docs/admin.md", "understudy ctl reset", "understudy ctl reset --lane ann"),
    HelpTopic(
      "ctl verdict", "docs/admin.md", "understudy ctl verdict", "understudy ctl verdict --lane alice"),
    HelpTopic("ctl lanes", "docs/admin.md", "understudy ctl lanes", "understudy ctl lanes --url http://localhost:8080"),
    HelpTopic(
      "ctl log", "docs/admin.md", "understudy ctl log --follow", "understudy ctl log --format har > traffic.har"),
    HelpTopic(
      "ctl show", "docs/admin.md", "understudy ctl show 12", "understudy ctl show 12 --format markdown > bug.md"),
    HelpTopic(
      "journal", "docs/journal.md", "understudy journal day.sqlite --findings",
      "understudy journal day.sqlite --show 12 --format markdown"),
    HelpTopic("tls trust", "docs/tls.md", "understudy tls trust", "understudy tls trust node python"),
    HelpTopic("tls status", "docs/tls.md", "understudy tls status", "understudy tls status | grep valid"),
    HelpTopic("tls remove", "docs/tls.md", "understudy tls remove", "understudy tls remove && understudy tls trust"),
    HelpTopic("status", "docs/record.md", "understudy status api.yaml", "understudy status api.yaml --max-age 90d"),
    HelpTopic("prune", "docs/record.md", "understudy prune api.yaml", "understudy prune api.yaml --yes"),
    HelpTopic(
      "sweep", "docs/sweep.md", "understudy sweep api.yaml -- python3 client.py",
      "understudy sweep api.yaml --operation readPet --jobs 4 --expect-file sweep.yaml -- ./client"),
    HelpTopic(
      "generate", "docs/testing.md", "understudy generate swift api.yaml --output Sources/App/Statuses.swift",
      "understudy generate typescript api.yaml > statuses.ts"),
    HelpTopic(
      "verify", "docs/verify.md", "understudy verify api.yaml --report junit=junit.xml",
      "understudy verify api.yaml --har traffic.har --fail-on warning"),
    HelpTopic(
      "diff", "docs/diff.md", "understudy diff HEAD~1:openapi.yaml openapi.yaml",
      "understudy diff main...:openapi.yaml openapi.yaml --changelog"),
    HelpTopic(
      "coverage show", "docs/coverage.md", "understudy coverage api.yaml --har traffic.har --min-coverage served=80",
      "understudy coverage api.yaml --har traffic.har --format html > coverage.html"),
    HelpTopic(
      "coverage merge", "docs/coverage.md", "understudy coverage merge job-1.json job-2.json --min-coverage served=80",
      "understudy coverage merge job-1.json job-2.json --require 'pets/*:200,404'"),
    HelpTopic(
      "report", "docs/reports.md", "understudy report merge 1.json 2.json",
      "understudy report merge 1.json --format html > report.html"),
    HelpTopic(
      "report merge", "docs/reports.md", "understudy report merge 1.json 2.json --format github",
      "understudy report merge 1.json --report html=report.html"),
    HelpTopic(
      "lint", "docs/contracts.md", "understudy lint api.yaml",
      "understudy lint api.yaml --fail-on warning --format json"),
    HelpTopic("routes", "docs/serve.md", "understudy routes api.yaml", "understudy routes api.yaml --format json"),
    HelpTopic(
      "schema", "docs/schema.md", "understudy schema check schema.json value.json",
      "understudy schema sample schema.json"),
    HelpTopic(
      "schema check", "docs/schema.md", "understudy schema check schema.json value.json",
      "understudy schema check schema.json values/a.json values/b.yaml"),
    HelpTopic(
      "schema sample", "docs/schema.md", "understudy schema sample schema.json",
      "understudy schema sample schema.json --seed 7"),
    HelpTopic("explain", "docs/rules.md", "understudy explain", "understudy explain resp.body.schema"),
    HelpTopic("init", "docs/fixtures.md", "understudy init api.yaml", "understudy init api.yaml --dry-run"),
    HelpTopic(
      "infer", "docs/routes.md", "understudy infer routes.yaml -o api.yaml", "understudy infer routes.yaml traffic.har"),
    HelpTopic(
      "import", "docs/import.md", "understudy import wiremock mappings",
      "understudy import postman shop.json --out mock"),
    HelpTopic(
      "fetch", "docs/contracts.md", "understudy fetch https://api.example.com/openapi.json",
      "understudy fetch https://api.example.com/docs -o api.yaml"),
    HelpTopic("doctor", "README.md", "understudy doctor", "understudy doctor api.yaml --port 8080"),
  ]

  /// The first example of a subcommand.
  static func example(of words: [String]) -> String? {
    all.first { $0.command == words.joined(separator: " ") }?.examples.first
  }

  /// The page as it is installed, else in the sources.
  private var place: String {
    let program = CommandLine.arguments[0]
    let folders =
      program.utf8.contains(UInt8(ascii: "/"))
      ? [Path.folder(of: program)] : (Environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let folder = folders.first { FileSystem.isRegular(Path.join($0, "understudy")) }
    let installed = folder.map { Path.join(Path.folder(of: $0), "share/doc/understudy/\(page)") }
    return installed.flatMap { FileSystem.isRegular($0) ? $0 : nil } ?? "\(page) of the sources"
  }

  /// The last sections of a help text.
  var text: String {
    "EXAMPLES:\n\(examples.map { "  \($0)\n" }.joined())\nDOCUMENTATION:\n  man understudy, \(place)\n"
  }
}
