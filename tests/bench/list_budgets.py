"""What a list and a single VIN cost, beside curl in the same run against the same simulated NHTSA. Prints both, and ends
with 1 when a budget is missed. Usage: list_budgets.py PROGRAM [--assert]"""
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from cli_support import ENVIRONMENT, FAST, GOOD, PROGRAM, Folder, Served, vins  # noqa: E402

AT_ONCE = 5
missed = []


def budget(what, found, wanted, at_least):
    good = found >= wanted if at_least else found <= wanted
    print("  %-58s %8.2f  (%s %.2f)%s" % (what, found, "at least" if at_least else "at most", wanted,
                                         "" if good else "  MISSED"))
    if not good:
        missed.append(what)


def seconds(*command):
    with open(os.devnull, "wb") as nowhere:
        started = time.monotonic()
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=nowhere, env=ENVIRONMENT, check=True)
        return time.monotonic() - started


def alternately(rounds, best, *commands):
    """How long each takes, measured in turn: the best of all rounds, what else the machine does disturbs it least; or the
    median."""
    times = [[seconds(*command) for command in commands] for _ in range(rounds)]
    return [best(column) for column in zip(*times)]


def curl_list(folder, url, some):
    with open(folder.file("urls"), "w") as file:
        for vin in some:
            file.write('url = "%s/vehicles/DecodeVinValues/%s?format=json"\noutput = "/dev/null"\n' % (url, vin))
    return ["curl", "-q", "-s", "-S", "--no-progress-meter", "--parallel", "--parallel-max", str(AT_ONCE), "-K", folder.file("urls")]


def list_of(folder, url, some, *options):
    """The command; its list is written now."""
    path = folder.file("list%d" % len(some), "".join(vin + "\n" for vin in some))
    return [PROGRAM, "--json", "-q", "-u", url, *FAST, "--concurrency", str(AT_ONCE), *options, "-f", path]


def throughput(folder, at_once):
    with Served(at_once) as server:
        some = vins(10000)
        print("%d VINs at full speed, %d calls at once" % (len(some), AT_ONCE))
        ours, curls, groups = alternately(9, min, list_of(folder, server.url, some, "--no-batch"),
                                          curl_list(folder, server.url, some),
                                          list_of(folder, server.url, some))
    print("  vindecode %.0f a second, curl --parallel %.0f, group calls %.0f VINs a second" % (
        len(some) / ours, len(some) / curls, len(some) / groups))
    budget("single calls a second, of curl's", curls / ours, 0.9, True)
    budget("VINs a second by group calls, of single calls", ours / groups, 3, True)


def far_away(folder):
    with Served("answers-20ms") as server:
        print("each answer takes 20 ms")
        some = vins(2000)
        single, groups = alternately(3, min, list_of(folder, server.url, some, "--no-batch"),
                                     list_of(folder, server.url, some))
    print("  single calls %.0f, group calls %.0f VINs a second" % (len(some) / single, len(some) / groups))
    budget("VINs a second by group calls, of single calls", single / groups, 20, True)


def one_vin(at_once):
    with Served(at_once) as server:
        url = "%s/vehicles/DecodeVinValues/%s?format=json" % (server.url, GOOD)
        ours, curls = alternately(21, statistics.median, [PROGRAM, "--json", "-u", server.url, GOOD], ["curl", "-q", "-s", url])
    print("one VIN: vindecode %.1f ms, curl -s %.1f ms" % (ours * 1000, curls * 1000))
    budget("wall time of one VIN, of curl's", ours / curls, 1.15, False)


folder = Folder()
scenario = folder.scenario()
throughput(folder, scenario)
far_away(folder)
one_vin(scenario)
folder.cleanup()
sys.exit(1 if missed and "--assert" in sys.argv else 0)
