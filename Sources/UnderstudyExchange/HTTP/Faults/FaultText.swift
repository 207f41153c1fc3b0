extension Fault: CustomStringConvertible {
  /// As `FaultReader` reads it: `reset:head`, `truncate`, `html+bandwidth:10k`.
  package var description: String { [damage?.text, pace?.text].compactMap(\.self).joined(separator: "+") }
}

extension Fault.Damage {
  fileprivate var text: String {
    switch self {
    case .cut(.close, .body): FaultKind.truncate.rawValue
    case .cut(let ending, .start): ending.rawValue
    case .cut(let ending, let moment): "\(ending.rawValue):\(moment.rawValue)"
    case .garbage: FaultKind.garbage.rawValue
    case .malformedChunk: FaultKind.malformedChunk.rawValue
    case .wrongLength(let bytes): "\(FaultKind.wrongLength.rawValue):\(bytes)"
    case .html: FaultKind.html.rawValue
    case .invalidUTF8: FaultKind.invalidUTF8.rawValue
    case .duplicateHeaders: FaultKind.duplicateHeaders.rawValue
    case .conflictingHeaders: FaultKind.conflictingHeaders.rawValue
    }
  }
}

extension Fault.Pace {
  fileprivate var text: String {
    switch self {
    case .drip(.seconds(2)): FaultKind.drip.rawValue
    case .drip(let time): "\(FaultKind.drip.rawValue):\(time.faultText)"
    case .bandwidth(let bytes):
      "\(FaultKind.bandwidth.rawValue):\(bytes.isMultiple(of: 1000) ? "\(bytes / 1000)k" : "\(bytes)")"
    case .stall(let pause): "\(FaultKind.stall.rawValue):\(pause.faultText)"
    }
  }
}

extension Duration {
  /// `250ms`, `2s`
  package var faultText: String {
    let milliseconds = self / .milliseconds(1)
    // `components` traps beyond 64 bits of seconds.
    if milliseconds >= 1000, let seconds = Int(exactly: milliseconds / 1000), self == .seconds(seconds) {
      return "\(seconds)s"
    }
    return "\(Int(exactly: milliseconds).map { "\($0)" } ?? "\(milliseconds)")ms"
  }
}
