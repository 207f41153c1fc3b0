/// JUnit XML in the form that Jenkins, GitHub's reporters and GitLab read: a suite an operation, a testcase a case.
///
/// What passed is there too, or rates mean nothing; what was not validated is there as skipped. The file is never empty.
struct JUnitReport {
  let report: Report
  let context: ReportContext
  /// One body must not make the file too large to be read: GitLab takes 30 MB.
  private static let longest = 4_000

  /// One `testcase`.
  private struct Test {
    enum Outcome { case passed, failed, notRun, skipped }

    var name: String
    var classname: String
    var duration: Duration = .zero
    var outcome = Outcome.passed
    /// The message and the text of what failed.
    var message = ""
    var body = ""
    /// What did not fail, but was told.
    var output = ""
    var type = ""
  }

  private struct Suite {
    var name: String
    var file: String?
    var tests: [Test] = []

    func count(_ outcome: Test.Outcome) -> Int { tests.count { $0.outcome == outcome } }
    var duration: Duration { tests.reduce(.zero) { $0 + $1.duration } }
  }

  var text: String {
    let suites = unique(operations + [self.run].compactMap(\.self))
    let all = suites.flatMap(\.tests)
    var out = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    out += tag(
      "testsuites",
      [
        ("name", "understudy \(report.run.command)"), ("tests", String(all.count)),
        ("failures", String(all.count { $0.outcome == .failed })),
        ("errors", String(all.count { $0.outcome == .notRun })), ("time", seconds(report.run.duration)),
      ])
    for (position, suite) in suites.enumerated() { out += text(of: suite, position) }
    return out + "</testsuites>\n"
  }

  // MARK: - What there is

  private var operations: [Suite] {
    var suites: [Suite] = []
    var positions: [[String]: Int] = [:]
    for item in report.cases {
      let key = [item.subject.contract, item.subject.title]
      let position = positions[key] ?? suites.count
      if position == suites.count {
        positions[key] = position
        let file = report.run.contracts.first { Path.stem(of: $0).utf8Equals(item.subject.contract) }
        suites.append(Suite(name: item.subject.title, file: file.map(context.paths.path)))
      }
      suites[position].tests.append(test(of: item))
    }
    return suites
  }

  /// The run itself: why it ended early, and what was not validated; `nil` when there is nothing to say and something else to show.
  private var run: Suite? {
    var suite = Suite(name: "the run")
    let classname = "understudy"
    let verdict = report.verdict(context)
    switch verdict {
    case .incomplete where report.run.abortedBecause != nil, .nothingChecked:
      var test = Test(name: "everything was looked at", classname: classname, outcome: .notRun)
      test.message = verdict.text
      test.type = "incomplete"
      suite.tests.append(test)
    default:
      if report.cases.isEmpty { suite.tests.append(Test(name: "everything was looked at", classname: classname)) }
    }
    for item in report.notValidated {
      var test = Test(name: "not validated: \(item.reason)", classname: classname, outcome: .skipped)
      test.message = "\(item.count) not validated: \(item.reason)"
      suite.tests.append(test)
    }
    return suite.tests.isEmpty ? nil : suite
  }

  private func test(of item: Report.Case) -> Test {
    let name = (item.subject.status.map { "\($0) " } ?? "") + item.name
    let title = item.subject.title
    let classname = title == item.subject.contract ? title : "\(item.subject.contract).\(title)"
    var test = Test(name: name, classname: classname, duration: item.duration)
    let failing = item.findings.filter(context.fails)
    test.output = lines(item.findings.filter { !context.fails($0) })
    switch item.outcome {
    case .failedToRun(let reason): (test.outcome, test.message, test.type) = (.notRun, reason, "not run")
    case .skipped(let reason): (test.outcome, test.message) = (.skipped, reason)
    case .validated: break
    }
    guard let first = failing.first else { return test }
    test.body = lines(failing)
    if test.outcome == .notRun { return test }
    test.outcome = .failed
    test.type = first.rule
    test.message = first.placedMessage + (failing.count > 1 ? " (and \(failing.count - 1) more)" : "")
    return test
  }

  /// GitLab keeps one of the testcases that share classname and name.
  private func unique(_ suites: [Suite]) -> [Suite] {
    var suites = suites
    var met: [[String]: Int] = [:]
    for suite in suites.indices {
      for test in suites[suite].tests.indices {
        let key = [suites[suite].tests[test].classname, suites[suite].tests[test].name]
        met[key, default: 0] += 1
        if let number = met[key], number > 1 { suites[suite].tests[test].name += " (\(number))" }
      }
    }
    return suites
  }

  // MARK: - Writing

  private func text(of suite: Suite, _ position: Int) -> String {
    var out = "  "
    out += tag(
      "testsuite",
      [
        ("name", suite.name), ("tests", String(suite.tests.count)), ("failures", String(suite.count(.failed))),
        ("errors", String(suite.count(.notRun))), ("skipped", String(suite.count(.skipped))),
        ("time", seconds(suite.duration)), ("timestamp", String(report.run.startedAt.prefix(19))),
        ("id", String(position)), ("file", suite.file),
      ])
    let properties = report.run.scope + (report.run.version.map { [("version", $0)] } ?? [])
    if !properties.isEmpty {
      out += "    <properties>\n"
      for (name, value) in properties {
        out += "      <property name=\"\(name)\" value=\"\(Markup.attribute(value))\"/>\n"
      }
      out += "    </properties>\n"
    }
    for test in suite.tests { out += text(of: test) }
    return out + "  </testsuite>\n"
  }

  private func text(of test: Test) -> String {
    let attributes = [("name", test.name), ("classname", test.classname), ("time", seconds(test.duration))]
    var inner = ""
    switch test.outcome {
    case .passed: break
    case .skipped: inner += "      <skipped message=\"\(attribute(test.message))\"/>\n"
    case .failed, .notRun:
      let element = test.outcome == .failed ? "failure" : "error"
      inner += "      <\(element) message=\"\(attribute(test.message))\" type=\"\(Markup.attribute(test.type))\">"
      inner += "\(Markup.text(test.body))</\(element)>\n"
    }
    if !test.output.isEmpty { inner += "      <system-out>\(Markup.text(test.output))</system-out>\n" }
    let start = "    " + tag("testcase", attributes, isEmpty: inner.isEmpty)
    return inner.isEmpty ? start : start + inner + "    </testcase>\n"
  }

  private func tag(_ name: String, _ attributes: [(String, String?)], isEmpty: Bool = false) -> String {
    let written = attributes.compactMap { name, value in value.map { " \(name)=\"\(attribute($0))\"" } }
    return "<\(name)\(written.joined())\(isEmpty ? "/" : "")>\n"
  }

  private func attribute(_ text: String) -> String { Markup.attribute(VisibleText.shortened(text, to: Self.longest)) }

  private func lines(_ findings: [Report.Finding]) -> String {
    let all = findings.flatMap { FindingText().lines($0) }.joined(separator: "\n")
    return VisibleText.shortened(all, to: Self.longest * 4)
  }

  /// Seconds with three decimals.
  private func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let digits = String(max(0, attoseconds / 1_000_000_000_000_000))
    return "\(max(0, seconds))." + String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }
}
