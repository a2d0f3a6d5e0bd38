"""The same quotas against a real server: nginx in front of the simulated NHTSA, with its own limits or handing on what the
upstream announces. Usage: nginx_quota.py PROGRAM"""
import os
import shutil
import socket
import subprocess
import threading
import time
import unittest

from cli_support import SLOWNESS, Folder, Served, lines_of, measures, run, vins

NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/sbin")
SINGLE = ["--no-batch", "--rate", "1000/1", "--concurrency", "4"]

CONFIGURATION = """
daemon off; worker_processes 1; pid %(folder)s/pid; error_log %(folder)s/errors;
events { worker_connections 256; }
http {
    log_format calls '$msec $request_time $status $sent_http_retry_after';
    access_log %(folder)s/calls calls;
    client_body_temp_path %(folder)s/body; proxy_temp_path %(folder)s/proxy; fastcgi_temp_path %(folder)s/fastcgi;
    uwsgi_temp_path %(folder)s/uwsgi; scgi_temp_path %(folder)s/scgi;
    limit_req_zone $binary_remote_addr zone=calls:1m rate=4r/s;
    limit_conn_zone $binary_remote_addr zone=open:1m;
    limit_req_status 429; limit_conn_status 429;
    upstream nhtsa { server 127.0.0.1:%(upstream)d; keepalive 8; }
    server {
        listen 127.0.0.1:%(port)d;
        location / {
            %(limits)s
            proxy_pass http://nhtsa; proxy_http_version 1.1; proxy_set_header Connection "";
        }
        location @limited { add_header Retry-After %(retry_after)d always; return 429; }
    }
}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nginx:
    """nginx on loopback in front of a served scenario, until the end of the block; then `calls` holds the time, the
    status and the Retry-After of each."""

    def __init__(self, scenario, limits="", retry_after=1):
        self.scenario, self.limits, self.retry_after = scenario, limits, retry_after

    def start(self):
        """Another program may take the port first: then with the next one."""
        for _ in range(5):
            port = free_port()
            with open(self.folder.file("nginx.conf"), "w") as file:
                file.write(CONFIGURATION % {"folder": self.folder.name, "port": port, "limits": self.limits,
                                            "upstream": self.served.port, "retry_after": self.retry_after})
            self.server = subprocess.Popen([NGINX, "-p", self.folder.name, "-c", self.folder.file("nginx.conf")],
                                           stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 10 * SLOWNESS
            while time.monotonic() < until and self.server.poll() is None:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        return "http://127.0.0.1:%d/api" % port
                time.sleep(0.02)
        raise AssertionError("nginx does not start: " + self.folder.read("errors").decode())

    def __enter__(self):
        self.folder = Folder()
        os.chmod(self.folder.name, 0o777)  # nginx's workers are somebody else when it is started by root
        self.served = Served(self.scenario)
        self.served.__enter__()
        self.url = self.start()
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(timeout=20 * SLOWNESS)
        self.served.__exit__()
        self.calls = []
        for line in self.folder.read("calls").decode().splitlines():
            ended, took, status, retry_after = line.split()
            began = float(ended) - float(took)
            self.calls.append((began, int(status), 0 if retry_after == "-" else int(retry_after)))
        self.calls.sort()
        self.folder.cleanup()

    def rejected(self):
        return [call for call in self.calls if call[1] == 429]

    def early(self):
        """Calls that came while an announced wait was still running. Those that were under way when it was announced are
        none: they come within the same moment."""
        return [call for call in self.calls for at, _, wait in self.rejected()
                if at + 0.05 * SLOWNESS < call[0] < at + wait - 0.01]

    def span(self):
        return self.calls[-1][0] - self.calls[0][0]


@unittest.skipUnless(NGINX, "nginx is not installed")
class HandedOn(unittest.TestCase):
    """What the upstream announces, through nginx: 20 calls per window of 5 s."""

    def list_of_100(self, scenario):
        with Nginx(scenario) as nginx:
            self.results[scenario] = run("--json", "-u", nginx.url, *SINGLE, "-f", "-", data="\n".join(vins(100)),
                                         timeout=120)
        self.servers[scenario] = nginx

    def test_announced(self):
        self.results, self.servers = {}, {}
        scenarios = ["quota-ratelimit", "quota-structured", "quota-epoch"]
        threads = [threading.Thread(target=self.list_of_100, args=(scenario,)) for scenario in scenarios]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for scenario in scenarios:
            status, output, errors = self.results[scenario]
            served = self.servers[scenario].served
            print("%s: %s;" % (scenario, served.counted()), end=" ")
            self.assertEqual((status, errors), (0, b""), output[-400:])
            self.assertEqual([line["vin"] for line in lines_of(output)], vins(100))
            self.assertEqual((served.calls, served.rejected, served.early), (100, 0, 0))
            if measures("time"):
                self.assertLessEqual(served.span_ms, (1 + 0.10 * SLOWNESS) * 20000)


@unittest.skipUnless(NGINX, "nginx is not installed")
class OwnLimits(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)

    def judge(self, nginx, most_rejected):
        print("%d calls, %d rejected, %d early, span %.2f s" % (
            len(nginx.calls), len(nginx.rejected()), len(nginx.early()), nginx.span()), end=" ")
        self.assertEqual(nginx.early(), [])
        self.assertGreater(len(nginx.rejected()), 0, "the limit was never met")
        self.assertLessEqual(len(nginx.rejected()), most_rejected)

    def test_limit_req(self):
        """4 a second and 20 at once: a refusal asks for 5 s, and after these 20 fit again."""
        limits = "limit_req zone=calls burst=19 nodelay; error_page 429 = @limited;"
        with Nginx(self.folder.scenario(), limits, retry_after=5) as nginx:
            status, output, errors = run("--json", "-u", nginx.url, *SINGLE, "-f", "-", data="\n".join(vins(100)),
                                         timeout=120)
        self.judge(nginx, 16)
        self.assertEqual((status, errors), (0, b""), output[-400:])
        self.assertEqual([line["vin"] for line in lines_of(output)], vins(100))
        if measures("time"):
            self.assertLessEqual(nginx.span(), (1 + 0.15 * SLOWNESS) * 20)

    def test_limit_conn(self):
        """One call at once, and four leave together."""
        limits = "limit_conn open 1; error_page 429 = @limited;"
        with Nginx(self.folder.scenario({"delay_ms": [100, 100]}), limits, retry_after=2) as nginx:
            status, output, errors = run("--json", "-u", nginx.url, *SINGLE, "-f", "-", data="\n".join(vins(8)),
                                         timeout=120)
        lines = lines_of(output)
        self.judge(nginx, 24)
        self.assertEqual([line["vin"] for line in lines], vins(8))
        self.assertIn(status, (0, 4), output[-400:])
        self.assertEqual({line["status"] for line in lines} - {"decoded", "throttled"}, set())

    def test_limit_req_that_names_no_time(self):
        """A refusal without a word about the time: nothing leaves for our own 30 s."""
        limits = "limit_req zone=calls burst=4 nodelay;"
        with Nginx(self.folder.scenario(), limits) as nginx:
            status, output, errors = run("--json", "-u", nginx.url, *SINGLE, "--no-wait", "-f", "-",
                                         data="\n".join(vins(100)), timeout=120)
        lines = lines_of(output)
        self.assertEqual(status, 4)
        self.assertLessEqual(len(nginx.rejected()), 4)
        self.assertEqual({line["status"] for line in lines}, {"decoded", "throttled"})
        self.assertIn(b"gave no time", errors)


if __name__ == "__main__":
    unittest.main(verbosity=2)
