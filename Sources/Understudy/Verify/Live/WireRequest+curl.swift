import HTTPTypes
import SourceText

extension WireRequest {
  /// A command that sends the request again; secrets stand in it as variables, however they were spelled.
  package func curl(_ secrets: [LiveSettings.Secret] = []) -> String {
    let variables = secrets.flatMap { secret in secret.spellings.map { (spelling: $0, name: secret.variable) } }
    let line = CurlLine(
      method: request.method.rawValue, url: url, fields: request.headerFields,
      body: body.isEmpty ? .none : .bytes(body))
    return line.text(ShellQuoting(variables: variables))
  }
}
