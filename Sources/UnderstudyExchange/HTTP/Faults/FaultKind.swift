/// The faults by name, in the order of `understudy explain fault.*`.
package enum FaultKind: String, CaseIterable, Sendable {
  case delay, stall, bandwidth, drip
  case close, reset, hang, truncate
  case wrongLength = "wrong-length"
  case malformedChunk = "bad-chunk"
  case garbage
  case html
  case invalidUTF8 = "invalid-utf8"
  case duplicateHeaders = "duplicate-headers"
  case conflictingHeaders = "conflicting-headers"

  /// The expected form, for messages: `reset:MOMENT`.
  var form: String {
    switch self {
    case .delay: "delay:250ms, delay:100ms..2s or delay:lognormal:200ms:0.4"
    case .stall: "stall:2s"
    case .bandwidth: "bandwidth:64k, in bytes a second"
    case .drip: "drip or drip:5s"
    case .close, .reset, .hang:
      "\(rawValue) or \(rawValue):MOMENT, with \(Fault.Moment.allCases.map(\.rawValue).joined(separator: ", "))"
    case .wrongLength: "wrong-length:1, or wrong-length:-1 for a length that is too small"
    default: "\(rawValue) without a value"
    }
  }
}
