"""How three clients behave under the same quota: 100 VINs, four at once, 20 calls per window of 5 s. What counts is how many
calls were refused, how many came although a wait that had been announced was still running ("early"), and how long it
took over the ideal of four whole windows. Prints a table. Usage: list_comparison.py PROGRAM [FAMILY]..."""
import concurrent.futures
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from cli_support import ENVIRONMENT, PROGRAM, Folder, Served, lines_of, run, vins  # noqa: E402

COUNT, AT_ONCE, IDEAL_MS, RETRIES = 100, 4, 20000, 10
FAMILIES = {
    "RateLimit-*": "quota-ratelimit",
    "RateLimit (structured)": "quota-structured",
    "X-RateLimit-* (epoch)": "quota-epoch",
    "Retry-After on 429": "quota-retry-after",
}


def urls(base):
    return ["%s/vehicles/DecodeVinValues/%s?format=json" % (base, vin) for vin in vins(COUNT)]


def with_vindecode(base):
    _, output, _ = run("--json", "-u", base, "--no-batch", "--rate", "1000/1", "--concurrency", str(AT_ONCE), "-f", "-",
                       data="\n".join(vins(COUNT)), timeout=300)
    return sum(line["status"] == "decoded" for line in lines_of(output))


def with_curl(base):
    """curl's own retry: it honours Retry-After, and doubles its delay without one."""
    with Folder() as name:
        path = os.path.join(name, "urls")
        with open(path, "w") as file:
            for url in urls(base):
                file.write('url = "%s"\noutput = "/dev/null"\n' % url)
        done = subprocess.run(["curl", "-q", "-s", "--fail", "--retry", str(RETRIES), "--parallel", "--parallel-max",
                               str(AT_ONCE), "-w", "%{http_code}\n", "-K", path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    return done.stdout.split().count(b"200")


def with_requests(base):
    """Python's usual way: a session with urllib3's Retry, which honours Retry-After too."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry

    session = requests.Session()
    session.trust_env = False
    session.mount("http://", HTTPAdapter(pool_maxsize=AT_ONCE, max_retries=Retry(
        total=RETRIES, backoff_factor=0.5, status_forcelist=[429, 502, 503, 504])))

    def fetch(url):
        try:
            return session.get(url).status_code == 200
        except requests.RequestException:
            return False

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(pool.map(fetch, urls(base)))


CLIENTS = {"vindecode": with_vindecode, "curl --retry": with_curl, "requests + urllib3 Retry": with_requests}


def measure(family, client):
    with Served(FAMILIES[family]) as server:
        decoded = CLIENTS[client](server.url)
    return (family, client, decoded, server.calls, server.rejected, server.early, server.span_ms / IDEAL_MS)


wanted = sys.argv[1:] or list(FAMILIES)
print("| announced by | client | decoded | calls | rejected | early | span over ideal |")
print("|---|---|---|---|---|---|---|")
with concurrent.futures.ThreadPoolExecutor(len(wanted)) as pool:
    results = [row for client in CLIENTS for row in pool.map(measure, wanted, [client] * len(wanted))]
for family in wanted:
    for row in results:
        if row[0] == family:
            print("| %s | %s | %d of %d | %d | %d | %d | %.2f |" % (row[0], row[1], row[2], COUNT, *row[3:]))
