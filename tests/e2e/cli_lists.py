"""Lists: what they cost, in which order they come, how they wait, stop, end and go on. Usage: cli_lists.py PROGRAM"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from cli_support import (ENVIRONMENT, FAST, GOOD, PROGRAM, SLOWNESS, Folder, Served, lines_of, listens_for, measures,
                         run, run_measured, size, vin_of, vins)


def text_of(some):
    return "".join(vin + "\n" for vin in some)


class Costs(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)
        self.at_once = self.folder.scenario()

    def test_893_by_group_calls(self):
        wanted = vins(893)
        for concurrency in "2", "5":
            with Served(self.at_once) as server:
                status, output, errors = run("--json", "-u", server.url, *FAST, "--concurrency", concurrency, "-f", "-",
                                             data=text_of(wanted))
            self.assertEqual((status, errors), (0, b""))
            self.assertEqual([line["vin"] for line in lines_of(output)], wanted)
            self.assertEqual(server.calls, 18)

    def test_ten_copies_cost_one_call(self):
        for options in [], ["--no-cache"]:
            copies = [vin for vin in vins(40) for _ in range(10)]
            with Served(self.at_once) as server:
                status, output, _ = run("--json", "--no-batch", "-u", server.url, *FAST, *options, "-f", "-",
                                        data=text_of(copies))
            self.assertEqual((status, server.calls), (0, 40), options)
            self.assertEqual([line["vin"] for line in lines_of(output)], copies)
        with Served(self.at_once) as server:
            again = vins(100) * 10
            status, output, _ = run("--json", "--no-batch", "-u", server.url, *FAST, "-f", "-", data=text_of(again))
        self.assertEqual((status, server.calls), (0, 100))
        self.assertEqual([line["vin"] for line in lines_of(output)], again)

    def test_a_bad_vin_among_good_ones(self):
        mixed = vins(60)
        mixed[7], mixed[33] = "XX", "IHGCM82633A004352"
        with Served(self.at_once) as server:
            status, output, _ = run("--json", "-u", server.url, *FAST, "-f", "-", data=text_of(mixed))
        lines = lines_of(output)
        self.assertEqual((status, server.calls), (3, 2))
        self.assertEqual([line["input"] for line in lines], mixed)
        self.assertEqual([n for n, line in enumerate(lines) if line["status"] != "decoded"], [7, 33])

    def test_10_000_in_little_memory(self):
        wanted = vins(size(10000))
        path = self.folder.file("list", text_of(wanted))
        for options in [], ["--no-batch"]:
            with Served(self.at_once) as server:
                status, output, _, peak = run_measured("--json", "-u", server.url, *FAST, "--concurrency", "5", *options,
                                                       "-f", path)
            print("%s: %d calls, %d KiB;" % (options, server.calls, peak), end=" ")
            self.assertEqual(status, 0)
            self.assertEqual([line["vin"] for line in lines_of(output)], wanted)
            self.assertEqual(server.calls, len(wanted) if options else len(wanted) // 50)
            if measures("memory"):
                self.assertLess(peak, 24 * 1024)

    def test_100_000_lines_are_streamed(self):
        """Mostly lines that are never sent: it is the reading that is measured."""
        lines = ["# nothing", "", "XX", "1HGCM8263"] * size(25000)
        lines[len(lines) // 2] = GOOD
        path = self.folder.file("list", text_of(lines))
        status, output, _, peak = run_measured("--csv", "--demo=" + self.at_once, "--fields", "Make", "-f", path)
        print("%d KiB;" % peak, end=" ")
        self.assertEqual(status, 3)
        self.assertEqual(output.count(b"\r\n"), 1 + len(lines) // 2 + 1)
        if measures("memory"):
            self.assertLess(peak, 40 * 1024)  # with the demo's server in it


class Waits(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)

    def throttled_once(self, seconds):
        """Four calls are answered, then a pause is asked for, then all is well."""
        limited = {"status": 429, "headers": {"Retry-After": str(seconds)}}
        return self.folder.file("throttle.json", json.dumps({
            "name": "test", "description": "a pause", "phases": [
                {"for_calls": 4, "answers": [{}]}, {"until": "wait_over", "answers": [limited]}, {"answers": [{}]}]}))

    def test_a_list_waits_and_goes_on(self):
        with Served(self.throttled_once(2)) as server:
            status, output, _ = run("--json", "--no-batch", "-u", server.url, *FAST, "-f", "-", data=text_of(vins(12)))
        lines = lines_of(output)
        self.assertEqual((status, server.early), (0, 0))
        self.assertEqual([line["vin"] for line in lines], vins(12))
        self.assertGreaterEqual(max(line["waited_ms"] for line in lines), 1900)

    def test_over_the_cap_goes_back_into_the_line(self):
        """A pause longer than --max-wait is refused, and the list takes the VIN up again behind it."""
        with Served(self.throttled_once(3)) as server:
            status, output, _ = run("--json", "--no-batch", "--max-wait", "1", "-u", server.url, *FAST, "-f", "-",
                                    data=text_of(vins(12)))
        lines = lines_of(output)
        self.assertEqual((status, server.early), (0, 0), output[-500:])
        self.assertEqual([line["vin"] for line in lines], vins(12))
        self.assertEqual({line["status"] for line in lines}, {"decoded"})
        self.assertEqual(max(line["attempts"] for line in lines), 2)

    def test_over_the_cap_only_once(self):
        always = self.folder.scenario({"status": 429, "headers": {"Retry-After": "2"}})
        with Served(always) as server:
            status, output, _ = run("--json", "--no-batch", "--max-wait", "1", "--concurrency", "1", "-u", server.url,
                                    *FAST, "-f", "-", data=text_of(vins(2)))
        lines = lines_of(output)
        self.assertEqual((status, [line["status"] for line in lines]), (4, ["throttled"] * 2))
        self.assertEqual([line["attempts"] for line in lines], [2, 2])
        self.assertEqual((server.calls, server.early), (4, 0))

    def test_no_wait(self):
        with Served(self.throttled_once(30)) as server:
            started = time.monotonic()
            status, output, errors = run("--json", "--no-batch", "--no-wait", "--concurrency", "1", "-u", server.url,
                                         *FAST, "-f", "-", data=text_of(vins(2000)))
            self.assertLess(time.monotonic() - started, 10 * SLOWNESS)
        lines = lines_of(output)
        self.assertEqual((status, server.calls), (4, 5))
        self.assertEqual([line["status"] for line in lines[:5]], ["decoded"] * 4 + ["throttled"])
        self.assertEqual(lines[4]["error"]["retry_after_ms"], 30000)
        self.assertGreater(lines[5]["error"]["retry_after_ms"], 25000)
        self.assertLess(len(lines), 2000)
        self.assertRegex(errors.decode(), r"^vindecode: NHTSA|127.0.0.1.* asked us to wait 30 s.*possible at \d+:")
        self.assertIn(b"The list stops here.", errors)

    def test_no_wait_for_one_vin(self):
        always = self.folder.scenario({"status": 429, "headers": {"Retry-After": "20"}})
        status, output, errors = run("--json", "--no-wait", "--demo=" + always, GOOD)
        self.assertEqual((status, lines_of(output)[0]["status"]), (4, "throttled"))
        self.assertIn(b"asked us to wait 20 s", errors)
        self.assertEqual(errors.count(b"\n"), 1)

    def test_spread(self):
        started = time.monotonic()
        status, _, _ = run("--json", "--spread", "0.3", "--demo=" + self.folder.scenario(), GOOD)
        self.assertEqual(status, 0)
        child = subprocess.Popen([PROGRAM, "--json", "--spread", "86400", "--demo", GOOD], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        time.sleep(0.3)
        while not listens_for(child, signal.SIGTERM):
            time.sleep(0.01)
        child.send_signal(signal.SIGTERM)
        output, _ = child.communicate(timeout=10 * SLOWNESS)
        self.assertEqual((child.returncode, output), (128 + signal.SIGTERM, b""))
        self.assertGreater(time.monotonic() - started, 0.3)

    def test_refused_at_the_door(self):
        """10,000 VINs against a 403 for everything."""
        path = self.folder.file("list", text_of(vins(size(10000))))
        for options in [], ["--no-batch"]:
            with Served("forbidden") as server:
                status, output, errors = run("--json", "-u", server.url, *FAST, "--concurrency", "5", *options, "-f",
                                             path)
            self.assertEqual(status, 6)
            self.assertLessEqual(server.calls, 5)
            self.assertLess(output.count(b"\n"), 2000)
            self.assertEqual({line["status"] for line in lines_of(output)} - {"rejected"}, set())
            self.assertIn(b"refused several requests in a row (403)", errors)
            self.assertIn(b"The list stops here.", errors)
            self.assertEqual(errors.count(b"\n"), 1)

    def test_alert(self):
        flaky = self.folder.scenario({}, {}, {"status": 400, "body": "text", "text": "no"})
        for options, expected in ([], 1), (["--quiet"], 0):
            status, output, errors = run("--json", "--no-batch", "--demo=" + flaky, *FAST, *options, "-f", "-",
                                         data=text_of(vins(60)))
            self.assertEqual((status, len(lines_of(output))), (6, 60))
            self.assertEqual(errors.count(b"more than 20 % of the last 50 requests were given up\n"), expected, errors)
            self.assertEqual(errors.count(b"\n"), expected)

    def test_a_single_429_is_no_alert(self):
        with Served(self.throttled_once(1)) as server:
            _, _, errors = run("--json", "--no-batch", "-u", server.url, *FAST, "-f", "-", data=text_of(vins(60)))
        self.assertEqual(errors, b"")


class Watched(unittest.TestCase):
    """Standard error is a terminal."""

    def watch(self, *arguments, data=None, seconds=30):
        """What stands on standard error, and standard output."""
        ours, theirs = pty.openpty()
        child = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs,
                                 env=ENVIRONMENT)
        os.close(theirs)
        child.stdin.write(data.encode())
        child.stdin.close()
        seen = b""
        frames = []
        until = time.monotonic() + seconds * SLOWNESS
        while time.monotonic() < until:
            if not select.select([ours], [], [], 1)[0]:
                if child.poll() is not None:
                    break
                continue
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            seen += piece
            frames.append((time.monotonic(), piece))
        output = child.stdout.read()
        child.wait(timeout=10 * SLOWNESS)
        child.stdout.close()
        os.close(ours)
        return seen.decode(), frames, output

    def test_progress(self):
        folder = Folder()
        self.addCleanup(folder.cleanup)
        limited = {"status": 429, "headers": {"Retry-After": "3"}}
        scenario = folder.file("throttle.json", json.dumps({
            "name": "test", "description": "a pause", "phases": [
                {"for_calls": 4, "answers": [{}]}, {"until": "wait_over", "answers": [limited]}, {"answers": [{}]}]}))
        path = folder.file("list", text_of(vins(8)))
        seen, frames, output = self.watch("--json", "--no-batch", "--demo=" + scenario, *FAST, "-f", path, data="")
        self.assertEqual(len(lines_of(output)), 8)
        self.assertRegex(seen, r"\[[=> ]+\] [1-4]/8  waiting 0:0[23], Retry-After 3 s")
        self.assertNotIn("\x1b", seen)
        drawn = seen.count("\r")
        self.assertLess(drawn, 4 * (frames[-1][0] - frames[0][0]) + 6)
        self.assertEqual(len(set(seen.split("\r")[1:-2])), drawn - 2, "the same twice")
        self.assertEqual(re.sub(r".*\r", "", seen.rstrip("\r")).strip(), "")

    def test_quiet(self):
        seen, _, output = self.watch("--json", "--quiet", "--demo", GOOD, data="")
        self.assertEqual((seen, len(lines_of(output))), ("", 1))


class Ends(unittest.TestCase):
    """Whole lines, whatever happens."""

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)
        self.slow = self.folder.scenario({"delay_ms": [10, 10]})

    def interrupted(self, *arguments, number=signal.SIGINT, after=0.4):
        path = self.folder.file("list", text_of(vins(5000)))
        child = subprocess.Popen([PROGRAM, *arguments, "--no-batch", "--demo=" + self.slow, *FAST, "-f", path],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=ENVIRONMENT)
        time.sleep(after * SLOWNESS)
        child.send_signal(number)
        output, errors = child.communicate(timeout=20 * SLOWNESS)
        # While its libraries are being loaded, a signal ends it as it ends any other.
        self.assertIn(child.returncode, (128 + number,) if output else (128 + number, -number), errors)
        return output, errors

    def test_at_any_moment(self):
        for after in 0.02, 0.05, 0.1, 0.2, 0.35:
            output, _ = self.interrupted("--json", after=after)
            lines = lines_of(output)
            self.assertEqual([line["vin"] for line in lines], vins(len(lines)))
        output, _ = self.interrupted("--csv", number=signal.SIGTERM)
        self.assertTrue(output.endswith(b"\r\n"))

    def test_output_file_and_resume(self):
        """Interrupted, gone on with, and in the end every VIN once."""
        out = self.folder.file("out.jsonl")
        _, errors = self.interrupted("--json", "-o", out)
        self.assertFalse(os.path.exists(out))
        part = out + ".part"
        self.assertIn(b"out.jsonl.part", errors)
        before = lines_of(self.folder.read("out.jsonl.part"))
        self.assertGreater(len(before), 3)
        with open(part, "ab") as file:
            file.write(b'{"vin":"1HG')  # a half-written line
        count = len(before) + 100
        path = self.folder.file("list", text_of(vins(count)))
        with Served(self.slow) as server:
            status, output, errors = run("--json", "--no-batch", *FAST, "-u", server.url, "-f", path, "--resume", part,
                                         "-o", part, "--stats=json")
        self.assertEqual((status, output), (0, b""), errors)
        done = lines_of(self.folder.read("out.jsonl.part"))
        self.assertEqual([line["vin"] for line in done], vins(count))
        self.assertEqual(server.calls, 100)
        self.assertEqual(json.loads(errors)["left_out"], len(before))

    def test_resume_takes_failures_up_again(self):
        out = self.folder.file("out.csv")
        refused = self.folder.file("refused.json", json.dumps({"name": "no", "description": "404", "phases": [
            {"answers": [{"status": 404, "body": "text", "text": "no"}]}]}))
        given = ["--csv", "--fields", "Make,Model", "-o", out, "--resume", out]
        status, _, _ = run(*given, "--demo=" + refused, *vins(2), "XX")
        self.assertEqual(status, 6)
        status, _, errors = run(*given, "--demo=" + self.slow, *vins(2), "XX", GOOD)
        self.assertEqual((status, errors), (0, b""))
        rows = self.folder.read("out.csv").decode().splitlines()
        self.assertEqual([row.split(",")[2] for row in rows],
                         ["status", "rejected", "rejected", "invalid", "decoded", "decoded", "decoded"])
        status, _, errors = run(*given, "--demo=" + self.slow, *vins(2), "XX", GOOD)
        self.assertEqual((status, errors), (0, b""))
        self.assertEqual(self.folder.read("out.csv").decode().splitlines(), rows)

    def test_what_cannot_be_gone_on_with(self):
        def refused(*arguments):
            status, output, errors = run("--demo=" + self.slow, *arguments, GOOD)
            self.assertEqual((status, output, errors.count(b"\n")), (2, b"", 1), errors)
            return errors.decode()

        self.assertIn("--json or --csv", refused("--text", "--resume", self.folder.file("x", "")))
        self.assertIn("line 1 is no JSON line", refused("--json", "--resume", self.folder.file("x", "hello\n")))
        self.assertIn("line 1 is no CSV", refused("--csv", "--resume", self.folder.file("x", "a,b\n1,2\n")))
        run("--csv", "--fields", "Make", "-o", self.folder.file("y"), "--demo=" + self.slow, GOOD)
        self.assertIn("header", refused("--csv", "--resume", self.folder.file("y"), "-o", self.folder.file("y")))
        self.assertIn("directory", refused("--json", "--resume", self.folder.name).lower())

    def test_output_file(self):
        out = self.folder.file("out.jsonl", "old\n")
        status, output, errors = run("--json", "-o", out, "--demo=" + self.slow, *vins(3))
        self.assertEqual((status, output, errors), (0, b"", b""))
        self.assertEqual([line["vin"] for line in lines_of(self.folder.read("out.jsonl"))], vins(3))
        self.assertEqual(self.folder.names(), ["out.jsonl", "scenario.json"])
        self.folder.file("out.jsonl.part", "earlier\n")
        status, _, errors = run("--json", "-o", out, "--demo=" + self.slow, *vins(3))
        self.assertEqual(status, 2)
        self.assertIn(b"left from an earlier run", errors)
        self.assertEqual(self.folder.read("out.jsonl.part"), b"earlier\n")
        status, output, _ = run("--json", "-o", "/dev/stdout", "--demo=" + self.slow, GOOD)
        self.assertEqual((status, len(lines_of(output))), (0, 1))

    def test_output_equals_input(self):
        path = self.folder.file("list", text_of(vins(3)))
        link = self.folder.file("link")
        os.link(path, link)
        for arguments in ["-o", path], ["-o", link], ["-o", link, "--resume", self.folder.file("none")]:
            status, _, errors = run("--json", "--demo=" + self.slow, "-f", path, *arguments)
            self.assertEqual((status, errors.count(b"\n")), (2, 1), errors)
            self.assertIn(b"output file too", errors)
        with open(path, "rb+") as both:
            status, _, errors = run("--json", "--demo=" + self.slow, "-f", path, stdout=both)
            self.assertEqual(status, 2, errors)
        self.assertEqual(self.folder.read("list").decode(), text_of(vins(3)))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            status, _, errors = run("--json", "--demo=" + self.slow, GOOD, stdout=full)
        self.assertEqual((status, errors.count(b"\n")), (1, 1))
        self.assertIn(b"No space left", errors)
        status, _, errors = run("--json", "--demo=" + self.slow, "-o", "/dev/full", GOOD)
        self.assertEqual(status, 1)
        self.assertIn(b"No space left", errors)
        status, _, errors = run("--json", "--demo=" + self.slow, "-o", "/nonexistent/file", GOOD)
        self.assertEqual((status, errors.count(b"\n")), (2, 1))

    def test_a_file_that_grows_no_more_keeps_whole_lines(self):
        """As when the disk is full, with a limit on the size of files."""
        out = self.folder.file("limited")
        done = subprocess.run(["bash", "-c", 'ulimit -f 40; trap "" XFSZ; "$0" "$@" > ' + out, PROGRAM, "--json", *FAST,
                               "--demo=" + self.folder.scenario(), "-f", "-"], input=text_of(vins(500)).encode(),
                              stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=60 * SLOWNESS)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot write the results", done.stderr)
        lines = lines_of(self.folder.read("limited"))
        self.assertGreater(len(lines), 5)
        self.assertEqual([line["vin"] for line in lines], vins(len(lines)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
