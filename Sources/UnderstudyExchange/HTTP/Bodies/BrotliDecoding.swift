import CUnderstudyBrotli

/// Decodes brotli (RFC 7932), chunk by chunk, so that the limit bounds the memory.
enum BrotliDecoding {
  private static let chunkSize = 65_536

  static func decode(_ bytes: [UInt8], limit: Int) throws(ContentCoding.Failure) -> [UInt8] {
    guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .corrupt }
    defer { BrotliDecoderDestroyInstance(decoder) }
    return try bytes.withUnsafeBufferPointer { (input) throws(ContentCoding.Failure) in
      var available = input.count
      var next = input.baseAddress
      var result: [UInt8] = []
      let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: chunkSize)
      defer { chunk.deallocate() }
      while true {
        var room = chunkSize
        var output = chunk.baseAddress
        let status = BrotliDecoderDecompressStream(decoder, &available, &next, &room, &output, nil)
        guard result.count + chunkSize - room <= limit else { throw .limit }
        result += chunk[..<(chunkSize - room)]
        switch status {
        case BROTLI_DECODER_RESULT_SUCCESS where available == 0: return result
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: throw .truncated
        default: throw .corrupt
        }
      }
    }
  }
}
