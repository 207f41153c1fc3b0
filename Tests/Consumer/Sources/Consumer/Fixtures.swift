import UnderstudyVerification

func verifyFixtures() async throws {
  let contract = try Contract(contentsOf: "specs/petstore.yaml", fixtures: "fixtures")
  let report = try await contract.verifyFixtures(in: "fixtures")
  print(report.isPassed ? "the fixtures are valid" : report.text())
}
