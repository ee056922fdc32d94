#!/bin/sh
# Process 1 of a container: init.sh COMMAND…
# Process 1 gets every process whose parent has ended, and has to ask for its end. Node asks for its own children only,
# so that such processes would stay as zombies. A shell that waits asks for the end of all.
# The signals of a container's end go to the command, and the command's exit code becomes the container's. A daemon is
# stopped with its workers, so that each of them can report: without the container, none of them goes on.

# Tenths of a second that processes get to end after the command.
patience=50

program=$1
stopper=
case "$2" in up) is_daemon=yes ;; *) is_daemon= ;; esac

# A shell would take away the standard input of a command in the background, unless it is kept under another number.
exec 3<&0
"$@" <&3 3<&- &
command=$!
exec 0</dev/null 3<&-

# The first signal lets the workers of a daemon report; a further one ends the daemon at once.
stop() {
  if [ -n "$is_daemon" ]; then
    is_daemon=
    { "$program" down --abort; kill -TERM "$command" 2>/dev/null; } &
    stopper=$!
  else
    kill -"$1" "$command" 2>/dev/null
  fi
}
for signal in HUP INT QUIT TERM; do
  trap "stop $signal" $signal
done

# A signal interrupts the wait with a code over 128, while the command still runs.
while :; do
  wait "$command"
  code=$?
  [ $code -gt 128 ] && kill -0 "$command" 2>/dev/null || break
done

# The daemon ends a moment before the stop has said which workers it stopped.
[ -n "$stopper" ] && wait "$stopper"

# What the command left, such as terminals, is asked to end. As process 1, -1 means all others.
if [ $$ -eq 1 ]; then
  kill -TERM -1 2>/dev/null
  while [ $patience -gt 0 ] && kill -0 -1 2>/dev/null; do
    sleep 0.1
    patience=$((patience - 1))
  done
fi
exit $code
