/// The statuses as unions in TypeScript.
enum TypeScriptStatuses {
  static func text(of lists: [StatusList], note: String) -> String {
    var text = note + "\n"
    for list in lists {
      let name = list.typeName.prefix(1).lowercased() + list.typeName.dropFirst()
      let others = list.others.isEmpty ? "" : " Also documented: \(list.others.joined(separator: ", "))."
      text += "\n/** The statuses of `\(list.operation)`, \(list.title).\(others) */\n"
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
