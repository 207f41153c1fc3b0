/// The table of operations and statuses that `understudy routes` prints.
package enum RouteListing {
  package enum Answer: String, Sendable { case fixture, example, sample, empty }

  package static func answer(_ cell: FixtureCell) -> Answer {
    if !cell.defaults.isEmpty { return .fixture }
    guard let content = cell.cell.offers.first else { return .empty }
    return content.examples.isEmpty ? .sample : .example
  }

  /// A versioned document; the same contract gives the same bytes, from YAML and from JSON.
  package static func json(_ contracts: [Contract]) -> JSON {
    let contracts = contracts.map { contract -> JSON in
      .object([
        ("name", .string(contract.api.name)), ("title", .string(contract.api.title)),
        ("version", .string(contract.api.version)), ("specification", .string(contract.api.specification.rawValue)),
        ("operations", .array(contract.compiled.operations.map { operation($0, contract) })),
        ("events", .array(contract.eventCells.map(event))),
      ])
    }
    return .object([("format", 1), ("contracts", .array(contracts))])
  }

  private static func operation(_ compiled: CompiledOperation, _ contract: Contract) -> JSON {
    let operation = compiled.operation
    return .object([
      ("id", .string(operation.id)), ("method", .string(operation.method)), ("path", .string(operation.path)),
      ("basePaths", .array(compiled.basePaths.map { JSON.string($0) })),
      ("deprecated", JSON(booleanLiteral: operation.isDeprecated)),
      ("folder", .string("\(contract.api.name)/\(operation.id)")),
      ("cells", .array(contract.cells(of: compiled).map(cell))),
    ])
  }

  private static func event(_ cell: EventCell) -> JSON {
    .object([
      ("name", .string(cell.event)), ("from", cell.isFromClient ? "client" : "server"),
      ("transport", .string(cell.transport)), ("path", .string(cell.path)),
      ("files", .array(cell.files.map { .string($0) })),
    ])
  }

  /// The events of sockets: a line for each direction.
  private static func events(_ contract: Contract, _ style: TerminalStyle) -> String {
    contract.eventCells.grouped(by: \.path).map { path, cells in
      "\n\(style.bold(pad(EventCell.method, 6))) \(DiagnosticPrinter.visible(path))  \(style.cyan(cells[0].transport))\n"
        + cells.map { cell in
          let names = cell.files.joined(separator: ", ")
          return
            "  \(pad(cell.status, 7)) \(DiagnosticPrinter.visible(cell.event + (names.isEmpty ? "" : "  " + names)))\n"
        }.joined()
    }.joined()
  }

  private static func cell(_ cell: FixtureCell) -> JSON {
    .object([
      ("status", .string(cell.cell.status.description)),
      ("meaning", cell.cell.meaning.map { .string($0) } ?? .null),
      ("documented", JSON(booleanLiteral: cell.cell.response != nil)),
      ("mediaTypes", .array(cell.cell.content.map { .string($0.range) })),
      ("answer", .string(answer(cell).rawValue)),
      ("fixture", cell.defaults.first.map { .string(Path.name(of: $0.source.path)) } ?? .null),
      ("names", .array(cell.names.map { .string($0) })),
    ])
  }

  package static func text(_ contracts: [Contract], style: TerminalStyle) -> String {
    var text = ""
    for (index, contract) in contracts.enumerated() {
      let rows = contract.compiled.operations.map { ($0, contract.cells(of: $0)) }
      let title = contract.api.title.isEmpty ? contract.api.name : contract.api.title
      text +=
        "\(style.bold(DiagnosticPrinter.visible(title))) (\(contract.api.name), \(rows.count.counted("operation")), "
        + "\(contract.cellCount), fixtures in \(contract.fixtures.folder)/<operation>)\n"
      let width = rows.flatMap(\.1).map { meaning($0).unicodeScalars.count }.max() ?? 0
      for (compiled, cells) in rows {
        let operation = compiled.operation
        let route = DiagnosticPrinter.visible("\(compiled.basePath)\(operation.path)")
        let id = DiagnosticPrinter.visible(name(of: operation))
        let deprecated = operation.isDeprecated ? style.dim(" deprecated") : ""
        text += "\n\(style.bold(pad(operation.method, 6))) \(route)  \(style.cyan(id))\(deprecated)\n"
        for cell in cells { text += line(cell, style, meaningWidth: width) }
      }
      text += events(contract, style)
      if index + 1 < contracts.count { text += "\n" }
    }
    return text
  }

  /// The `operationId`, followed by the id, which names the fixture folder, if the two differ by slashes.
  private static func name(of operation: Operation) -> String {
    guard let written = operation.operationId, written.contains("/"), written != operation.id else {
      return operation.id
    }
    return "\(written) (\(operation.id))"
  }

  /// The name that forces the cell: from `x-meaning`, or derived from the description.
  private static func meaning(_ cell: FixtureCell) -> String {
    cell.cell.response == nil ? "(not documented)" : DiagnosticPrinter.visible(cell.cell.meaning ?? "")
  }

  private static func line(_ cell: FixtureCell, _ style: TerminalStyle, meaningWidth: Int) -> String {
    let status = pad(cell.cell.status.description, 7)
    let colored =
      switch cell.cell.status.code / 100 {
      case 2: style.green(status)
      case 4: style.yellow(status)
      case 5: style.red(status)
      default: status
      }
    let answer = answer(cell)
    let source =
      answer == .fixture ? cell.defaults.first.map { Path.name(of: $0.source.path) } ?? "" : answer.rawValue
    let names =
      cell.names.isEmpty ? "" : style.dim(DiagnosticPrinter.visible(" + " + cell.names.joined(separator: ", ")))
    let column = meaningWidth == 0 ? "" : pad(meaning(cell), meaningWidth) + "  "
    return "  \(colored) \(column)\(source)\(names)\n"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }
}
