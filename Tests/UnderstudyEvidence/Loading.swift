import ArgumentParser
import CUnderstudyYAML
import UnderstudySystem
import UnderstudyVerification

/// `UnderstudyEvidence loading FILE...`: the cost of loading a contract, compared with a libyaml event loop over the same bytes.
///
/// Rounds are interleaved, so that other load on the machine affects all columns.
struct Loading: ParsableCommand {
  @Argument var files: [String]
  @Option(help: "Interleaved rounds; medians are printed.") var rounds = 9

  func run() throws {
    for file in files {
      var (bare, parse, load): ([Duration], [Duration], [Duration]) = ([], [], [])
      let clock = ContinuousClock()
      let source = try FileSystem.read(file)
      for _ in 0..<max(1, rounds) {
        bare.append(clock.measure { _ = Self.countEvents(of: source.bytes) })
        parse.append(try clock.measure { _ = try TextDocument.read(SourceFile(path: file, bytes: source.bytes)) })
        load.append(clock.measure { _ = OpenAPIReader.read(file, from: DocumentStore()) })
      }
      let base = bare.median
      func line(_ name: String, _ durations: [Duration]) -> String {
        let (value, ratio) = (durations.median, durations.median / base)
        return "  \(name): \((value / .milliseconds(1)).hundredths) ms, \(ratio.hundredths) x"
      }
      print("\(file): \(source.bytes.count) bytes")
      print(line("bare libyaml event loop", bare))
      print(line("text with source map", parse))
      print(line("whole contract", load))
      let peak = Double(Self.peakMemory)
      let share = (peak / Double(source.bytes.count)).hundredths
      print("  peak memory of this process: \(share) x the file, \(Int(peak / 1_048_576)) MB")
    }
  }

  /// The minimal cost of libyaml: reading all events of a text.
  private static func countEvents(of bytes: [UInt8]) -> Int {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { return 0 }
    defer { yaml_parser_delete(&parser) }
    return bytes.withUnsafeBufferPointer { buffer in
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      var count = 0
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else { return count }
        defer { yaml_event_delete(&event) }
        count += 1
        if event.type == YAML_STREAM_END_EVENT { return count }
      }
    }
  }

  /// The bytes of the largest resident set so far.
  private static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
    #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) * 1024
    #endif
  }
}

extension [Duration] {
  /// The middle one of an odd number; the upper middle one of an even number.
  var median: Duration { sorted()[count / 2] }
}

extension Double {
  /// Rounded to hundredths.
  var hundredths: Double { (self * 100).rounded() / 100 }
}
