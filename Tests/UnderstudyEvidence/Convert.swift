import ArgumentParser
import UnderstudySchema
import UnderstudyVerification

/// JSON text of a YAML or JSON file, for engines without YAML; several files become one array.
struct Convert: ParsableCommand {
  @Argument var files: [String]

  func run() throws {
    let roots = try files.map { try TextDocument.read(FileSystem.read($0)).root }
    print(JSONWriter.text(roots.count == 1 ? roots[0] : .array(roots)))
  }
}

/// A component of a description as a self-contained schema, and an array of its samples, as two lines of JSON.
///
/// It declares `$schema` 2020-12, so that engines without a dialect for OpenAPI validate by the same keywords.
struct Standalone: ParsableCommand {
  @Argument var file: String
  @Argument(help: "The name of the component.") var component: String
  @Option var count = 50
  @Flag(help: "A schema of one sample, not of an array.") var single = false

  func run() throws {
    guard let description = Description(file) else {
      throw ValidationError("\(file) is not a Swagger or OpenAPI description")
    }
    let isOld = description.root["swagger"] != nil
    let schemas = isOld ? description.root["definitions"] : description.root["components"]?["schemas"]
    guard let schemas, let schema = schemas[component] else { throw ValidationError("no component \(component)") }
    let reference: [(String, JSON)] = [
      ("$ref", .string((isOld ? "#/definitions/" : "#/components/schemas/") + component))
    ]
    let dialect: (String, JSON) = ("$schema", "https://json-schema.org/draft/2020-12/schema")
    let items: [(String, JSON)] = [("type", "array"), ("items", .object(reference))]
    let whole = JSON.object([dialect] + (single ? reference : items) + [("$defs", schemas)])
    // Some engines only resolve references to places that are schemas by the dialect.
    print(JSONWriter.text(whole).replacing(isOld ? "\"#/definitions/" : "\"#/components/schemas/", with: "\"#/$defs/"))
    let samples = (0..<count).compactMap {
      SampleGenerator(schemas: description.library, seed: String($0 + 1)).sample(of: schema, direction: .either)
    }
    print(JSONWriter.text(single ? samples.first ?? [:] : .array(samples)))
  }
}
