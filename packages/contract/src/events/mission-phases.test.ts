import { describe, expect, test } from "vitest";
import { isMissionPhase, MISSION_PHASES, MISSION_TRANSITIONS } from "./mission-phases.ts";

/** As clients of the wire know it. */
const TABLE = {
  "SESSION-BOOT": ["PLAN", "FAILED"],
  PLAN: ["SPAWN", "FAILED"],
  SPAWN: ["DEPLOY", "RECOVER", "FAILED"],
  DEPLOY: ["OBSERVE", "RECOVER", "FAILED"],
  OBSERVE: ["HARVEST", "RECOVER", "FAILED"],
  RECOVER: ["DEPLOY", "OBSERVE", "FAILED"],
  HARVEST: ["CLEANUP", "FAILED"],
  CLEANUP: ["REFLECT", "FAILED"],
  REFLECT: ["PLAN", "SESSION-END"],
  FAILED: ["CLEANUP", "SESSION-END"],
  "SESSION-END": [],
};

describe("phases of a mission", () => {
  test("go where clients of the wire expect it", () => {
    expect(MISSION_TRANSITIONS).toEqual(TABLE);
    expect(MISSION_PHASES.toSorted()).toEqual(Object.keys(TABLE).toSorted());
  });

  test("are their exact names", () => {
    expect(MISSION_PHASES.every(isMissionPhase)).toBe(true);
    expect(["SESSION_END", "plan", null, 1].filter(isMissionPhase)).toEqual([]);
  });
});
