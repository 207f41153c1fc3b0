import UnderstudyMock
import UnderstudyReport

/// What a client did with one variant, and what it sent.
struct SweepOutcome: Sendable {
  let row: SweepRow
  let exchanges: [SweptRequest]

  init(_ variant: SweepVariant, _ outcome: SweepRow.Outcome, _ exchanges: [SweptRequest]) {
    row = SweepRow(variant.sweepCase, sent: exchanges.map(\.name), outcome)
    self.exchanges = exchanges
  }
}
