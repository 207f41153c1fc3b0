/// What all transfers of a client have in common.
struct TransferSettings: Sendable {
  /// The longest silence within an exchange.
  var timeout: Duration
  /// The option that sets `timeout`, for messages.
  var setting: String
  /// All certificates to trust (PEM); empty for those of the system.
  var authorities: [UInt8]

  /// The longest time for a connection: name, address and TLS.
  var connectTimeout: Duration { min(timeout, .seconds(10)) }
}
