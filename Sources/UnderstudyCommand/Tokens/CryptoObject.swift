import CCrypto

/// An object of libcrypto and its owner, who frees it.
struct CryptoObject: ~Copyable {
  let pointer: OpaquePointer
  private let free: (OpaquePointer?) -> Void

  /// `nil` where libcrypto made none.
  init?(_ pointer: OpaquePointer?, _ free: @escaping (OpaquePointer?) -> Void) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.free = free
  }

  deinit { free(pointer) }

  /// Bytes that libcrypto reads from as from a file, while `body` runs.
  static func reading<Value>(_ bytes: [UInt8], _ body: (_ file: OpaquePointer) -> Value?) -> Value? {
    bytes.withUnsafeBytes { bytes in
      guard let file = CryptoObject(BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)), { BIO_free($0) })
      else { return nil }
      return body(file.pointer)
    }
  }

  /// Runs `body`, and leaves no error behind for what the thread does next.
  static func withoutErrors<Value>(_ body: () throws -> Value) rethrows -> Value {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
  }

  /// No passphrase, where libcrypto would ask the terminal for one.
  static let noPassphrase: @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt =
    {
      _, _, _, _ in -1
    }
}
