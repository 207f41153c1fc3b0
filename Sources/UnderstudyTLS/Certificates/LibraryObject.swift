import CUnderstudyCrypto

/// Owns an object of libcrypto.
final class LibraryObject {
  let pointer: OpaquePointer
  private let free: (OpaquePointer) -> Void

  /// `nil` if libcrypto returned none.
  init?(_ pointer: OpaquePointer?, _ free: @escaping (OpaquePointer) -> Void) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.free = free
  }

  deinit { free(pointer) }

  /// Reads objects from bytes until there are no more.
  static func read<Value>(_ bytes: [UInt8], _ next: (_ file: OpaquePointer) -> Value?) -> [Value] {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return bytes.withUnsafeBytes { bytes in
      guard
        let file = LibraryObject(BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)), { BIO_free($0) })
      else { return [] }
      var values: [Value] = []
      while let value = next(file.pointer) { values.append(value) }
      return values
    }
  }

  /// The bytes that `write` has written to a file object; `nil` if it fails.
  static func written(by write: (_ file: OpaquePointer) -> CInt) -> [UInt8]? {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let file = LibraryObject(BIO_new(BIO_s_mem()), { BIO_free($0) }), write(file.pointer) == 1 else { return nil }
    var start: UnsafeMutablePointer<CChar>?
    let count = crypto_buffer(file.pointer, &start)
    return start.map { Array(UnsafeRawBufferPointer(start: $0, count: max(0, count))) }
  }

  /// Prevents libcrypto from asking for a passphrase on the terminal.
  static let noPassphrase: @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt =
    { _, _, _, _ in -1 }
}
