import Foundation

/// A scenario from `Tests/Scenarios/*.txt`: the start of a mock, requests and their responses.
///
///     === a bracketed array gets 501
///     serve specs/slp.yaml
///     > POST /v1/queue
///     > idtoken: x
///     >
///     > lat=37.5&long=126.9&studylist[]=a
///     < 501
///     < Content-Type: text/html; charset=utf-8
///     took: 40 ms
///     rule: req.param.encoding
///     log: studylist[]
///     has: client error
///
/// Headers and bodies that are not given may have any value. `< (empty)` is an empty body, `< file: PATH` that of a
/// file. `has:` is a part of a body, `lacks:` a text that it does not have. `keep: createdAt` takes the last text of
/// that member of the answer, which then stands for `{createdAt}` in a target. `advance: 5s` lets time pass before the
/// next request; the clock stands still otherwise. `verdict:` lists the rules that the client broke in all, or `passed`.
/// Every `log:` must occur in the findings of the exchange before it. The `rule:` lines list all findings in order;
/// `rule: none` is a request without findings.
package struct Scenario: Sendable, CustomStringConvertible {
  package var title: String
  package var arguments: [String] = []
  package var exchanges: [Exchange] = []
  /// The ids of the rules that the client broke in all; `nil` if not given.
  package var verdict: [String]?
  private var pause: String?

  package struct Exchange: Sendable {
    package var method: String
    package var target: String
    package var headers: [(name: String, value: String)] = []
    package var body = ""
    package var status = 0
    package var expectedHeaders: [(name: String, value: String)] = []
    package var expectedBody: [UInt8]?
    /// The texts that the body of the answer has, and those that it lacks.
    package var parts: [String] = []
    package var absentParts: [String] = []
    /// The members of the answer that later targets name.
    package var kept: [String] = []
    /// The duration in a recording, which the mock need not match.
    package var milliseconds = 12
    /// How much time passes before it, such as `5s`.
    package var pause: String?
    package var log: [String] = []
    /// The ids of the rules that the request breaks; `nil` if not given.
    package var rules: [String]?

    package init(method: String, target: String, headers: [(name: String, value: String)] = [], body: String = "") {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
    }

    /// The parts that a body lacks, and those that it must not have.
    package func mistakes(in body: String) -> [String] {
      parts.filter { !body.contains($0) }.map { "no \($0)" } + absentParts.filter { body.contains($0) }
    }
  }

  /// What earlier answers have for `{name}` in the targets of later requests.
  package struct KeptValues: Sendable {
    private var values: [String: String] = [:]

    package init() {}

    /// The exchange with these values in its target.
    package func filled(_ exchange: Exchange) -> Exchange {
      var exchange = exchange
      for (name, value) in values { exchange.target = exchange.target.replacing("{\(name)}", with: value) }
      return exchange
    }

    /// Takes what an exchange keeps from the body of its answer.
    package mutating func keep(_ exchange: Exchange, _ body: String) {
      for name in exchange.kept {
        let rest = body.components(separatedBy: "\"\(name)\":\"")
        if rest.count > 1 { values[name] = String(rest[rest.count - 1].prefix { $0 != "\"" }) }
      }
    }
  }

  package var description: String { title }

  /// Every scenario of every file, in order.
  package static let all: [Scenario] = {
    let folder = URL(filePath: Project.path("Tests/Scenarios"))
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }.flatMap { file in
      parse((try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }
  }()

  /// Reads the text of a file; an invalid line fails a precondition.
  package static func parse(_ text: String) -> [Scenario] {
    var scenarios: [Scenario] = []
    var inBody = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let last = scenarios.count - 1
      if line.hasPrefix("=== ") {
        scenarios.append(Scenario(title: String(line.dropFirst(4))))
      } else if line.hasPrefix("serve ") {
        scenarios[last].arguments = line.dropFirst(6).split(separator: " ").map(String.init)
      } else if line.hasPrefix("> ") || line == ">" {
        request(String(line.dropFirst(2)), &scenarios[last], &inBody)
      } else if line.hasPrefix("< ") || line == "<" {
        answer(String(line.dropFirst(2)), &scenarios[last], &inBody)
      } else if line.hasPrefix("rule: ") {
        let id = String(line.dropFirst(6))
        let known = scenarios[last].exchanges[scenarios[last].exchanges.count - 1].rules ?? []
        scenarios[last].exchanges[scenarios[last].exchanges.count - 1].rules = id == "none" ? [] : known + [id]
      } else if line.hasPrefix("advance: ") {
        scenarios[last].pause = String(line.dropFirst(9))
      } else if line.hasPrefix("verdict: ") {
        let ids = line.dropFirst(9).split(separator: " ").map(String.init)
        scenarios[last].verdict = ids == ["passed"] ? [] : ids
      } else if line.hasPrefix("took: "), let milliseconds = Int(line.dropFirst(6).prefix { $0.isNumber }) {
        scenarios[last].exchanges[scenarios[last].exchanges.count - 1].milliseconds = milliseconds
      } else if line.hasPrefix("log: ") {
        scenarios[last].exchanges[scenarios[last].exchanges.count - 1].log.append(String(line.dropFirst(5)))
      } else if line.hasPrefix("has: ") {
        scenarios[last].exchanges[scenarios[last].exchanges.count - 1].parts.append(String(line.dropFirst(5)))
      } else if line.hasPrefix("lacks: ") {
        scenarios[last].exchanges[scenarios[last].exchanges.count - 1].absentParts.append(String(line.dropFirst(7)))
      } else if line.hasPrefix("keep: ") {
        scenarios[last].exchanges[scenarios[last].exchanges.count - 1].kept.append(String(line.dropFirst(6)))
      } else {
        precondition(line.isEmpty || line.hasPrefix("#"), "a scenario has no line such as: \(line)")
      }
    }
    return scenarios
  }

  private static func request(_ line: String, _ scenario: inout Scenario, _ inBody: inout Bool) {
    let words = line.split(separator: " ")
    // A request line: two words, the second a target.
    if words.count == 2, words[1].hasPrefix("/") || words[1].hasPrefix("http") || words[1] == "*",
      words[0].allSatisfy(\.isUppercase)
    {
      var exchange = Exchange(method: String(words[0]), target: String(words[1]))
      exchange.pause = scenario.pause.take()
      scenario.exchanges.append(exchange)
      inBody = false
      return
    }
    let last = scenario.exchanges.count - 1
    if inBody {
      scenario.exchanges[last].body += (scenario.exchanges[last].body.isEmpty ? "" : "\n") + line
    } else if line.isEmpty {
      inBody = true
    } else {
      scenario.exchanges[last].headers.append(header(line))
    }
  }

  private static func answer(_ line: String, _ scenario: inout Scenario, _ inBody: inout Bool) {
    let last = scenario.exchanges.count - 1
    if let status = Int(line), scenario.exchanges[last].status == 0 {
      scenario.exchanges[last].status = status
      inBody = false
    } else if line.isEmpty, !inBody {
      inBody = true
    } else if !inBody {
      scenario.exchanges[last].expectedHeaders.append(header(line))
    } else if line == "(empty)" {
      scenario.exchanges[last].expectedBody = []
    } else if line.hasPrefix("file: ") {
      let data = try? Data(contentsOf: URL(filePath: Project.path(String(line.dropFirst(6)))))
      scenario.exchanges[last].expectedBody = data.map(Array.init) ?? Array("no such file: \(line)".utf8)
    } else {
      let before = scenario.exchanges[last].expectedBody
      scenario.exchanges[last].expectedBody = (before.map { $0 + [0x0A] } ?? []) + Array(line.utf8)
    }
  }

  private static func header(_ line: String) -> (name: String, value: String) {
    let parts = line.split(separator: ":", maxSplits: 1)
    return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
  }
}
