import Testing
import UnderstudyCommand

struct LibcurlPackageTests {
  @Test(arguments: [
    ("PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nID=debian\n", "apt-get install libcurl4"),
    ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt-get install libcurl4"),
    ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install libcurl"),
    ("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n", "zypper install libcurl4"),
    ("ID=arch\n", "pacman -S curl"),
  ])
  func `the command is that of the system, or of the one it is derived from`(_ osRelease: String, _ command: String) {
    #expect(LibcurlPackage.advice(osRelease: osRelease) == "install it with `\(command)`")
  }

  @Test(arguments: ["", "ID=unheard-of\n", "ID=\n", "ID_LIKE"])
  func `an unknown system gets the commands of others`(_ osRelease: String) {
    let advice = LibcurlPackage.advice(osRelease: osRelease)
    #expect(advice.contains("apt-get install libcurl4") && advice.contains("dnf install libcurl"))
  }
}
