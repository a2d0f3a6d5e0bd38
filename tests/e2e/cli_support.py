"""What the tests of vindecode's command line share: VINs, served scenarios, runs. The program is the first argument of
each test script."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else "vindecode"
SLOWNESS = int(os.environ.get("TEST_SLOWNESS", "1"))
GOOD = "1HGCM82633A004352"
# At full speed: no courtesy budget of our own.
FAST = ["--rate", "1000000/1"]


def _sanitizer():
    """The sanitizer that the program carries, None without one."""
    if not os.path.exists(PROGRAM):
        return None
    with open(PROGRAM, "rb") as file:
        content = file.read()
    return next((name for name in ("thread", "address") if b"__%csan_init" % name[:1].encode() in content), None)


SANITIZER = _sanitizer()


def measures(what):
    """Whether memory and times are the program's own. Under a sanitizer they are not: then the output says what is left
    out. The same for C is tests/support/sanitized.h."""
    if SANITIZER:
        print("(not measured under the %s sanitizer: %s)" % (SANITIZER, what), end=" ")
    return not SANITIZER


def size(count):
    """How many VINs a test takes that is about many: a tenth under a sanitizer, where each costs ten times as much."""
    return count // 10 if SANITIZER else count


_home = tempfile.TemporaryDirectory(prefix="vindecode-home-")
ENVIRONMENT = {k: v for k, v in os.environ.items()
               if k not in ("VINDECODE_UPSTREAM", "NO_COLOR", "XDG_CONFIG_HOME") and not k.lower().endswith("_proxy")}
ENVIRONMENT.update(HOME=_home.name, LC_ALL="C.UTF-8", TZ="UTC")


def vin_of(number):
    """A VIN with a right check digit: a maker code, and a serial number."""
    vin = "1HGCM826?3A%06d" % number
    values = {c: int(v) for c, v in zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", "12345678123457923456789" + "0123456789")}
    weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
    rest = sum(values[c] * w for c, w in zip(vin.replace("?", "0"), weights)) % 11
    return vin.replace("?", "X" if rest == 10 else str(rest))


def vins(count, first=0):
    return [vin_of(first + n) for n in range(count)]


def lines_of(output):
    """The objects of JSON lines; a half line is an error."""
    assert output == b"" or output.endswith(b"\n"), output[-80:]
    return [json.loads(line) for line in output.splitlines()]


def run(*arguments, data=None, timeout=60, **more):
    """Exit status, standard output, standard error."""
    given = {"input": data.encode() if isinstance(data, str) else data} if data is not None else {
        "stdin": subprocess.DEVNULL}
    done = subprocess.run([PROGRAM, *arguments], stdout=more.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                          env={**ENVIRONMENT, **more.pop("environment", {})}, timeout=timeout * SLOWNESS, **given,
                          **more)
    return done.returncode, done.stdout, done.stderr


def run_measured(*arguments, **more):
    """The same, and the peak of memory in KiB. A child's peak begins with that of the process that started it, so a
    small one does."""
    small = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]);"
             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(status)")
    done = subprocess.run([sys.executable, "-S", "-E", "-c", small, PROGRAM, *arguments], stdin=subprocess.DEVNULL,
                          stdout=more.get("stdout", subprocess.PIPE), stderr=subprocess.PIPE, env=ENVIRONMENT,
                          timeout=more.get("timeout", 60) * SLOWNESS)
    errors, _, peak = done.stderr.rstrip().rpartition(b"\n")
    return done.returncode, done.stdout, errors, int(peak)


def listens_for(child, number):
    """Whether the program has come so far that it takes this signal itself; raises when it has ended."""
    with open("/proc/%d/status" % child.pid) as file:
        mask = next(int(line.split()[1], 16) for line in file if line.startswith("SigBlk"))
    return mask >> (number - 1) & 1 != 0


class Folder(tempfile.TemporaryDirectory):
    """A folder for the files of one test."""

    def file(self, name, content=None):
        path = os.path.join(self.name, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def read(self, name):
        with open(self.file(name), "rb") as file:
            return file.read()

    def names(self):
        return sorted(os.listdir(self.name))

    def scenario(self, *answers, **more):
        """A scenario that gives these answers in turn, for ever."""
        what = {"name": "test", "description": "of a test", "phases": [{"answers": list(answers) or [{}]}], **more}
        return self.file("scenario.json", json.dumps(what))


class Served:
    """A scenario, served until the end of the block; then `calls`, `rejected`, `early` and `span_ms` are what it
    counted."""

    def __init__(self, scenario):
        self.scenario = scenario

    def __enter__(self):
        self.log = tempfile.TemporaryFile()
        self.server = subprocess.Popen([PROGRAM, "--demo=" + self.scenario, "--serve"], stdout=self.log,
                                       stdin=subprocess.DEVNULL, env=ENVIRONMENT)
        while True:
            found = re.search(rb"http://127\.0\.0\.1:(\d+)\S*\n", self.output())
            if found:
                break
            assert self.server.poll() is None, "the server has ended"
        self.url = found.group(0).decode().strip()
        self.port = int(found.group(1))
        return self

    def output(self):
        return os.pread(self.log.fileno(), os.fstat(self.log.fileno()).st_size, 0)

    def __exit__(self, *_):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(timeout=20 * SLOWNESS)
        last = self.output().decode().splitlines()[-1].split()
        for name, value in zip(last[::2], last[1::2]):
            setattr(self, name, int(value))
        self.log.close()

    def counted(self):
        return "calls %d, rejected %d, early %d, span %.2f s" % (
            self.calls, self.rejected, self.early, self.span_ms / 1000)
