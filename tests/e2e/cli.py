"""The command line: what comes out, what is read, what is refused. Usage: cli.py PROGRAM"""
import csv
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest

from cli_support import (ENVIRONMENT, FAST, GOOD, PROGRAM, SANITIZER, SLOWNESS, Folder, Served, lines_of, listens_for,
                         run, vin_of, vins)

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)
        self.demo = "--demo=" + self.folder.scenario()

    def refused(self, *arguments, **more):
        """Wrong usage: one clear line, nothing on standard output."""
        status, output, errors = run(*arguments, **more)
        self.assertEqual((status, output, errors.count(b"\n")), (2, b"", 1), errors)
        return errors.decode()


class Json(Case):
    def check(self, *arguments, **more):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed for this Python")
        with open(os.path.join(TREE, "assets", "result.schema.json")) as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        status, output, errors = run("--json", *arguments, **more)
        for line in lines_of(output):
            jsonschema.validate(line, schema)
        return status, lines_of(output), errors

    def test_decoded(self):
        for options in [], ["--all"], ["--fields", "Make"], ["--no-batch"]:
            status, lines, _ = self.check(self.demo, *options, GOOD, "1M8GDM9AXKP042788", "5UXWX7C5*BA", "--force")
            self.assertEqual([line["status"] for line in lines], ["decoded"] * 3)

    def test_every_failure(self):
        answers = {
            "rejected": {"status": 404, "body": "text", "text": "no"},
            "throttled": {"status": 429, "headers": {"Retry-After": "90"}},
            "unavailable": {"status": 500, "body": "text", "text": "no"},
            "exhausted": {"status": 502, "body": "text", "text": "no"},
        }
        for expected, answer in answers.items():
            demo = "--demo=" + self.folder.scenario(answer)
            status, lines, _ = self.check(demo, "--max-attempts", "1", GOOD)
            self.assertEqual([line["status"] for line in lines], [expected])
        for body in "xml", "html", "empty", "truncated", "no_results", "other_vehicle":
            demo = "--demo=" + self.folder.scenario({"body": body})
            status, lines, _ = self.check(demo, "--max-attempts", "1", GOOD)
            self.assertIn(lines[0]["status"], ("unavailable", "exhausted"), body)
            self.assertEqual(status, 5)
        for text in "", "XX", "\u00eb", GOOD + "," + "1850", GOOD + " " + vin_of(1):
            _, lines, _ = self.check(self.demo, text)
            self.assertEqual(lines[0]["status"], "invalid")

    def test_sparse_and_all(self):
        sparse = lines_of(run("--json", self.demo, GOOD)[1])[0]["result"]
        everything = lines_of(run("--json", "--all", self.demo, GOOD)[1])[0]["result"]
        self.assertGreater(len(everything), 2 * len(sparse))
        self.assertEqual({k: v for k, v in everything.items() if v not in ("", "Not Applicable")}, sparse)

    def test_fields(self):
        result = lines_of(run("--json", "--fields", "model,Make", self.demo, GOOD)[1])[0]["result"]
        self.assertEqual(result, {"Make": "HONDA", "Model": "Accord"})
        self.assertIn('"Modle"', self.refused("--json", "--fields", "Make,Modle", self.demo, GOOD))
        status, output, _ = run("--fields=list")
        self.assertEqual(status, 0)
        self.assertIn(b"EngineHP", output)

    def test_year(self):
        with Served(self.folder.scenario()) as server:
            status, output, _ = run("--json", "-y", "2003", "-u", server.url, GOOD, vin_of(1) + ",1999", *FAST,
                                    "--no-batch")
            self.assertEqual((status, len(lines_of(output))), (0, 2))


