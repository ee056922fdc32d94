import { answerApproval, showAnswer } from "./answer-approval.ts";
import { handle } from "../../runtime/handle.ts";

export const handler = handle("reject", {
  run: (input, ports) => answerApproval({ ...input, decision: "reject" }, ports),
  show: showAnswer,
});
