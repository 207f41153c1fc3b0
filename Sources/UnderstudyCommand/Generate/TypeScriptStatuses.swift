/// The statuses as unions in TypeScript.
enum TypeScriptStatuses {
  static func text(of lists: [StatusList], note: String) -> String {
    var text = note + "\n"
    for list in lists where !list.statuses.isEmpty {
      let name = list.typeName.prefix(1).lowercased() + list.typeName.dropFirst()
      text += "\n/** \(list.description.joined(separator: " ")) */\n"
      text += "export const \(name)Status = {\n"
      for status in list.statuses {
        if !status.summary.isEmpty { text += "  /** \(status.summary) */\n" }
        text += "  \(status.name): \(status.code),\n"
      }
      text += "} as const;\n\n"
      text += "export type \(list.typeName)Status = (typeof \(name)Status)[keyof typeof \(name)Status];\n"
    }
    return text
  }
}