class Csv(Case):
    def rows(self, *arguments, **more):
        status, output, errors = run("--csv", *arguments, **more)
        text = output.decode()
        self.assertNotRegex(text, r"[^\r]\n")
        return status, list(csv.DictReader(io.StringIO(text, newline=""), strict=True)), text

    def test_columns(self):
        status, rows, _ = self.rows(self.demo, GOOD, "XX", vin_of(1))
        self.assertEqual(status, 3)
        self.assertEqual([row["status"] for row in rows], ["decoded", "invalid", "decoded"])
        self.assertEqual((rows[0]["Make"], rows[0]["Model"], rows[0]["codes"]), ("HONDA", "Accord", "0"))
        self.assertEqual((rows[1]["error_code"], rows[1]["error_reason"]), ("bad_request", "local_validation"))
        self.assertGreater(len(rows[0]), 100)
        self.assertIn("Not Applicable", set(rows[0].values()) | {"Not Applicable"})
        _, rows, text = self.rows(self.demo, "--fields", "Model,Make", GOOD)
        self.assertTrue(text.splitlines()[0].endswith(",suggested_vin,Model,Make"))

    def test_quoting(self):
        value = 'a "b", c\r\nd\u202e\x1b[2J'
        row = {"Results": [{"VIN": GOOD, "Make": value, "Model": "\u00e9\u00e9", "ModelYear": "2003", "ErrorCode": "0",
                            "ErrorText": "0 - ok", "BodyClass": "x", "Doors": "4", "PlantCity": "y", "Series": "z"}]}
        demo = "--demo=" + self.folder.scenario({"status": 200, "body": "text", "text": json.dumps(row),
                                                 "content_type": "application/json"})
        status, rows, text = self.rows(demo, "--fields", "Make,Model", GOOD)
        self.assertEqual(status, 0)
        self.assertEqual(rows[0]["Make"], 'a "b", c^M^Jd<U+202E>^[[2J')
        self.assertEqual(rows[0]["Model"], "\u00e9\u00e9")
        for hazard in "\x1b\u202e":
            self.assertNotIn(hazard, text)

    def test_round_trip(self):
        """Our own output is a list with a column "vin"."""
        output = run("--csv", self.demo, *vins(3))[1]
        path = self.folder.file("list.csv", output)
        status, rows, _ = self.rows(self.demo, "-f", path, *FAST)
        self.assertEqual((status, [row["vin"] for row in rows]), (0, vins(3)))


class Text(Case):
    def test_card(self):
        status, output, _ = run("--text", self.demo, GOOD, "XX")
        text = output.decode()
        self.assertEqual(status, 3)
        self.assertIn("1HGCM82633A004352  2003 HONDA Accord", text)
        self.assertRegex(text, r"(?m)^XX +invalid: 2 of 17 characters$")
        self.assertNotIn("Not Applicable", text)
        self.assertIn("Not Applicable", run("--text", "--all", self.demo, GOOD)[1].decode())

    def test_no_terminal_means_text(self):
        self.assertEqual(run(self.demo, GOOD)[1], run("--text", self.demo, GOOD)[1])

    def test_ascii(self):
        row = {"Results": [{"VIN": GOOD, "Make": "CITRO\u00cbN\x1b[2J", "Model": "x", "ModelYear": "2003",
                            "ErrorCode": "0", "ErrorText": "", "BodyClass": "x", "Doors": "4", "PlantCity": "y"}]}
        demo = "--demo=" + self.folder.scenario({"status": 200, "body": "text", "text": json.dumps(row),
                                                 "content_type": "application/json"})
        self.assertIn("CITRO\u00cbN^[[2J", run("--text", demo, GOOD)[1].decode())
        self.assertIn(b"CITROEN^[[2J", run("--text", "--ascii", demo, GOOD)[1])


class Status(Case):
    def test_highest_of_several(self):
        answers = [{}, {"status": 404, "body": "text", "text": "no"}]
        demo = "--demo=" + self.folder.scenario(*answers)
        status, _, _ = run("--json", "--no-batch", "--concurrency", "1", demo, *FAST, "XX", *vins(2))
        self.assertEqual(status, 6)

    def test_strict(self):
        wrong_digit = "1HGCM82643A004352"
        status, output, _ = run("--json", "--force", "--strict", self.demo, wrong_digit)
        self.assertIn(1, lines_of(output)[0]["codes"])
        self.assertEqual(status, 7)
        self.assertEqual(run("--json", "--force", self.demo, wrong_digit)[0], 0)
        self.assertEqual(run("--json", "--strict", self.demo, GOOD)[0], 0)
        self.assertEqual(run("--json", "--strict", "--force", self.demo, wrong_digit, "XX")[0], 7)


