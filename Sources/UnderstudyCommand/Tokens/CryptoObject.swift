import CUnderstudyCrypto

/// Owns an object of libcrypto.
struct CryptoObject: ~Copyable {
  let pointer: OpaquePointer
  private let free: (OpaquePointer?) -> Void

  /// `nil` if libcrypto returned none.
  init?(_ pointer: OpaquePointer?, _ free: @escaping (OpaquePointer?) -> Void) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.free = free
  }

  deinit { free(pointer) }

  /// Calls `body` with a file object that reads the bytes.
  static func reading<Value>(_ bytes: [UInt8], _ body: (_ file: OpaquePointer) -> Value?) -> Value? {
    bytes.withUnsafeBytes { bytes in
      guard let file = CryptoObject(BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)), { BIO_free($0) })
      else { return nil }
      return body(file.pointer)
    }
  }

  /// Runs `body`, and clears the error queue of the thread before and after it.
  static func withoutErrors<Value>(_ body: () throws -> Value) rethrows -> Value {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
  }

  /// Prevents libcrypto from asking for a passphrase on the terminal.
  static let noPassphrase: @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt =
    {
      _, _, _, _ in -1
    }
}
