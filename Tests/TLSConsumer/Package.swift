// swift-tools-version: 6.2
import PackageDescription

/// A package whose tests have mocks by HTTPS. `Scripts/tls-check` builds and runs it.
let package = Package(
  name: "tls-consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "understudy", path: "../..", traits: ["TLS"])],
  targets: [
    .testTarget(
      name: "TLSConsumerTests", dependencies: [.product(name: "UnderstudyTesting", package: "understudy")],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
  ]
)
