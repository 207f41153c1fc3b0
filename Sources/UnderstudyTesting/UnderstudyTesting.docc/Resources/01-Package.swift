// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hours",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/.../understudy", branch: "main")],
  targets: [
    .target(name: "HoursClient"),
    .testTarget(
      name: "HoursClientTests",
      dependencies: ["HoursClient", .product(name: "UnderstudyTesting", package: "understudy")]),
  ]
)
