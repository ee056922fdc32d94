import type { RunItem, RunReader, StreamMessage } from "../../harness/index.ts";
import { createRunReader, HARNESSES, watchDialect } from "../../harness/index.ts";
import type { VerbInput } from "claw-contract";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { Recording } from "./recording.ts";
import { openRecording } from "./recording.ts";
import { showRecording } from "./recording-report.ts";
import { answerRun, passesOn } from "./run-answer.ts";

type Input = VerbInput<"parse-stream">;

function openReader(
  { harness, subject, noHangHeuristic }: Input,
  { redactor }: Ports,
  { spool }: Recording,
): RunReader {
  return createRunReader(HARNESSES[harness], {
    ...(subject === undefined ? {} : { subject }),
    hangHeuristic: !noHangHeuristic,
    redactor,
    spool,
  });
}

/** Reads to the end, by pieces of the recording. */
async function* readAll(reader: RunReader, recording: Recording): AsyncGenerator<readonly RunItem[]> {
  for await (const chunk of recording.chunks()) yield reader.push(chunk);
  yield reader.end();
}

/** Yields the lines of `stream-json` when the caller wants a stream. Warns when the recording is of another agent. */
async function* followRecording(
  reader: RunReader,
  recording: Recording,
  input: Input,
  ports: Ports,
): AsyncGenerator<StreamMessage> {
  const watch = watchDialect(input.harness);
  const wanted = passesOn(ports);
  for await (const items of readAll(reader, recording)) {
    for (const { native, messages } of items) {
      watch.note(native);
      if (wanted) yield* messages;
    }
  }
  const warning = watch.warning();
  if (warning !== undefined) ports.notes.warn(warning);
}

async function* run(input: Input, ports: Ports): VerbStream<"parse-stream"> {
  const recording = openRecording(input.file, ports);
  try {
    const reader = openReader(input, ports, recording);
    yield* followRecording(reader, recording, input, ports);
    const { exitCode } = input;
    const result = reader.finish({ exitCode, signal: null, stderr: "", ended: "by-itself", durationMs: 0 });
    return answerRun(result, ports, recording.spool);
  } finally {
    recording.close();
  }
}

export const handler = handle("parse-stream", {
  run,
  showItem: (item) => JSON.stringify(item),
  show: ({ result }, paint) => showRecording(result, paint),
});
