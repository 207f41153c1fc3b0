/// An example of a contract, with the parameter or media type that it must fit.
struct ExampleSite: Sendable {
  var subject: Report.Subject
  /// Unique among the examples of the subject: `example of query limit`.
  var name: String
  var example: Example
  var holder: Holder

  enum Holder: Sendable {
    case parameter(Parameter)
    case content(MediaTypeObject, Direction)
  }

  /// The examples of an operation: of its parameters, its body, its answers and their headers.
  static func all(in operation: Operation, contract: String) -> [ExampleSite] {
    let subject = Report.Subject(contract: contract, operation)
    var sites = operation.parameters.flatMap { parameter in
      of(parameter, "\(parameter.location.rawValue) \(parameter.name)", subject, .request)
    }
    for content in operation.requestBody?.content ?? [] { sites += of(content, "request", subject, .request) }
    for response in operation.responses {
      let subject = Report.Subject(contract: contract, operation, status: response.status.description)
      for header in response.headers {
        var parameter = Parameter(
          header.name, in: .header, isRequired: header.isRequired, explode: header.explode, schema: header.schema,
          content: header.content)
        parameter.examples = header.examples
        sites += of(parameter, "response header \(header.name)", subject, .response)
      }
      for content in response.content { sites += of(content, "response", subject, .response) }
    }
    return sites
  }

  private static func of(
    _ parameter: Parameter, _ place: String, _ subject: Report.Subject, _ direction: Direction
  ) -> [ExampleSite] {
    let own = parameter.examples.map { example in
      ExampleSite(
        subject: subject, name: label(example, of: place), example: example, holder: .parameter(parameter))
    }
    return own + (parameter.content.map { of($0, place, subject, direction) } ?? [])
  }

  private static func of(
    _ content: MediaTypeObject, _ place: String, _ subject: Report.Subject, _ direction: Direction
  ) -> [ExampleSite] {
    content.examples.map { example in
      ExampleSite(
        subject: subject, name: label(example, of: "\(place) \(content.range)"), example: example,
        holder: .content(content, direction))
    }
  }

  private static func label(_ example: Example, of place: String) -> String {
    example.name.map { "example \($0) of \(place)" } ?? "example of \(place)"
  }
}
