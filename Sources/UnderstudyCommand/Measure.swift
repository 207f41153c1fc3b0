import ArgumentParser
import CLibYAML
import SourceText
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `understudy measure FILE...`: what loading a contract costs, beside a bare libyaml event loop over the same bytes.
///
/// Hidden: it serves `make bench`. Rounds are interleaved, so that what else the machine does hits both.
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what loading contracts costs.", shouldDisplay: false)

  @Argument var files: [String]

  @Option(help: "Interleaved rounds; medians are printed.")
  var rounds = 9

  func run() throws {
    for file in files {
      var bare: [Duration] = []
      var parse: [Duration] = []
      var load: [Duration] = []
      let source = try read(file)
      for _ in 0..<max(1, rounds) {
        bare.append(clocked { Self.countEvents(of: source.bytes) })
        parse.append(clocked { (try? TextDocument.read(SourceFile(path: file, bytes: source.bytes)))?.nodes.count })
        load.append(clocked { OpenAPIReader.read(file, from: DocumentStore()).api?.operations.count })
      }
      let base = median(bare)
      func line(_ name: String, _ durations: [Duration]) -> String {
        let value = median(durations)
        let ratio = (value / base * 100).rounded() / 100
        return "  \(name): \(milliseconds(value)) ms, \(ratio) x\n"
      }
      let size = Double(source.bytes.count)
      Terminal.standardOutput.write("\(file): \(source.bytes.count) bytes\n")
      Terminal.standardOutput.write(
        line("bare libyaml event loop", bare) + line("text with source map", parse) + line("whole contract", load))
      let peak = Double(Self.peakMemory)
      Terminal.standardOutput.write(
        "  peak memory of this process: \((peak / size * 10).rounded() / 10) x the file, \(Int(peak / 1_048_576)) MB\n")
    }
  }

  private func read(_ file: String) throws -> SourceFile {
    do throws(FileProblem) {
      return try FileSystem.read(file)
    } catch {
      throw CommandFailure(.notLoadable, "\(file): \(error.message)")
    }
  }

  private func clocked<R>(_ body: () -> R) -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    withExtendedLifetime(body()) {}
    return clock.now - start
  }

  private func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }

  private func milliseconds(_ duration: Duration) -> Double { (duration / .milliseconds(1) * 100).rounded() / 100 }

  /// What any reader on libyaml has to pay: all events of a text, looked at by nobody.
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

  /// Bytes of the largest resident set so far.
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
