import type { RunReader, StreamMessage } from "../harness/index.ts";
import { createRunReader, HARNESSES } from "../harness/index.ts";
import type { VerbInput } from "@claw/contract";
import type { Ports, VerbStream } from "./handle.ts";
import { handle } from "./handle.ts";
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

/** Reads to the end; yields what `stream-json` prints, if anybody wants it. */
async function* readAll(reader: RunReader, recording: Recording, wanted: boolean): AsyncGenerator<StreamMessage> {
  for await (const chunk of recording.chunks()) {
    const items = reader.push(chunk);
    if (wanted) for (const { messages } of items) yield* messages;
  }
  const rest = reader.end();
  if (wanted) for (const { messages } of rest) yield* messages;
}

async function* run(input: Input, ports: Ports): VerbStream<"parse-stream"> {
  const recording = openRecording(input.file, ports);
  try {
    const reader = openReader(input, ports, recording);
    yield* readAll(reader, recording, passesOn(ports));
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