class Lists(Case):
    def of(self, content, *arguments):
        path = self.folder.file("list", content)
        status, output, errors = run("--json", self.demo, *FAST, *arguments, "-f", path)
        return status, [line["input"] for line in lines_of(output)], errors

    def test_csv_list(self):
        content = '\ufeffLot #,"VIN",Note\r\n1,%s,"a, ""b""\r\nc"\r\n2,"%s",\r\n' % (vin_of(1), vin_of(2))
        self.assertEqual(self.of(content), (0, [vin_of(1), vin_of(2)], b""))
        self.assertEqual(self.of("vin;year\n%s;2003\n" % vin_of(1)), (0, [vin_of(1) + ",2003"], b""))

    def test_plain_list(self):
        self.assertEqual(self.of("# mine\n\n%s # one\r\n%s,2003\n" % (vin_of(1), vin_of(2))),
                         (0, [vin_of(1), vin_of(2) + ",2003"], b""))

    def test_standard_input(self):
        status, output, _ = run("--json", self.demo, "-f", "-", data=vin_of(1) + "\n")
        self.assertEqual((status, len(lines_of(output))), (0, 1))

    def test_nul_padding(self):
        """B54: a VIN as it is read from a vehicle's bus, padded with NULs."""
        for content in (vin_of(1).encode() + b"\0\0\n" + vin_of(2).encode() + b"\0\r\n", vin_of(1).encode() + b"\0\0\0"):
            status, output, _ = run("--json", self.demo, "-f", "-", data=content)
            self.assertEqual(status, 0)
            self.assertEqual([line["vin"] for line in lines_of(output)], [vin_of(1), vin_of(2)][:len(lines_of(output))])

    def bad(self, content):
        path = self.folder.file("list", content)
        return self.refused("--json", self.demo, "-f", path)

    def test_what_is_no_list(self):
        self.assertIn("no text", self.bad(b"\x7fELF\0\0\0"))
        self.assertIn("no text", self.bad(vin_of(1).encode("utf-16")))
        self.assertIn('"vin"', self.bad("make,model,year\nHonda,Accord,2003\n"))
        self.assertIn("holds no VIN", self.bad(""))
        self.assertIn("holds no VIN", self.bad("# nothing\n\n"))
        self.assertIn("holds no VIN", self.bad("vin\n"))
        self.assertIn("holds no VIN", self.refused("--json", self.demo, "-f", "-", data=""))
        self.assertIn("standard input", self.refused("--json", self.demo, "-f", "-", data="a\0b"))
        self.assertIn("directory", self.refused("--json", self.demo, "-f", self.folder.name))
        self.assertIn("No such file", self.refused("--json", self.demo, "-f", self.folder.file("none")))
        if os.geteuid() != 0:
            path = self.folder.file("secret", "x")
            os.chmod(path, 0)
            self.assertIn("Permission", self.refused("--json", self.demo, "-f", path))


class Configuration(Case):
    def test_order(self):
        with Served(self.folder.scenario()) as server:
            config = self.folder.file("config", "# mine\nupstream = http://127.0.0.1:9/file\njson = yes\n"
                                                "max-attempts = 1\nno_cache = yes\n")
            status, output, _ = run("--config", config, GOOD)
            self.assertEqual((status, lines_of(output)[0]["attempts"]), (5, 1))
            status, output, _ = run("--config", config, GOOD, environment={"VINDECODE_UPSTREAM": server.url})
            self.assertEqual((status, lines_of(output)[0]["status"]), (0, "decoded"))
            wrong = {"VINDECODE_UPSTREAM": "http://127.0.0.1:9/environment"}
            status, output, _ = run("--config", config, "-u", server.url, GOOD, environment=wrong)
            self.assertEqual((status, lines_of(output)[0]["status"]), (0, "decoded"))
            home = {"XDG_CONFIG_HOME": self.folder.file("xdg")}
            os.makedirs(self.folder.file("xdg/vindecode"))
            self.folder.file("xdg/vindecode/config", "upstream = %s\njson = yes\n" % server.url)
            status, output, _ = run(GOOD, environment=home)
            self.assertEqual((status, lines_of(output)[0]["status"]), (0, "decoded"))

    def test_wrong(self):
        config = self.folder.file("config", "json = yes\n\nnonsense = 1\n")
        self.assertRegex(self.refused("--config", config, GOOD), r'config, line 3: no option is called "nonsense"')
        self.assertIn("No such file", self.refused("--config", self.folder.file("none"), GOOD))
        self.assertIn("VINDECODE_UPSTREAM", self.refused("--json", GOOD, environment={"VINDECODE_UPSTREAM": "nowhere"}))


