import { HAND_OVER } from './network.ts'
import type { SandboxLimits } from './sandbox.ts'

/**
 * What runs first inside: bash, trusted, from an argument. It speaks with Tao over descriptor 7, which no command can reach:
 *
 * - `ready`, then it waits for its order. Tao gives it only when it knows which process to kill; without Tao, or with half
 *   an order, nothing starts.
 * - `ended CODE LEFTOVERS`, when the command is over and what it left behind has been killed. All that was written has been
 *   passed on when both streams end. Then it waits to be killed: its end would be that of the streams' readers, and Tao can
 *   look for the cause of a failure. It takes one order and no second one.
 *
 * The command reads from and writes to pipes, not Tao's sockets: a socket cannot be opened by name, so `> /dev/stderr` would
 * fail. They are made before the order comes, and so is the process that becomes the command: a sandbox may wait for it.
 *
 * Whatever the command left behind has become a child of the namespace's first process, so mostly one look is enough.
 *
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
${HAND_OVER}
for f in /proc/self/fd/*; do f=\${f##*/}; ((f > 2 && f != 7 && (f < 11 || f > 13))) && eval "exec $f>&-"; done
exec 5<&11 11<&-
exec 3> >(trap '' HUP INT QUIT TERM USR1 USR2 ALRM; LC_ALL=C exec cat >&12 2>/dev/null 5<&- 7>&- 12>&- 13>&-); out=$!
exec 4> >(trap '' HUP INT QUIT TERM USR1 USR2 ALRM; LC_ALL=C exec cat >&13 2>/dev/null 3>&- 5<&- 7>&- 12>&- 13>&-); err=$!
exec 12>&- 13>&-
exec 6< <(trap '' HUP INT QUIT TERM USR1 USR2 ALRM; LC_ALL=C exec cat <&5 2>/dev/null 3>&- 4>&- 5<&- 7>&-); input=$!
exec 2>/dev/null 5<&-
(
  exec >&3 2>&4 3>&- 4>&-
  for f in /proc/self/fd/*; do f=\${f##*/}; ((f > 2 && f != 6 && f != 7)) && eval "exec $f>&-"; done
  unset SHLVL OLDPWD
  printf 'ready\\n' >&7
  mapfile -d '' -t -n 7 -u 7 order
  [ "\${order[0]}" = go ] || exit 125
  mapfile -d '' -t -n "\${order[1]}" -u 7 words
  [ "\${#words[@]}" = "\${order[1]}" ] && [ "\${words[-1]}" = end ] || exit 125
  unset 'words[-1]'
  if [ "\${order[6]}" = stdin ]; then exec <&6; else exec </dev/null; fi
  exec 6<&- 7>&-
  [[ \${words[0]} == */* ]] || type -P -- "\${words[0]}" >/dev/null ||
    { printf '%s: command not found\\n' "\${words[0]}" >&2; exit 127; }
  ulimit -c 0; ulimit -n 1024; ulimit -f "\${order[5]}"; ulimit -v "\${order[4]}"
  ulimit -S -t "\${order[2]}"; ulimit -H -t "$((order[2] + 2))"; ulimit -u "\${order[3]}"
  exec -- "\${words[@]}"
)
code=$?
exec 1>&- 3>&- 4>&- 6<&-
kill -KILL "$input"
strangers() {
  local p line=
  found= busy=0
  read -r line 2>/dev/null </proc/1/task/1/children
  [ "\${line% }" = 2 ] && return 1
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
printf 'ended %s %s\\n' "$code" "$left" >&7
read -r -u 7 word
exit "$code"
`

/** The order that lets a command go, as the shell above reads it. Its last word says that all of it has arrived. */
export function orderFor(argv: readonly string[], limits: SandboxLimits, hasInput: boolean): string {
  const { cpuTime, processes, memory, fileSize } = limits
  // In the units of bash's ulimit: seconds, a number, twice 1024 bytes.
  const bounds = [cpuTime, processes, memory / 1024, fileSize / 1024].map((value) => Math.max(1, Math.ceil(value)))
  const head = ['go', argv.length + 1, ...bounds, hasInput ? 'stdin' : 'none']
  return [...head, ...argv, 'end'].map((word) => `${word}\0`).join('')
}
