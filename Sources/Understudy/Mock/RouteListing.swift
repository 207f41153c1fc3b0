package import SourceText

/// Operations x statuses as a table: what `understudy routes` prints.
package enum RouteListing {
  /// What would answer a cell when nobody asks for a name.
  package enum Answer: String, Sendable { case fixture, example, sample, empty }

  package static func answer(_ cell: Cell) -> Answer {
    if !cell.defaults.isEmpty { return .fixture }
    if cell.content.isEmpty { return .empty }
    return cell.content[0].examples.isEmpty ? .sample : .example
  }

  // MARK: - JSON

  /// A versioned document; the same contract gives the same bytes, whatever it was written in.
  package static func json(_ engine: MockEngine) -> JSON {
    let contracts = engine.contracts.enumerated().map { index, contract -> JSON in
      .object([
        ("name", .string(contract.api.name)), ("title", .string(contract.api.title)),
        ("version", .string(contract.api.version)), ("specification", .string(contract.api.specification.rawValue)),
        (
          "operations",
          .array(engine.plans.filter { $0.contractIndex == index }.map { operation($0, contract, engine) })
        ),
      ])
    }
    return .object([("format", 1), ("contracts", .array(contracts))])
  }

  private static func operation(_ plan: OperationPlan, _ contract: Contract, _ engine: MockEngine) -> JSON {
    let operation = plan.operation
    let bases = engine.options.usesBasePaths ? BasePaths.from(operation.servers) : []
    return .object([
      ("id", .string(operation.id)), ("method", .string(operation.method)), ("path", .string(operation.path)),
      ("basePaths", .array(bases.map { JSON.string($0) })),
      ("deprecated", JSON(booleanLiteral: operation.isDeprecated)),
      ("folder", .string("\(contract.api.name)/\(operation.id)")),
      ("cells", .array(plan.cells.map(cell))),
    ])
  }

  private static func cell(_ cell: Cell) -> JSON {
    .object([
      ("status", .string(cell.status.description)),
      ("meaning", cell.meaning.map { .string($0) } ?? nil),
      ("documented", JSON(booleanLiteral: cell.response != nil)),
      ("mediaTypes", .array(cell.content.map { .string($0.range) })),
      ("answer", .string(answer(cell).rawValue)),
      ("fixture", cell.defaults.first.map { .string(Path.name(of: $0.fixture.source.path)) } ?? nil),
      ("names", .array(cell.names.map { .string($0) })),
    ])
  }

  // MARK: - Text

  package static func text(_ engine: MockEngine, style: TerminalStyle) -> String {
    var text = ""
    for (index, contract) in engine.contracts.enumerated() {
      let plans = engine.plans.filter { $0.contractIndex == index }
      let cells = plans.flatMap(\.cells)
      let title = contract.api.title.isEmpty ? contract.api.name : contract.api.title
      text += "\(style.bold(DiagnosticPrinter.visible(title))) "
      text +=
        "(\(contract.api.name), \(plans.count.counted("operation")), \(cells.count.counted("cell")), fixtures in \(contract.fixtures.folder)/<operation>)\n"
      for plan in plans {
        let base = engine.options.usesBasePaths ? BasePaths.from(plan.operation.servers).first ?? "" : ""
        let route = DiagnosticPrinter.visible("\(base)\(plan.operation.path)")
        let id = DiagnosticPrinter.visible(plan.operation.id)
        let deprecated = plan.operation.isDeprecated ? style.dim(" deprecated") : ""
        text +=
          "\n\(style.bold(pad(plan.operation.method, 6))) \(route)  \(style.cyan(id))\(deprecated)\n"
        for cell in plan.cells { text += line(cell, style) }
      }
      if index + 1 < engine.contracts.count { text += "\n" }
    }
    return text
  }

  private static func line(_ cell: Cell, _ style: TerminalStyle) -> String {
    let status = pad(cell.status.description, 7)
    let colored =
      switch cell.status.code / 100 {
      case 2: style.green(status)
      case 4: style.yellow(status)
      case 5: style.red(status)
      default: status
      }
    let answer = answer(cell)
    let source =
      answer == .fixture ? cell.defaults.first.map { Path.name(of: $0.fixture.source.path) } ?? "" : answer.rawValue
    let names =
      cell.names.isEmpty ? "" : style.dim(DiagnosticPrinter.visible(" + " + cell.names.joined(separator: ", ")))
    let meaning = pad(cell.meaning ?? "(not documented)", 24)
    return "  \(colored) \(meaning) \(source)\(names)\n"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }
}
