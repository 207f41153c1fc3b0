/// JUnit XML for Jenkins, GitHub's reporters and GitLab: one suite for each operation, one testcase for each case.
///
/// It includes what passed, so that rates are right. Parts that were not validated are skipped testcases.
struct JUnitReport {
  let report: Report
  let context: ReportContext
  /// Limits the size of the file, of which GitLab reads 30 MB.
  private static let longest = 4_000

  /// One `testcase`.
  private struct Test {
    enum Outcome { case passed, failed, notRun, skipped }

    var name: String
    var classname: String
    var duration: Duration = .zero
    var outcome = Outcome.passed
    var message = ""
    /// The failing findings.
    var body = ""
    /// The other findings.
    var output = ""
    var type = ""
  }

  private struct Suite {
    var name: String
    var file: String?
    var tests: [Test]

    func count(_ outcome: Test.Outcome) -> Int { tests.count { $0.outcome == outcome } }
  }

  var text: String {
    let suites = unique(operations + [self.run].compactMap(\.self))
    let all = Suite(name: "", tests: suites.flatMap(\.tests))
    let start = tag(
      "testsuites",
      [
        ("name", "understudy \(report.run.command)"), ("tests", String(all.tests.count)),
        ("failures", String(all.count(.failed))), ("errors", String(all.count(.notRun))),
        ("time", seconds(report.run.duration)),
      ])
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + start
      + suites.enumerated().map { text(of: $1, $0) }.joined() + "</testsuites>\n"
  }

  // MARK: - Suites

  private var operations: [Suite] {
    report.cases.grouped { [$0.subject.contract, $0.subject.title] }.map { key, cases in
      let file = report.run.file(of: cases[0].subject)
      return Suite(name: key[1], file: file.map(context.paths.path), tests: cases.map(test))
    }
  }

  /// Whether the run is complete, and the parts that were not validated; `nil` if the other suites show everything.
  private var run: Suite? {
    let classname = "understudy"
    let verdict = report.verdict(context)
    var tests: [Test] = []
    switch verdict {
    case .incomplete where report.run.abortedBecause != nil, .nothingChecked:
      tests.append(
        Test(
          name: "the run is complete", classname: classname, outcome: .notRun, message: verdict.text, type: "incomplete"
        ))
    default: if report.cases.isEmpty { tests.append(Test(name: "the run is complete", classname: classname)) }
    }
    tests += report.notValidated.map { item in
      Test(
        name: "not validated: \(item.reason)", classname: classname, outcome: .skipped,
        message: "\(item.count) not validated: \(item.reason)")
    }
    return tests.isEmpty ? nil : Suite(name: "the run", tests: tests)
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

  /// Numbers testcases of the same classname and name, of which GitLab would keep only one.
  private func unique(_ suites: [Suite]) -> [Suite] {
    var counts: [[String]: Int] = [:]
    return suites.map { suite in
      var suite = suite
      for (position, test) in suite.tests.enumerated() {
        counts[[test.classname, test.name], default: 0] += 1
        if let number = counts[[test.classname, test.name]], number > 1 {
          suite.tests[position].name += " (\(number))"
        }
      }
      return suite
    }
  }

  // MARK: - Writing

  private func text(of suite: Suite, _ position: Int) -> String {
    var out = "  "
    out += tag(
      "testsuite",
      [
        ("name", suite.name), ("tests", String(suite.tests.count)), ("failures", String(suite.count(.failed))),
        ("errors", String(suite.count(.notRun))), ("skipped", String(suite.count(.skipped))),
        ("time", seconds(suite.tests.reduce(.zero) { $0 + $1.duration })),
        ("timestamp", String(report.run.startedAt.prefix(19))),
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
