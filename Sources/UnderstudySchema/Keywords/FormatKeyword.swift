/// `format`, if it is asserted.
extension Compiler {
  mutating func compileFormat(_ schema: SchemaContext) {
    guard let node = schema.position(of: .format) else { return }
    guard schema.kind(of: node) == .string else {
      return reportWrongValue(.format, "the name of a format", schema.json(node))
    }
    guard assertion != .never || schema.dialect.assertsFormats,
      let format = Format.byName.value(ofTextAt: node, in: schema.document)
    else { return }
    let isAlways = assertion == .always || schema.dialect.assertsFormats
    let isByTable = assertion == .byDefaultTable || (assertion == .byDialect && !schema.dialect.annotatesFormats)
    guard isAlways || (isByTable && format.weight != .none) else { return }
    emit(
      .format, format.isNumeric ? .number : .string, UInt32(format.rawValue),
      isAlways || format.weight == .strict ? 1 : 0, at: node, in: schema)
  }
}

extension Evaluator {
  @inline(__always)
  func isFormatted(_ instruction: Instruction, _ node: JSONDocument.Node) -> Bool {
    guard let format = Format(rawValue: UInt8(truncatingIfNeeded: instruction.a)) else { return true }
    if format.isNumeric { return node.isSmallInteger || isHeld(node, by: format) }
    guard affords(Int(node.count >> 4)) else { return false }
    return format.accepts(text(of: node), isStrict: instruction.b == 1)
  }

  @inline(never)
  private func isHeld(_ node: JSONDocument.Node, by format: Format) -> Bool {
    guard affords(costOfNumber(node)) else { return false }
    let number = JSONNumber(spelling: Array(text(of: node)))
    return switch format {
    case .int32: number.int.map { Int32(exactly: $0) != nil } ?? false
    case .int64: number.int != nil
    case .float: abs(number.double) <= Double(Float.greatestFiniteMagnitude)
    default: number.double.isFinite
    }
  }
}

extension FailureCollector {
  func formatFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    guard let format = Format(rawValue: UInt8(truncatingIfNeeded: instruction.a)) else {
      return KeywordFailure("format", "the format is not met")
    }
    let example = format.isNumeric ? format.example : "`\(format.name)` like \(format.example)"
    return KeywordFailure("format", "expected \(example), found \(Wording.quote(value))")
  }
}
