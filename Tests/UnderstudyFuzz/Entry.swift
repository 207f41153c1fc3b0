import UnderstudyVerification

/// What libFuzzer calls with each input; it traps, or takes too long, where there is something to find.
///
/// The first byte chooses the part that is tried, so that one corpus serves all of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 0 else { return 0 }
  let input = UnsafeBufferPointer(start: start, count: count)
  Part.allCases[Int(input[0]) % Part.allCases.count].run(Array(input.dropFirst()))
  return 0
}
