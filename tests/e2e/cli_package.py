"""cmake --install and the Debian package: what is where, that it runs, and that nothing is left behind. Usage:
cli_package.py PROGRAM BUILD-FOLDER"""
import glob
import os
import shutil
import subprocess
import sys
import unittest

from cli_support import ENVIRONMENT, GOOD, Folder

BUILD = sys.argv.pop(1)
EXPECTED = ["bin/vindecode", "share/man/man1/vindecode.1", "share/bash-completion/completions/vindecode",
            "share/fish/vendor_completions.d/vindecode.fish", "share/doc/vindecode/copyright",
            "share/doc/vindecode/README.md", "share/doc/vindecode/CHANGELOG.md",
            "share/doc/vindecode/result.schema.json"]


def call(*arguments, **more):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **more)
    assert done.returncode == 0, "%s: %s" % (" ".join(arguments), done.stdout.decode()[-2000:])
    return done.stdout.decode()


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def runs(program):
    output = call(program, "--json", "--demo", GOOD, env=ENVIRONMENT)
    assert '"status":"decoded"' in output, output


class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)

    def test_cmake_install(self):
        prefix = self.folder.file("prefix")
        call("cmake", "--install", BUILD, "--prefix", prefix)
        self.assertEqual(files_below(prefix), sorted(EXPECTED + ["share/zsh/site-functions/_vindecode"]))
        runs(os.path.join(prefix, "bin/vindecode"))
        if shutil.which("man"):
            page = call("man", "-M", os.path.join(prefix, "share/man"), "vindecode", env={**ENVIRONMENT, "MANPAGER": "cat"})
            self.assertIn("--no-batch", page.replace("\b", ""))


@unittest.skipUnless(shutil.which("cpack") and shutil.which("dpkg-shlibdeps"), "cpack or dpkg-dev is missing")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.addClassCleanup(cls.folder.cleanup)
        call("cpack", "-G", "DEB", "-B", cls.folder.file("made"), "--config", os.path.join(BUILD, "CPackConfig.cmake"))
        cls.package, = glob.glob(cls.folder.file("made/*.deb"))

    def field(self, name):
        return call("dpkg-deb", "--field", self.package, name).strip()

    def test_content(self):
        call("dpkg-deb", "--extract", self.package, self.folder.file("tree"))
        found = files_below(self.folder.file("tree/usr"))
        self.assertEqual(found, sorted(EXPECTED + ["share/zsh/vendor-completions/_vindecode"]))
        for path in found:
            mode = os.stat(os.path.join(self.folder.file("tree/usr"), path)).st_mode & 0o777
            self.assertEqual(mode, 0o755 if path == "bin/vindecode" else 0o644, path)
        runs(self.folder.file("tree/usr/bin/vindecode"))

    def test_dependencies(self):
        """Every library that the program asks for by name is in a package that it depends on."""
        depends = {entry.split()[0] for entry in self.field("Depends").replace("|", ",").split(",")}
        program = os.path.join(BUILD, "vindecode")
        needed = [line.split("[")[1].rstrip("]") for line in call("readelf", "-d", program).splitlines()
                  if "(NEEDED)" in line]
        places = {line.split()[0]: line.split()[2] for line in call("ldd", program).splitlines() if "=>" in line}
        self.assertIn("libcurl.so.4", needed)
        for library in needed:
            owner = call("dpkg", "-S", os.path.join("*", os.path.basename(os.path.realpath(places[library]))))
            names = {line.split(":")[0] for line in owner.splitlines()}
            self.assertTrue(names & depends, "%s of %s is not among %s" % (library, names, depends))
        self.assertEqual((self.field("Package"), self.field("Section")), ("vindecode", "utils"))

    def test_comes_and_goes(self):
        """Into a system of its own, so that this one stays as it is."""
        root = self.folder.file("root")
        os.makedirs(os.path.join(root, "var/lib/dpkg/info"))
        os.makedirs(os.path.join(root, "var/lib/dpkg/updates"))
        open(os.path.join(root, "var/lib/dpkg/status"), "w").close()
        dpkg = ["dpkg", "--root=" + root, "--force-depends", "--force-not-root", "--log=" + os.devnull]
        environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        call(*dpkg, "--install", self.package, env=environment)
        runs(os.path.join(root, "usr/bin/vindecode"))
        self.assertIn("vindecode", call(*dpkg, "--list", env=environment))
        call(*dpkg, "--purge", "vindecode", env=environment)
        self.assertEqual([path for path in files_below(root) if not path.startswith("var/lib/dpkg/")], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
