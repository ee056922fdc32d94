import { testLead } from "./lead-test.ts";

testLead("claude");
testLead("codex");