class Reports(Case):
    def test_log(self):
        log = self.folder.file("log")
        demo = "--demo=" + self.folder.scenario({"status": 429, "headers": {"Retry-After": "1"}}, {})
        run("--json", demo, "--log", log, GOOD)
        lines = lines_of(self.folder.read("log"))
        plans = [line for line in lines if line["what"] == "plan"]
        self.assertEqual([(plan["row"], plan["action"], plan["http_status"]) for plan in plans],
                         [("T24", "wait", 429), ("T07", "deliver", 200)])
        self.assertEqual(plans[0]["hint_source"], "retry-after-seconds")
        self.assertEqual({line["vin"] for line in lines if "vin" in line}, {"1HGCM82633A******"})
        self.assertEqual([line["what"] for line in lines if "vin" in line], ["calling", "waiting", "calling", "decoded"])
        for line in lines:
            self.assertRegex(line["at"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        run("--json", demo, "--log", log, "--log-full-vin", GOOD)
        more = lines_of(self.folder.read("log"))
        self.assertEqual(more[:len(lines)], lines)
        self.assertIn(GOOD, [line.get("vin") for line in more])
        self.assertIn("directory", self.refused("--json", demo, "--log", self.folder.name, GOOD).lower())

    def test_b99_results_and_nothing_else(self):
        """B99: whatever is told on standard error, standard output is JSON, a line per VIN."""
        status, output, errors = run("--json", self.demo, "--stats", "--log", "/dev/stderr", "--metrics", "/dev/stderr",
                                     GOOD, "NOVIN", "--force")
        self.assertEqual([line["input"] for line in lines_of(output)], [GOOD, "NOVIN"])
        self.assertGreater(errors.count(b"\n"), 10)

    def test_a_log_that_takes_no_more_costs_no_result(self):
        status, output, errors = run("--json", self.demo, "--log", "/dev/full", GOOD)
        self.assertEqual((status, len(lines_of(output)), errors.count(b"\n")), (0, 1, 1))
        self.assertIn(b"/dev/full", errors)

    def test_metrics_leave_a_device_alone(self):
        """Counters are renamed into place, but never over what is no file."""
        pipe = self.folder.file("pipe")
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        status, _, _ = run("--json", self.demo, "--metrics", pipe, GOOD)
        self.assertEqual(status, 0)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        self.assertIn(b"vindecode_results_total", os.read(reader, 65536))

    def check_metrics(self, text):
        """promtool when there is one, and a strict reading of the text format in any case."""
        promtool = shutil.which("promtool")
        if promtool:
            done = subprocess.run([promtool, "check", "metrics"], input=text, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout), (0, b""))
        seen, types = {}, {}
        for line in text.decode().splitlines():
            comment = re.fullmatch(r"# (HELP|TYPE) (vindecode_[a-z0-9_]+) (.+)", line)
            if comment:
                if comment[1] == "TYPE":
                    self.assertNotIn(comment[2], types)
                    types[comment[2]] = comment[3]
                continue
            sample = re.fullmatch(r'((vindecode_[a-z0-9_]+)(?:\{[a-z]+="[^"\\]*"\})?) ([0-9.]+)', line)
            self.assertTrue(sample, line)
            self.assertIn(sample[2], types)
            self.assertEqual(types[sample[2]] == "counter", sample[2].endswith("_total"), line)
            self.assertNotIn(sample[1], seen)
            seen[sample[1]] = float(sample[3])
        return seen

    def test_metrics(self):
        path = self.folder.file("vindecode.prom")
        demo = "--demo=" + self.folder.scenario({"status": 429, "headers": {"Retry-After": "1"}}, {})
        status, _, _ = run("--json", "--no-batch", "--concurrency", "1", demo, *FAST, "--metrics", path, *vins(2), "XX")
        self.assertEqual(status, 3)
        seen = self.check_metrics(self.folder.read("vindecode.prom"))
        self.assertEqual(seen['vindecode_results_total{status="decoded"}'], 2)
        self.assertEqual(seen['vindecode_results_total{status="invalid"}'], 1)
        self.assertEqual(seen["vindecode_attempts_total"], 4)
        self.assertEqual(seen['vindecode_refusals_total{status="429"}'], 2)
        self.assertEqual(seen['vindecode_hints_total{source="retry-after-seconds"}'], 2)
        self.assertGreater(seen["vindecode_gate_wait_seconds_total"], 1.9)
        self.assertEqual(self.folder.names(), ["scenario.json", "vindecode.prom"])
        self.assertIn("No such", self.refused("--json", demo, "--metrics", "/nonexistent/file", GOOD))

    def test_metrics_while_it_runs(self):
        """The first are there at once, and a reader never sees half of them."""
        path = self.folder.file("vindecode.prom")
        demo = "--demo=" + self.folder.scenario({"delay_ms": [300, 300]})
        child = subprocess.Popen([PROGRAM, "--json", demo, "--no-batch", *FAST, "--metrics", path, "-f", "-"],
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
        child.stdin.write("".join(vin + "\n" for vin in vins(6)).encode())
        child.stdin.flush()
        child.stdout.readline()
        self.check_metrics(self.folder.read("vindecode.prom"))
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=20 * SLOWNESS)
        seen = self.check_metrics(self.folder.read("vindecode.prom"))
        self.assertGreaterEqual(seen['vindecode_results_total{status="decoded"}'], 1)

    def test_stats(self):
        status, _, errors = run("--json", self.demo, "--stats=json", *FAST, *vins(2), vin_of(0), "XX")
        stats = json.loads(errors)
        self.assertEqual((stats["vins"], stats["decoded"], stats["invalid"], stats["attempts"], stats["joined"]),
                         (4, 3, 1, 1, 1))
        _, _, errors = run("--json", self.demo, "--stats", GOOD)
        self.assertRegex(errors.decode(), r"VINs +1 in \d+\.\d s, 1 decoded\n")
        self.assertIn("--stats does not take", self.refused("--stats=xml", GOOD))


class Signals(Case):
    """The exit status says 128 + n also before there is anything to decode."""

    @unittest.skipIf(SANITIZER == "thread", "the thread sanitizer keeps signals back while a read blocks")
    def test_while_a_file_does_not_come(self):
        pipe = self.folder.file("pipe")
        os.mkfifo(pipe)
        for option in "--config=", "--demo=", "--file=", "--resume=":
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
                child = subprocess.Popen([PROGRAM, "--json", option + pipe, GOOD], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
                with open(pipe, "wb"):  # returns when the program has opened it, too
                    child.send_signal(number)
                    output, errors = child.communicate(timeout=20 * SLOWNESS)
                self.assertEqual((child.returncode, output, errors), (128 + number, b"", b""), option)

    def test_one_that_was_ignored_stays_so(self):
        """nohup: the program goes on, and decodes."""
        child = subprocess.Popen(["nohup", PROGRAM, "--json", "--spread", "1", self.demo, GOOD], env=ENVIRONMENT,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not listens_for(child, signal.SIGTERM):
            time.sleep(0.01)
        child.send_signal(signal.SIGHUP)
        output, _ = child.communicate(timeout=20 * SLOWNESS)
        self.assertEqual((child.returncode, len(lines_of(output))), (0, 1))

    def test_a_served_upstream_ends_with_its_counts(self):
        for number in signal.SIGINT, signal.SIGTERM:
            server = subprocess.Popen([PROGRAM, "--demo=calm", "--serve"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, env=ENVIRONMENT)
            server.stdout.readline()
            server.send_signal(number)
            output, _ = server.communicate(timeout=20 * SLOWNESS)
            self.assertEqual(server.returncode, 0)
            self.assertRegex(output, rb"^calls 0 ")

    def test_what_is_printed_arrives_or_is_missed(self):
        for option in "--help", "--version", "--fields=list", "--demo=list":
            with open("/dev/full", "wb") as full:
                status, _, errors = run(option, stdout=full)
            self.assertEqual((status, errors.count(b"\n")), (1, 1), option)
            self.assertIn(b"No space left", errors)
        done = subprocess.run(["bash", "-c", '"$0" --help=man | true; exit ${PIPESTATUS[0]}', PROGRAM],
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
        self.assertIn((done.returncode, done.stderr), ((0, b""), (128 + signal.SIGPIPE, b"")))


class Texts(unittest.TestCase):
    """The manual and the completions come from the table of options."""

    def asset(self, name):
        with open(os.path.join(TREE, "assets", name)) as file:
            return file.read()

    def printed(self, what):
        status, output, _ = run("--help=" + what)
        self.assertEqual(status, 0)
        return output.decode()

    def test_manual(self):
        manual = self.asset("vindecode.1")
        part = manual.split('.\\" from the table of options\n')[1].split('.\\" end of the options\n')[0]
        self.assertEqual(part, self.printed("man"), "see CONTRIBUTING.md: assets/refresh")
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(TREE, "assets/vindecode.1")],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual((done.returncode, done.stdout.decode()), (0, ""))

    def test_completions(self):
        for shell, name in ("bash", "vindecode"), ("zsh", "_vindecode"), ("fish", "vindecode.fish"):
            path = "completions/" + name
            self.assertEqual(self.asset(path), self.printed(shell), "see CONTRIBUTING.md: assets/refresh")
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", os.path.join(TREE, "assets", path)], stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
                self.assertEqual((done.returncode, done.stdout), (0, b""))

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = (". /usr/share/bash-completion/bash_completion && . %s/assets/completions/vindecode &&"
                  "COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=${#COMP_LINE} && _vindecode;"
                  'printf "%%s\\n" "${COMPREPLY[@]}"')
        words = ["vindecode", *words]
        line = " ".join(words).replace(" = ", "=").replace(" =", "=")
        done = subprocess.run(["bash", "-c", script % (TREE, " ".join("'%s'" % word for word in words),
                                                       len(words) - 1, line)],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**ENVIRONMENT, "PATH": os.path.dirname(PROGRAM) + ":" + ENVIRONMENT["PATH"]})
        return done.stdout.decode().split()

    @unittest.skipUnless(os.path.exists("/usr/share/bash-completion/bash_completion"), "no bash-completion here")
    def test_bash_completes(self):
        self.assertEqual(self.complete("--no-b"), ["--no-batch"])
        self.assertIn("--max-wait=", self.complete("--max"))
        self.assertEqual(self.complete("--color", "=", "nev"), ["never"])
        self.assertIn("quota-epoch", self.complete("--demo", "=", "quota-e"))

    def test_help(self):
        common, everything = self.printed("all"), run("--help")[1].decode()
        for text in common, everything:
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
        names = re.findall(r"--([a-z-]+)", self.printed("fish").replace("-l ", "--"))
        self.assertGreater(len(set(names)), 35)
        for name in ["json", "csv", "text", "file", "output", "resume", "no-wait", "spread", "strict", "fields",
                     "sparse", "all", "year", "force", "upstream", "demo", "serve", "max-attempts", "max-wait",
                     "deadline", "concurrency", "rate", "no-cache", "no-batch", "log", "log-full-vin", "metrics",
                     "stats", "quiet", "ascii", "color", "theme", "mouse", "bell", "plain", "config", "help", "version"]:
            self.assertRegex(common, r"(?m)^ .*--%s\b" % name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
