extension Collection<UInt8> {
  /// Calls `body` with the bytes in one block of memory.
  ///
  /// A generic function that does its work in `body` is compiled once; only this call is specialized in the other modules.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
  }
}
