import UnderstudyVerification

/// Options of other mock servers and contract tools, each with the option here that has its purpose.
package enum OtherTools {
  /// Options with one purpose, separated by spaces, and the advice about them.
  package struct Entry: Sendable {
    package let options: String
    package let help: String

    fileprivate init(_ options: String, _ help: String) { (self.options, self.help) = (options, help) }

    /// Whether the entry lists the option, regardless of case.
    fileprivate func contains(_ option: String) -> Bool {
      options.split(separator: " ").contains { $0.lowercased().utf8.elementsEqual(option.lowercased().utf8) }
    }
  }

  /// The entries by subcommand.
  package static let all = [
    "serve": network + responses + WireMock.all, "run": network + responses + WireMock.all,
    "record": network + recordings, "verify": live, "lint": lint, "diff": diff,
    "generate": [Entry("-o --out", "`--output FILE` writes a file")],
  ]

  /// The advice about an option that a subcommand does not have; `nil` for an option of no known tool.
  ///
  /// - Parameters:
  ///   - option: The option on the command line, as `--proxy` or `-m`.
  ///   - command: The words of the subcommand.
  static func help(for option: String, of command: [String]) -> String? {
    guard let first = command.first else {
      return Suggestion.phrase(for: option, among: ["--version", "--help"])
        ?? "name a command before its options, as in `understudy serve api.yaml`; `understudy --help` lists the commands"
    }
    return all[first]?.first { $0.contains(option) }?.help
  }

  private static let network = [
    Entry("--hostname --bind --bind-address --address --listen -H -l", "`--host ADDRESS` is the address to listen on"),
    Entry("--proxy --proxy-all --target --passthrough", "`--upstream URL` forwards requests to a server"),
    Entry("--passThroughTargetBase", "`--upstream URL` forwards requests to a server"),
    Entry("--https --ssl --https-port", "`--tls` serves HTTPS as well, on the same port"),
    Entry("--https-keystore --httpsKeyStore --ssl-cert", "`--cert FILE` and `--key FILE` are the certificate, as PEM"),
    Entry("--insecure -k", "`--cacert FILE` trusts the certificate of an upstream"),
    Entry("--debug --log-level --verboseLevel --logLevel", "`--verbose` prints warnings as well"),
    Entry("--spec --input --openapi --contract --file -f", "contracts need no option: `understudy serve api.yaml`"),
  ]

  private static let responses = [
    Entry("--status --code --prefer --response", "`--force OPERATION=STATUS` chooses the response, as in '*=500'"),
    Entry("--latency --delay-in-ms --enable-random-latency", "`--delay '*=200ms'` delays every response"),
    Entry("--error-rate --fail", "`--force '*=500@20%'` fails a fifth of the requests"),
    Entry("--multiprocess -m", "a mock uses every processor already; `--loops NUMBER` sets the number of event loops"),
    Entry("--ignoreExamples --random", "`--dynamic` responds with samples of the schema instead of examples"),
    Entry("--faker-seed", "`--seed TEXT` repeats random values"),
    Entry(
      "--no-validation --no-validate --validate-request", "`--on-invalid warn` responds to invalid requests as well"),
    Entry("--hotReload --hot-reload -w", "`--watch` is the default: changed files are loaded again"),
    Entry(
      "--routes -r --middlewares", "a routes file stands beside the contracts: `understudy serve api.yaml routes.yaml`"),
    Entry("--data --root-dir --stubs --mappings --examples", "`--fixtures FOLDER` has the responses"),
    Entry(
      "--persist --state --db --snapshots", "`--store FILE` keeps the state; `understudy serve db.json` serves data"),
    Entry("--log-transaction --print-all-network-traffic", "`--journal FILE` or `--har FILE` writes every exchange"),
    Entry("--disable-admin-api --no-console", "`--no-admin` serves without the console and the admin API"),
    Entry("--admin-token --token --admin-api-basic-auth", "set the environment variable UNDERSTUDY_ADMIN_TOKEN"),
    Entry("--daemon --detach --background", "end the command with `&`, and wait for the file of `--ready-file FILE`"),
  ]

  /// The options of WireMock that need no counterpart.
  private enum WireMock {
    static let all = [
      Entry("--enable-stub-cors", "`--cors` is the default"),
      Entry(
        "--global-response-templating --local-response-templating", "`template: true` in a fixture fills templates"),
      Entry("--container-threads --jetty-acceptor-threads", "`--loops NUMBER` sets the number of event loops"),
      Entry("--disable-banner", "`--quiet` prints errors and warnings alone"),
      Entry("--record-mappings", "`understudy record api.yaml --upstream URL` writes fixtures"),
    ]
  }

  private static let recordings = [
    Entry("--output -o --out --root-dir --data", "`--fixtures FOLDER` receives the files"),
    Entry("--har --input-har", "`--from FILE` reads a recording"),
  ]

  private static let live = [
    Entry("--url -u --base-url -b --server --endpoint --testBaseURL", "`--live URL` is the server to validate"),
    Entry("--provider-base-url --target --upstream", "`--live URL` is the server to validate"),
    Entry("--hypothesis-max-examples", "`--count NUMBER` sets the number of requests for each operation"),
    Entry("--generation-seed --hypothesis-seed", "`--seed TEXT` repeats a run"),
    Entry("--include-operation-id --only", "`--operation ID` chooses operations"),
    Entry("--include-tag", "`--tag NAME` chooses operations"),
    Entry("--include-path --endpoint-path", "`--path PATH` chooses operations"),
    Entry("--exclude-operation-id", "`--exclude-operation ID` leaves operations out"),
    Entry("--rate-limit", "`--rate 20/s` bounds the number of requests"),
    Entry("--request-timeout", "`--timeout 10s` is the time limit of a request"),
    Entry("--exitfirst -x --bail", "`--max-failures 1` stops after the first error"),
    Entry("--hookfiles --hooks", "`--before COMMAND` and `--after COMMAND` run at the ends of the run"),
    Entry("--auth -a -H", "`--header 'Authorization: Bearer ${TOKEN}'` is sent with every request"),
    Entry("--checks -c", "`rules` of understudy.yaml switches rules off; `understudy explain` lists them"),
    Entry("--junit-xml --report-junit-path --junitReportDir", "`--report junit=FILE` writes a report"),
    Entry("--reporter --output -o", "`--format FORMAT` chooses what is printed, `--report FORMAT=FILE` writes a file"),
  ]

  private static let lint = [
    Entry(
      "--ruleset -r --extends --rules", "`rules` of understudy.yaml changes rules; `understudy explain` lists them"),
    Entry(
      "--fail-severity -F --max-warnings --fail-on-warnings", "`--fail-on SEVERITY` is the lowest severity that fails"),
    Entry("--skip-rule --ignore", "`rules` of understudy.yaml switches rules off"),
    Entry("--display-only-failures -D", "`--quiet` prints errors alone"),
    Entry("--output -o --report", "`--format FORMAT` prints a format, which `> FILE` writes to a file"),
    Entry("--reporter -f", "`--format FORMAT` chooses what is printed"),
  ]

  private static let diff = [
    Entry("--err-ignore --warn-ignore", "`--baseline FILE` has the findings that do not fail"),
    Entry("--severity-levels", "`--levels FILE` has the severity of rules"),
    Entry("--strip-prefix-base --strip-prefix-revision", "`--strip-prefix PREFIX`, twice, is about both versions"),
    Entry("--deprecation-days-beta --deprecation-days-stable", "`--notice DAYS` or `--notice beta=DAYS`"),
    Entry("--fail-on-incompatible --fail-on-changed", "`--fail-on SEVERITY` is the lowest severity that fails"),
    Entry("--markdown --html --json", "`--format FORMAT` chooses what is printed"),
    Entry("--output -o", "`--report FORMAT=FILE` writes a report"),
    Entry("-f", "`--format FORMAT` chooses what is printed"),
    Entry("--composed -c", "two folders are compared as one: `understudy diff old/ new/`"),
  ]
}

/// The short option `-h`, which is the host if a value follows, as in Prism, and the help otherwise.
enum HostFlag {
  /// The arguments with `--host` instead of a `-h` that has a host as its value.
  static func expanded(_ arguments: [String]) -> [String] {
    let mocks = ["serve", "mock", "run", "record"]
    let own = arguments.prefix { $0 != "--" }
    guard let command = arguments.first, mocks.contains(command),
      let flag = own.firstIndex(of: "-h"), let value = own.dropFirst(flag + 1).first, isHost(value)
    else { return arguments }
    var arguments = arguments
    arguments[flag] = "--host"
    return arguments
  }

  /// Whether a value is the name or address of a host, not the file of a contract.
  private static func isHost(_ value: String) -> Bool {
    guard !value.hasPrefix("-"), !value.contains("/"), !FileSystem.exists(value) else { return false }
    return !["yaml", "yml", "json"].contains(Path.fileExtension(of: value))
  }
}
