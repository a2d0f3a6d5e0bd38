#!/bin/sh
# The real program, without a screen, against an upstream that sends raw bytes or is not there: each fault ends with one
# sentence for a person, a code and a reason for a program, the right exit status, and as many calls as were allowed.
#
#     net_raw.sh PROGRAM FOLDER-OF-TEST-PROGRAMS
set -u
program=$1
tools=$2
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY VINDECODE_UPSTREAM
export XDG_CONFIG_HOME=/nonexistent XDG_CACHE_HOME=/nonexistent
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
vin=1HGCM82633A004352
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check WHAT CONDITION...: counts, and shows what was found when the condition does not hold.
check() {
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: $*"
        sed 's/^/    /' "$work/out" "$work/err"
    fi
}

has() {
    grep -q -- "$1" "$work/out"
}

lacks() {
    ! grep -qi -- "$1" "$work/out" "$work/err"
}

# decode URL OPTION...: runs the program on one VIN; output, messages and status are kept.
decode() {
    url=$1
    shift
    "$program" --json --no-cache "$@" --upstream "$url" $vin >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

# outcome NAME STATUS CODE REASON: what every fault's object must have.
outcome() {
    check "$1: exit status $status" test "$status" -eq "$2"
    check "$1" has "\"code\":\"$3\""
    check "$1" has "\"reason\":\"$4\""
    check "$1" has '"message":"[^"]'
    check "$1" has '"result":null'
    check "$1" lacks 'invalid VIN'
    check "$1: one line" test "$(wc -l <"$work/out")" -eq 1
}

# upstream ARGUMENT...: starts the responder; its URL is in $url.
upstream() {
    rm -f "$work/end" "$work/upstream"
    mkfifo "$work/end"
    "$tools/raw_responder" "$@" <"$work/end" >"$work/upstream" &
    upstream_pid=$!
    exec 3>"$work/end"
    until [ -s "$work/upstream" ]; do
        kill -0 $upstream_pid || exit 1
        sleep 0.01
    done
    url=$(head -n 1 "$work/upstream")
}

# Ends the responder; the number of requests is in $requests.
end_upstream() {
    exec 3>&-
    wait $upstream_pid
    requests=$(sed -n 's/^connections .* requests //p' "$work/upstream")
}

# fault NAME STATUS CODE REASON FILE: one call, answered with the file.
fault() {
    upstream "$5"
    decode "$url/api" --max-attempts 1
    end_upstream
    outcome "$@"
    check "$1: one call" test "$requests" -eq 1
}

row="{\"ErrorCode\":\"0\",\"Make\":\"HONDA\",\"VIN\":\"$vin\"}"
json="HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
printf "${json}{\"Count\":1,\"Message\":\"\",\"SearchCriteria\":\"\",\"Results\":[$row]}" >"$work/good"
printf '220 mail.example ESMTP ready\r\n' >"$work/greeting"
printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html>hello</html>' >"$work/html"
printf "$json" >"$work/empty"
printf "${json}{\"Count\":1,\"Results\":[{\"Make\":\"HON" >"$work/cut"
printf 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"Count":1' >"$work/short"
printf 'HTTP/1.1 200 OK\r\nX: a\000b\r\nContent-Length: 2\r\n\r\n{}' >"$work/nul"
printf "${json}{\"Count\":1,\"Results\":[{\"ErrorCode\":\"0\",\"VIN\":\"5YJSA1DG9DFP14705\"}]}" >"$work/other"
printf 'HTTP/1.1 200 OK\r\nConte' >"$work/head.reset"
printf 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n' >"$work/moved"
printf 'HTTP/1.1 103 Early Hints\r\nRetry-After: 5\r\n\r\n' >"$work/early"
printf 'HTTP/1.1 429 Slow\r\nRetry-After: 120\r\nContent-Length: 900\r\n\r\n{"re' >"$work/throttle"
{
    printf "$json"
    dd if=/dev/zero bs=1048576 count=9 2>/dev/null | tr '\000' ' '
} >"$work/huge"
{
    printf 'HTTP/1.1 103 Early Hints\r\nRetry-After: 99\r\n\r\nHTTP/1.1 503 Busy\r\nRetry-After: 0\r\n'
    printf 'Transfer-Encoding: chunked\r\n\r\n0\r\nRetry-After: 88\r\n\r\n'
} >"$work/hints"

upstream "$work/good"
decode "$url/api"
end_upstream
check "a decode: exit status $status" test "$status" -eq 0
check "a decode" has '"status":"decoded"'

fault "not HTTP" 5 exhausted attempts "$work/greeting"
fault "a page" 5 exhausted attempts "$work/html"
fault "an empty body" 5 exhausted attempts "$work/empty"
fault "cut JSON" 5 exhausted attempts "$work/cut"
fault "a body that ends early" 5 exhausted attempts "$work/short"
fault "a NUL in a header line" 5 exhausted attempts "$work/nul"
fault "a reset" 5 exhausted attempts "$work/head.reset"
fault "another VIN's row" 5 bad_response wrong_vin "$work/other"
fault "9 MB" 5 bad_response too_large "$work/huge"
fault "a redirect" 5 bad_response unexpected_status "$work/moved"
fault "only an early hint" 5 bad_response unexpected_status "$work/early"
fault "a throttle whose body ends early" 4 upstream_throttle over_cap_retry_after "$work/throttle"

# A second unreadable answer ends it, well before the attempts are used up.
upstream "$work/html"
decode "$url/api"
end_upstream
outcome "two pages" 5 bad_response bad_body
check "two pages: two calls" test "$requests" -eq 2

# The wait is the final response's (0, so a quarter of a second), not the 1xx block's or the trailer's.
upstream "$work/hints" "$work/good"
decode "$url/api"
end_upstream
check "hints of other blocks: exit status $status" test "$status" -eq 0
check "hints of other blocks" has '"attempts":2'
check "hints of other blocks" has '"waited_ms":[1-9][0-9][0-9],'

# Nobody there. Port 1 of loopback needs the superuser to listen on it.
decode http://127.0.0.1:1/api --max-attempts 1
outcome "refused" 5 exhausted attempts
decode ftp://127.0.0.1/api
check "a scheme we do not speak: exit status $status" test "$status" -ne 0
check "a scheme we do not speak" lacks 'invalid VIN'

# Names. The preloaded getaddrinfo() answers, no name server is asked.
export LD_PRELOAD="$tools/libslow_getaddrinfo.so"
export SLOW_GETADDRINFO_ERROR=noname
decode http://upstream.invalid/api
outcome "no such host" 5 upstream_unavailable config_error
export SLOW_GETADDRINFO_ERROR=again
decode http://upstream.invalid/api --max-attempts 2
outcome "lookups that fail" 5 exhausted attempts
export SLOW_GETADDRINFO_MS=20000
before=$(date +%s)
decode http://upstream.invalid/api --max-attempts 1 --deadline 2
unset LD_PRELOAD
outcome "a lookup that hangs" 5 deadline deadline
check "a lookup that hangs: in time" test $(($(date +%s) - before)) -lt 10

echo "$passed passed, $failed failed"
test "$failed" -eq 0
