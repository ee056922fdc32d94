import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { defineCommand, said } from "../../command.ts";

export const doctorCommand = defineCommand({
  name: "doctor",
  responsibility: "Checks what claw needs on this machine and in this folder.",
  run: async (_words, { call, show }) => {
    try {
      return said((await call("doctor", {})).text);
    } catch (error) {
      // All checks ran; the error only says that some checks failed.
      if (!(error instanceof ClawError) || error.code !== "DOCTOR_FAILED") throw error;
      return said(await show("doctor", error.options.partial as VerbOutput<"doctor">));
    }
  },
});
