import { answerApproval, showAnswer } from "./answer-approval.ts";
import { handle } from "../../runtime/handle.ts";

export const handler = handle("approve", {
  run: (input, ports) => answerApproval({ ...input, decision: "approve" }, ports),
  show: showAnswer,
});
