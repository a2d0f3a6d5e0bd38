"""Lists against upstreams that throttle: how many calls, how many of them refused or early, how long. Usage:
cli_quota.py PROGRAM"""
import threading
import unittest

from cli_support import SLOWNESS, Served, lines_of, measures, run, vins

SINGLE = ["--no-batch", "--rate", "1000/1", "--concurrency", "4"]
SCENARIOS = ["quota-ratelimit", "quota-structured", "quota-epoch", "quota-retry-after"]


def list_of_100(scenario, found):
    with Served(scenario) as server:
        result = run("--json", "-u", server.url, *SINGLE, "-f", "-", data="\n".join(vins(100)), timeout=120)
    found[scenario] = (server, result)


class Quota(unittest.TestCase):
    """20 calls per window of 5 s, whatever announces it: 100 calls take four whole windows and a bit."""

    @classmethod
    def setUpClass(cls):
        cls.found = {}
        threads = [threading.Thread(target=list_of_100, args=(scenario, cls.found)) for scenario in SCENARIOS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def complete(self, scenario):
        server, (status, output, errors) = self.found[scenario]
        print(server.counted(), end=" ")
        self.assertEqual((status, errors), (0, b""), output[-400:])
        self.assertEqual([line["vin"] for line in lines_of(output)], vins(100))
        self.assertEqual(server.early, 0)
        return server

    def announced(self, scenario):
        server = self.complete(scenario)
        self.assertEqual((server.calls, server.rejected), (100, 0))
        if measures("time"):
            self.assertLessEqual(server.span_ms, (1 + 0.10 * SLOWNESS) * 20000)

    def test_ratelimit(self):
        self.announced("quota-ratelimit")

    def test_structured(self):
        self.announced("quota-structured")

    def test_epoch(self):
        self.announced("quota-epoch")

    def test_retry_after_alone(self):
        self.assertLessEqual(self.complete("quota-retry-after").rejected, 16)


if __name__ == "__main__":
    unittest.main(verbosity=2)
