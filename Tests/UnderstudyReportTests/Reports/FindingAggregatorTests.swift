import Testing
import UnderstudyReport

struct FindingAggregatorTests {
  private typealias Findings = FindingAggregator<String, String>

  private static let contract = BrokenContract()

  /// A file with two lines that an exchange can break.
  private struct BrokenContract {
    let root = try? JSONParser.parse(SourceFile(path: "specs/shop.json", text: #"{"a": {}, "b": {}}"#)).root

    func note(_ name: String) -> [Diagnostic.Note] {
      root?[name].map { [Diagnostic.Note("the contract", at: Location($0))] } ?? []
    }
  }

  private static func broken(
    _ line: String = "a", _ message: String = "wrong", rule: Rule = .responseBodySchema, severity: Severity? = nil
  ) -> Diagnostic {
    Diagnostic(
      rule, message, at: Location(exchange: "/body/7"), severity: severity, notes: contract.note(line))
  }

  private static func add(
    _ diagnostic: Diagnostic, to findings: inout Findings, weight: Int = 0, _ evidence: String = "",
    reproduction: String? = nil
  ) {
    findings.add(diagnostic, about: Reports.subject, in: "cell", from: evidence, weight: weight) {
      $0.reproduction = reproduction
    }
  }

  private static func report(_ findings: Findings) -> [Report.Finding] {
    findings.cases { (Reports.subject, $0) }.flatMap(\.findings)
  }

  @Test func `violations of one line of the contract are one finding`() {
    var findings = Findings()
    for (line, message) in [("a", "found 1"), ("a", "found 2"), ("b", "found 1"), ("a", "found 3")] {
      Self.add(Self.broken(line, message), to: &findings)
    }
    #expect(Self.report(findings).map(\.count) == [3, 1])
    #expect(Self.report(findings).map(\.message) == ["found 1", "found 1"])
  }

  @Test func `another severity is another finding of the same cause`() {
    var findings = Findings()
    Self.add(Self.broken(severity: .warning), to: &findings)
    Self.add(Self.broken(), to: &findings)
    #expect(Self.report(findings).map(\.severity) == [.warning, .error])
    #expect(Set(Self.report(findings).map(\.fingerprint)).count == 1)
  }

  @Test func `findings about a whole body differ by their messages`() {
    var findings = Findings()
    for message in ["a byte order mark", "a repeated key", "a byte order mark"] {
      Self.add(Self.broken("a", message, rule: .responseEncoding), to: &findings)
    }
    #expect(Self.report(findings).map(\.count) == [2, 1])
  }

  @Test func `the lightest exchange shows the finding, and of equal ones the first`() {
    var findings = Findings()
    for (weight, evidence) in [(3, "long"), (1, "first"), (1, "second"), (2, "middle")] {
      Self.add(Self.broken("a", evidence), to: &findings, weight: weight, evidence)
    }
    #expect(findings.entries.map(\.evidence) == ["first"])
    #expect(Self.report(findings).map(\.message) == ["first"])
    #expect(Self.report(findings).map(\.count) == [4])
  }

  @Test func `a finding with a reproduction keeps its exchange`() {
    var findings = Findings()
    Self.add(Self.broken("a", "found 1"), to: &findings, weight: 2, "long")
    findings.reproduce(0, as: Self.broken("a", "found 2"), by: "short", "curl")
    Self.add(Self.broken("a", "found 3"), to: &findings, weight: 1, "light")
    #expect(findings.entries.map(\.evidence) == ["short"])
    let finding = Self.report(findings).first
    #expect(finding?.message == "found 2")
    #expect(finding?.count == 2)
    #expect(finding?.reproduction == "curl")
  }

  @Test func `beyond the limit all findings of a rule are one`() {
    var findings = Findings(limit: 1)
    Self.add(Self.broken("a"), to: &findings)
    for _ in 0..<3 { Self.add(Self.broken("b"), to: &findings) }
    Self.add(Self.broken("c", rule: .responseHeaderSchema), to: &findings)
    Self.add(Self.broken("a"), to: &findings)
    #expect(Self.report(findings).map(\.count) == [2, 3, 1])
  }

  @Test func `a removed finding is new when it occurs again`() {
    var findings = Findings()
    Self.add(Self.broken("a", "found 1"), to: &findings)
    Self.add(Self.broken("b", "found 2"), to: &findings)
    findings.removeAll { $0.finding.message == "found 1" }
    Self.add(Self.broken("b", "found 3"), to: &findings)
    #expect(Self.report(findings).map(\.count) == [2])
  }

  @Test func `each cell with comparisons or findings has a case, in order`() {
    var findings = Findings()
    findings.count(2, in: "b")
    findings.count(0, in: "d")
    findings.count(1, in: "b", duration: .seconds(1))
    findings.add(Self.broken(), about: Reports.subject, in: "c", from: "")
    findings.count(1, in: "a")
    let cases = findings.cases { (Reports.subject, $0) }
    #expect(cases.map(\.name) == ["a", "b", "c"])
    #expect(cases.map(\.checked) == [1, 3, 1])
    #expect(cases.map(\.duration) == [.zero, .seconds(1), .zero])
    #expect(cases.map { $0.findings.count } == [0, 0, 1])
  }
}
