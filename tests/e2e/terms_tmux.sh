#!/bin/bash
# The program in tmux, as each kind of terminal: what a person sees is captured and compared with terms/*.txt.
#   terms_tmux.sh PROGRAM             compares
#   terms_tmux.sh PROGRAM --update    writes the files anew
set -u
export LC_ALL=C.UTF-8 # tmux itself draws lines only in a UTF-8 locale
program=$1 update=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
command -v tmux >/dev/null || { echo "tmux is not installed: skipped"; exit 77; }
folder=$(mktemp -d /tmp/vindecode-tmux-XXXXXX)
failed=0 passed=0

tm() { env -u TMUX tmux -S "$folder/socket" -f /dev/null "$@"; }
end() { tm kill-server 2>/dev/null; rm -rf "$folder"; }
trap end EXIT

miss() { echo "$1"; failed=$((failed + 1)); }

# await TEXT: until the screen shows it.
await() {
    for _ in $(seq 1 "${TEST_PATIENCE:-200}"); do
        tm capture-pane -p -t vin 2>/dev/null | grep -qF -- "$1" && return 0
        sleep 0.05
    done
    miss "$kind: \"$1\" does not appear; the screen is"
    tm capture-pane -p -t vin
    return 1
}

# The time of day is no part of the picture.
capture() { tm capture-pane -p -t vin | sed -E 's/[0-9]{2}:[0-9]{2}:[0-9]{2}/HH:MM:SS/g; s/ +$//'; }

compare() { # NAME FILE
    if [ -n "$update" ]; then
        capture >"$here/terms/$2"
        passed=$((passed + 1))
    elif capture | diff "$here/terms/$2" - >"$folder/difference"; then
        passed=$((passed + 1))
    else
        miss "$1 differs from terms/$2:"
        cat "$folder/difference"
    fi
}

# look_at TERM LANG FILE: the field, an answer, Home and End, and the shell after the end.
look_at() {
    kind="$1 $2"
    tm new-session -d -s vin -x 80 -y 24 "env PS1='shell% ' bash --norc --noprofile -i"
    await "shell%" || return
    tm set-option -t vin set-titles off >/dev/null
    tm select-pane -t vin -T before
    tm send-keys -t vin "clear; TERM=$1 LC_ALL=$2 $program --demo=calm" Enter
    await "F10 " || return
    tm send-keys -t vin 1HGCM82633A004352 Enter
    await "Vehicle 1HGCM82633A004352" || return
    compare "$kind" "$3"
    tm send-keys -t vin Home
    sleep 0.1
    column=$(tm display-message -p -t vin '#{cursor_x}')
    [ "$column" = 4 ] || miss "$kind: after Home the cursor stands in column $column"
    tm send-keys -t vin End
    sleep 0.1
    column=$(tm display-message -p -t vin '#{cursor_x}')
    [ "$column" = 21 ] || miss "$kind: after End the cursor stands in column $column"
    title=$(tm display-message -p -t vin '#{pane_title}')
    case $1 in
    linux | vt100) [ "$title" = before ] || miss "$kind: the title is \"$title\"" ;;
    *) [[ $title == vindecode*Decoded ]] || miss "$kind: the title is \"$title\"" ;;
    esac
    tm send-keys -t vin C-q
    await "shell%" || return
    [ "$(tm display-message -p -t vin '#{alternate_on}')" = 0 ] || miss "$kind: the alternate screen is still on"
    title=$(tm display-message -p -t vin '#{pane_title}')
    [ "$title" = before ] || miss "$kind: the title is left as \"$title\""
    tm kill-session -t vin
}

for term in xterm-256color screen screen-256color tmux-256color linux vt100; do
    look_at "$term" C.UTF-8 utf8.txt
    tm kill-session -t vin 2>/dev/null
done
for term in xterm-256color screen vt100; do
    look_at "$term" C ascii.txt
    tm kill-session -t vin 2>/dev/null
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
