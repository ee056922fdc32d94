#!/bin/sh
# Process 1 of a container: init.sh COMMAND…
# Process 1 gets every process whose parent has ended, and has to ask for its end. Node asks for its own children only,
# so that such processes would stay as zombies. A shell that waits asks for the end of all.
# The signals of a container's end go to the command, and the command's exit code becomes the container's.
# A shell would take away the standard input of a command in the background, unless it is kept under another number.
exec 3<&0
"$@" <&3 3<&- &
command=$!
exec 0</dev/null 3<&-
for signal in HUP INT QUIT TERM; do
  trap "kill -$signal $command" $signal
done
# A signal interrupts the wait with a code over 128, while the command still runs.
while :; do
  wait $command
  code=$?
  [ $code -gt 128 ] && kill -0 $command 2>/dev/null || exit $code
done
