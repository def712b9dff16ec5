/**
 * What runs first inside: bash, trusted, from an argument. Its parameters are the soft limits, `--`, and the command. It
 * speaks with Tao over descriptor 7, which no command can reach:
 *
 * - `ready`, then it waits for `go`. Tao says it only when it knows which process to kill; without Tao nothing starts.
 * - `ended CODE LEFTOVERS`, when the command is over, what it left behind has been killed, and all that was written has
 *   been passed on. Then it waits to be killed.
 *
 * The command writes into pipes, not into Tao's sockets: a socket cannot be opened by name, so `> /dev/stderr` would fail.
 * What is still at work when the command has ended gets a moment to finish; what sleeps gets hardly any.
 *
 * What this shell itself has to say about a command that was killed is nobody's output, so it goes nowhere.
 *
 * Signals to the whole process group, as scripts send them at their end, must not take this shell or the pipes' readers.
 *
 * It ends every other process it can see, so it does nothing at all unless it stands where a sandbox puts it: second process
 * of a process namespace.
 */
export const INIT = `
[ $$ = 2 ] && [ $PPID = 1 ] || exit 125
umask 022
trap : HUP INT QUIT TERM USR1 USR2 ALRM
echo 1000 >/proc/self/oom_score_adj
for f in /proc/self/fd/*; do f=\${f##*/}; ((f > 2 && f != 7)) && eval "exec $f>&-"; done
printf 'ready\\n' >&7
read -r -u 7 word && [ "$word" = go ] || exit 125
cpu=$1 processes=$2 memory=$3 file=$4
shift 4
exec 3> >(trap '' HUP INT QUIT TERM USR1 USR2 ALRM; exec cat 2>/dev/null 7>&-); out=$!
exec 4> >(trap '' HUP INT QUIT TERM USR1 USR2 ALRM; exec cat >&2 2>/dev/null 3>&- 7>&-); err=$!
exec 2>/dev/null
(
  exec >&3 2>&4 3>&- 4>&- 7>&-
  for f in /proc/self/fd/*; do f=\${f##*/}; ((f > 2)) && eval "exec $f>&-"; done
  [ -f /run/stdin ] && exec </run/stdin
  unset f word out err SHLVL OLDPWD
  [[ $1 == */* ]] || type -P -- "$1" >/dev/null || { printf '%s: command not found\\n' "$1" >&2; exit 127; }
  ulimit -c 0; ulimit -n 1024; ulimit -f "$file"; ulimit -v "$memory"
  ulimit -S -t "$cpu"; ulimit -H -t "$((cpu + 2))"; ulimit -u "$processes"
  exec -- "$@"
)
code=$?
exec 1>&- 3>&- 4>&-
strangers() {
  local p line
  found= busy=0
  for p in /proc/[0-9]*; do
    p=\${p##*/}
    case $p in 1 | $$ | $out | $err) continue ;; esac
    read -r line 2>/dev/null <"/proc/$p/stat" || continue
    case \${line##*) } in Z* | X*) ;; R* | D*) found="$found $p" busy=1 ;; *) found="$found $p" ;; esac
  done
  [ -n "$found" ]
}
left=0
idle=0 waits=0
while strangers && ((idle < 4 && waits < 40)); do ((waits += 1, idle += 1 - busy)); read -r -t 0.01 -u 7 word; done
if [ -n "$found" ]; then
  left=1
  for try in 1 2 3 4 5; do strangers || break; kill -KILL $found; done
fi
wait "$out" "$err"
for p in $out $err; do while [ -e "/proc/$p/exe" ]; do read -r -t 0.002 -u 7 word; done; done
printf 'ended %s %s\\n' "$code" "$left" >&7
read -r -u 7 word
exit "$code"
`
