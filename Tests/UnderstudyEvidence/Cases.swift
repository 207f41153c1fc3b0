import ArgumentParser
import UnderstudySchema
import UnderstudyVerification

/// Samples and invalid samples of every component of a description as lines of JSON, for validation by other engines.
struct Cases: ParsableCommand {
  @Argument var file: String
  @Option var count = 20

  func run() throws {
    guard let description = Description(file), let schemas = description.root["components"]?["schemas"] else { return }
    for schema in schemas.members {
      var samples: [JSON] = []
      var misses: [JSON] = []
      for seed in 0..<count {
        let generator = SampleGenerator(schemas: description.library, seed: String(seed))
        guard let sample = generator.sample(of: schema.value, direction: .either) else { break }
        samples.append(sample)
        guard misses.count < count else { continue }
        for miss in generator.invalidSamples(of: schema.value, direction: .either).prefix(count - misses.count) {
          misses.append(["keyword": .string(miss.keyword), "value": miss.value])
        }
      }
      let pointer = JSON.string(schema.value.pointer.description)
      print(JSONWriter.text(["schema": pointer, "samples": .array(samples), "misses": .array(misses)]))
    }
  }
}
