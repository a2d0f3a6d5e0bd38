"""vindecode without a screen: its lines, its exit status, and how it ends. Usage: headless.py PROGRAM"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from cli_support import ENVIRONMENT, GOOD, PROGRAM, SLOWNESS, Folder, lines_of, measures, size, vin_of

FAST = ["--rate", "100000/1:100000", "--concurrency", "5"]
_folder = Folder()


def scenario(**answer):
    """A scenario that always answers like this."""
    file = tempfile.NamedTemporaryFile("w", suffix=".json", dir=_folder.name, delete=False)
    json.dump({"name": "test", "description": "one answer for ever", "phases": [{"name": "all", "answers": [answer]}]},
              file)
    file.close()
    return "--demo=" + file.name


def at_once():
    """The demo upstream, answering without any delay."""
    return scenario(status=200)


def run(*arguments, data=None, **more):
    done = subprocess.run([PROGRAM, *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=ENVIRONMENT, timeout=60 * SLOWNESS, **({} if data else {"stdin": subprocess.DEVNULL}),
                          **more)
    return done.returncode, done.stdout, done.stderr


class Lines(unittest.TestCase):
    def one(self, *arguments, data=None):
        status, output, errors = run("--json", *arguments, data=data)
        lines = lines_of(output)
        self.assertEqual(len(lines), 1, (output, errors))
        return status, lines[0]

    def test_decoded(self):
        status, line = self.one(at_once(), "1hgcm82633a004352")
        self.assertEqual(status, 0)
        self.assertEqual((line["vin"], line["input"], line["status"], line["source"]),
                         (GOOD, "1hgcm82633a004352", "decoded", "upstream"))
        self.assertEqual((line["attempts"], line["http_status"], line["codes"]), (1, 200, [0]))
        self.assertEqual(line["check_digit"], {"expected": "3", "actual": "3", "ok": True})
        self.assertEqual((line["result"]["Make"], line["result"]["Model"]), ("HONDA", "Accord"))
        self.assertNotIn("", line["result"].values())
        self.assertNotIn("error", line)

    def test_against_a_served_demo(self):
        server = subprocess.Popen([PROGRAM, "--demo=calm", "--serve"], stdout=subprocess.PIPE, env=ENVIRONMENT, bufsize=0)
        try:
            url = next(word for word in server.stdout.readline().decode().split() if word.startswith("http"))
            status, line = self.one("--upstream", url, GOOD)
            self.assertEqual((status, line["status"]), (0, "decoded"))
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=10 * SLOWNESS)

    def test_invalid(self):
        for text in ("", "XX", "IHGCM82633A004352", "1HGCM82643A004352", "1HGCM82633A00435\u00eb", GOOD + "7",
                     GOOD + ",1850"):
            status, line = self.one(at_once(), text)
            self.assertEqual((status, line["status"], line["attempts"], line["result"]), (3, "invalid", 0, None), text)
            self.assertEqual((line["error"]["code"], line["error"]["reason"]), ("bad_request", "local_validation"))
            self.assertTrue(line["error"]["message"], text)

    def test_force(self):
        status, line = self.one(at_once(), "--force", "1HGCM82643A004352")
        self.assertEqual((status, line["status"], line["check_digit"]["ok"]), (0, "decoded", False))

    def test_throttled(self):
        status, line = self.one(scenario(status=429, headers={"Retry-After": "3600"}), GOOD)
        self.assertEqual((status, line["status"], line["http_status"]), (4, "throttled", 429))
        self.assertEqual(line["error"]["code"], "upstream_throttle")
        self.assertEqual(line["error"]["retry_after_ms"], 3600000)
        self.assertEqual(line["error"]["hint_source"], "retry-after-seconds")

    def test_unavailable(self):
        status, line = self.one("--upstream", "http://127.0.0.1:9/api", "--max-attempts", "1", GOOD)
        self.assertEqual(status, 5)
        self.assertIn(line["status"], ("unavailable", "exhausted"))
        self.assertNotIn("invalid", line["error"]["message"].lower())

    def test_rejected(self):
        status, line = self.one(scenario(status=404, body="text", text="no"), GOOD)
        self.assertEqual((status, line["status"], line["http_status"]), (6, "rejected", 404))

    def test_hostile_answer(self):
        """T27, T28: what an upstream sends never reaches the terminal as it is, and the line stays JSON."""
        value = "\u009b2J\u202eevil\x1b]52;c;AAAA\x07 \u0085\ufeff\x7f\u2028 Citro\u00ebn"
        row = {"Results": [{"VIN": GOOD, "Make": value, "Model": "M", "ModelYear": "2003", "ErrorCode": "0",
                            "ErrorText": value, "BodyClass": "x", "Doors": "4", "PlantCity": "y", "Series": "z"}]}
        status, output, _ = run("--json", scenario(status=200, body="text", text=json.dumps(row, ensure_ascii=False),
                                                   content_type="application/json"), GOOD)
        self.assertEqual(status, 0, output)
        text = output.decode()
        for bad in "\u009b\u202e\x1b\x07\u0085\ufeff\x7f\u2028":
            self.assertNotIn(bad, text)
        self.assertEqual(lines_of(output)[0]["result"]["Make"], value)
        self.assertIn("Citro\u00ebn", text)

    def test_broken_bytes(self):
        status, output, _ = run("--json", at_once(), b"1HG\xff\xc3\x9b\x1b[2J")
        self.assertEqual(status, 3)
        output.decode()
        self.assertEqual(lines_of(output)[0]["status"], "invalid")

    def test_what_is_named_is_cleaned(self):
        """T27, T28: what was given as a file, a scenario or an option is told on standard error, and acts on no terminal."""
        name = b"x\x1b[2J\xff\xc2\x9b\n\xe2\x80\xae"
        for arguments in ([b"-f", name], [b"--demo=" + name, "1HG"], [b"--fields", name, "1HG"], [b"--" + name],
                          [b"-o", b"/no/" + name, "1HG"], [b"--log", b"/no/" + name, "1HG"], [b"--config", name, "1HG"]):
            status, output, errors = run("--json", at_once(), *arguments)
            self.assertEqual((status, output), (2, b""), arguments)
            self.assertIn("x^[[2J<FF><U+009B>^J<U+202E>", errors.decode(), arguments)
            self.assertEqual(errors.count(b"\n"), 1, errors)


class Lists(unittest.TestCase):
    def test_order(self):
        vins = [vin_of(n) for n in range(300)] + [vin_of(5), "XX", vin_of(7)]
        status, output, errors = run("--json", at_once(), *FAST, "-f", "-", data="\n".join(vins).encode())
        lines = lines_of(output)
        self.assertEqual([line["vin"] for line in lines], vins)
        self.assertEqual({line["status"] for line in lines if line["vin"] != "XX"}, {"decoded"})
        self.assertEqual((status, errors), (3, b""))

    def test_file_with_everything(self):
        text = "\ufeff# a list\r\n\r\n%s,2003\r\n  %s  # the second\r\n" % (vin_of(1), vin_of(2))
        with tempfile.NamedTemporaryFile() as file:
            file.write(text.encode())
            file.flush()
            status, output, _ = run("--json", at_once(), *FAST, vin_of(0), "-f", file.name)
        self.assertEqual(status, 0)
        self.assertEqual([line["vin"] for line in lines_of(output)], [vin_of(0), vin_of(1), vin_of(2)])

    def test_an_answer_before_the_end_of_input(self):
        child = subprocess.Popen([PROGRAM, "--json", at_once(), "-f", "-"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, env=ENVIRONMENT, bufsize=0)
        child.stdin.write(GOOD.encode() + b"\n")
        child.stdin.flush()
        self.assertEqual(json.loads(child.stdout.readline())["vin"], GOOD)
        rest, _ = child.communicate(timeout=20 * SLOWNESS)
        self.assertEqual((rest, child.returncode), (b"", 0))

    def test_constant_memory(self):
        """20,000 VINs in little memory."""
        wanted = size(20000)
        vins = "".join(vin_of(n) + "\n" for n in range(wanted)).encode()
        with tempfile.TemporaryFile() as file:
            file.write(vins)
            file.seek(0)
            # A child's peak begins with that of the process which started it: so a small one does.
            small = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]);"
                     "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(status)")
            with subprocess.Popen([sys.executable, "-S", "-c", small, PROGRAM, "--json", at_once(), *FAST, "-f", "-"],
                                  stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as child:
                count = sum(1 for _ in child.stdout)
                peak = int(child.stderr.read().split()[-1])
            self.assertEqual((child.returncode, count), (0, wanted))
            print("peak %d KiB " % peak, end="")
            if measures("memory"):
                self.assertLess(peak, 48 * 1024)


class Ends(unittest.TestCase):
    def start_long(self):
        child = subprocess.Popen([PROGRAM, "--json", at_once(), "--rate", "50/1:50", "--no-batch", "-f", "-"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
                                 bufsize=0)  # so that what readline() leaves is not lost to communicate()
        child.stdin.write("".join(vin_of(n) + "\n" for n in range(2000)).encode())
        child.stdin.flush()
        return child

    def test_signals_leave_whole_lines(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            child = self.start_long()
            first = child.stdout.readline()
            child.send_signal(number)
            rest, errors = child.communicate(timeout=10 * SLOWNESS)
            self.assertEqual(child.returncode, 128 + number, errors)
            for line in lines_of(first + rest):
                self.assertEqual(line["status"], "decoded")

    def test_a_signal_is_heard_while_nobody_reads(self):
        child = subprocess.Popen([PROGRAM, "--json", at_once(), *FAST, "-f", "-"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, env=ENVIRONMENT, bufsize=0)
        child.stdin.write("".join(vin_of(n) + "\n" for n in range(2000)).encode())
        child.stdin.flush()
        time.sleep(1.0 * SLOWNESS)  # the pipe fills; there is nothing to wait for that would tell
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=5 * SLOWNESS), 130)
        child.stdin.close()
        child.stdout.close()

    def test_closed_pipe(self):
        done = subprocess.run(["bash", "-c", '"$@" | head -1; exit ${PIPESTATUS[0]}', "bash", PROGRAM,
                               "--json", at_once(), *FAST, "-f", "-"], input="".join(vin_of(n) + "\n" for n in range(2000)).encode(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=30 * SLOWNESS)
        self.assertEqual(len(lines_of(done.stdout)), 1)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "--json", at_once(), GOOD], stdout=full, stderr=subprocess.PIPE,
                                  stdin=subprocess.DEVNULL, env=ENVIRONMENT, timeout=30 * SLOWNESS)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertIn(b"No space left", done.stderr)


class Usage(unittest.TestCase):
    def refused(self, *arguments, **more):
        status, output, errors = run(*arguments, **more)
        self.assertEqual((status, output, errors.count(b"\n")), (2, b"", 1), errors)
        return errors.decode()

    def test_wrong_options(self):
        self.assertIn("--nonsense", self.refused("--nonsense"))
        self.assertIn("--max-wait", self.refused("--max-wait", "99", GOOD))
        self.assertIn("nosuch", self.refused("--demo=nosuch", "--json", GOOD))

    def test_nothing_to_do(self):
        self.assertIn("standard input is no terminal", self.refused())
        self.assertIn("-f FILE", self.refused("--json"))

    def test_unreadable_lists(self):
        self.assertIn("/nonexistent", self.refused("--json", at_once(), "-f", "/nonexistent/list"))
        self.assertIn("directory", self.refused("--json", at_once(), "-f", "/").lower())
        self.assertIn("no VIN", self.refused("--json", at_once(), "-f", "/dev/null"))

    def test_help_and_version(self):
        status, output, _ = run("--help")
        self.assertEqual(status, 0)
        self.assertLessEqual(max(len(line) for line in output.decode().splitlines()), 80)
        status, output, _ = run("--version")
        self.assertEqual(status, 0)
        self.assertRegex(output.decode(), r"^vindecode \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
