import { testLead } from "./lead-test.ts";

testLead("gemini");
testLead("opencode");
