// Made by `npm run generate`. Edit the event's schema instead.
import { isObject } from "../json.ts";
import type { Check } from "../wire/check-shape.ts";
import { isMoment, isUuid } from "../wire/check-shape.ts";

function check0(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["data"];
  if (!(f0 !== undefined)) return false;
  const f1 = value["v"];
  if (f1 !== undefined && !((f1 === 1))) return false;
  const f2 = value["id"];
  if (f2 !== undefined && !(isUuid(f2))) return false;
  const f3 = value["from_peer"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1)) return false;
  const f4 = value["from_name"];
  if (f4 !== undefined && !(typeof f4 === "string" && f4.length >= 1)) return false;
  const f5 = value["ts_published"];
  if (f5 !== undefined && !(isMoment(f5))) return false;
  const f6 = value["schema"];
  if (f6 !== undefined && !(typeof f6 === "string" && f6.length >= 1)) return false;
  const f7 = value["correlation_id"];
  if (f7 !== undefined && !(((typeof f7 === "string" && f7.length >= 1 && f7.length <= 128) || (f7 === null)))) return false;
  const f8 = value["parent_id"];
  if (f8 !== undefined && !(((typeof f8 === "string" && f8.length >= 1) || (f8 === null)))) return false;
  const f9 = value["terminal_id"];
  if (f9 !== undefined && !(((typeof f9 === "string") || (f9 === null)))) return false;
  const f10 = value["ts_server"];
  if (f10 !== undefined && !(isMoment(f10))) return false;
  const f11 = value["sequence"];
  if (f11 !== undefined && !(typeof f11 === "number" && Number.isSafeInteger(f11) && f11 >= 0)) return false;
  return true;
}

function check1(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["blocking_resource"];
  if (f0 !== undefined && !(typeof f0 === "string" && f0.length >= 1)) return false;
  const f1 = value["retryable"];
  if (f1 !== undefined && !(typeof f1 === "boolean")) return false;
  return true;
}

function check2(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "BLOCKED"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["blocking_resource"];
  if (f4 !== undefined && !(typeof f4 === "string" && f4.length >= 1)) return false;
  const f5 = value["retryable"];
  if (f5 !== undefined && !(typeof f5 === "boolean")) return false;
  const f6 = value["data"];
  if (f6 !== undefined && !(check1(f6))) return false;
  return true;
}

function check3(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["id"];
  if (!(typeof f0 === "string" && f0.length >= 1)) return false;
  const f1 = value["label"];
  if (f1 !== undefined && !(typeof f1 === "string")) return false;
  const f2 = value["default"];
  if (f2 !== undefined && !(typeof f2 === "boolean")) return false;
  return true;
}

function check4(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["request_type"];
  if (f0 !== undefined && !(typeof f0 === "string" && f0.length >= 1)) return false;
  const f1 = value["options"];
  if (f1 !== undefined && !(Array.isArray(f1) && f1.length <= 1000 && f1.every(check3))) return false;
  return true;
}

function check5(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "REQUEST"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["request_type"];
  if (f4 !== undefined && !(typeof f4 === "string" && f4.length >= 1)) return false;
  const f5 = value["options"];
  if (f5 !== undefined && !(Array.isArray(f5) && f5.length <= 1000 && f5.every(check3))) return false;
  const f6 = value["data"];
  if (f6 !== undefined && !(check4(f6))) return false;
  return true;
}

function check6(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["path"];
  if (!(typeof f0 === "string" && f0.length >= 1)) return false;
  const f1 = value["type"];
  if (f1 !== undefined && !(typeof f1 === "string" && f1.length >= 1)) return false;
  const f2 = value["size_bytes"];
  if (f2 !== undefined && !(typeof f2 === "number" && Number.isFinite(f2) && f2 >= 0)) return false;
  return true;
}

function check7(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["artifacts"];
  if (f0 !== undefined && !(Array.isArray(f0) && f0.length <= 1000 && f0.every(check6))) return false;
  return true;
}

function check8(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "HARVEST"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["artifacts"];
  if (f4 !== undefined && !(Array.isArray(f4) && f4.length <= 1000 && f4.every(check6))) return false;
  const f5 = value["data"];
  if (f5 !== undefined && !(check7(f5))) return false;
  return true;
}

function check9(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["error_class"];
  if (f0 !== undefined && !(typeof f0 === "string" && f0.length >= 1)) return false;
  const f1 = value["retryable"];
  if (f1 !== undefined && !(typeof f1 === "boolean")) return false;
  const f2 = value["suggested_action"];
  if (f2 !== undefined && !(typeof f2 === "string")) return false;
  return true;
}

function check10(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "ERROR"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["error_class"];
  if (f4 !== undefined && !(typeof f4 === "string" && f4.length >= 1)) return false;
  const f5 = value["retryable"];
  if (f5 !== undefined && !(typeof f5 === "boolean")) return false;
  const f6 = value["suggested_action"];
  if (f6 !== undefined && !(typeof f6 === "string")) return false;
  const f7 = value["data"];
  if (f7 !== undefined && !(check9(f7))) return false;
  return true;
}

function check11(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["decision_id"];
  if (f0 !== undefined && !(typeof f0 === "string" && f0.length >= 1)) return false;
  const f1 = value["option_chosen"];
  if (f1 !== undefined && !(typeof f1 === "string" && f1.length >= 1)) return false;
  const f2 = value["reasoning"];
  if (f2 !== undefined && !(typeof f2 === "string")) return false;
  return true;
}

function check12(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "DECISION"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["decision_id"];
  if (f4 !== undefined && !(typeof f4 === "string" && f4.length >= 1)) return false;
  const f5 = value["option_chosen"];
  if (f5 !== undefined && !(typeof f5 === "string" && f5.length >= 1)) return false;
  const f6 = value["reasoning"];
  if (f6 !== undefined && !(typeof f6 === "string")) return false;
  const f7 = value["data"];
  if (f7 !== undefined && !(check11(f7))) return false;
  return true;
}

function check13(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["percent"];
  if (f0 !== undefined && !(typeof f0 === "number" && Number.isFinite(f0) && f0 >= 0)) return false;
  const f1 = value["current_step"];
  if (f1 !== undefined && !(typeof f1 === "number" && Number.isFinite(f1) && f1 >= 0)) return false;
  const f2 = value["total_steps"];
  if (f2 !== undefined && !(typeof f2 === "number" && Number.isFinite(f2) && f2 >= 0)) return false;
  const f3 = value["eta_ms"];
  if (f3 !== undefined && !(typeof f3 === "number" && Number.isFinite(f3) && f3 >= 0)) return false;
  return true;
}

function check14(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "PROGRESS"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["percent"];
  if (f4 !== undefined && !(typeof f4 === "number" && Number.isFinite(f4) && f4 >= 0)) return false;
  const f5 = value["current_step"];
  if (f5 !== undefined && !(typeof f5 === "number" && Number.isFinite(f5) && f5 >= 0)) return false;
  const f6 = value["total_steps"];
  if (f6 !== undefined && !(typeof f6 === "number" && Number.isFinite(f6) && f6 >= 0)) return false;
  const f7 = value["eta_ms"];
  if (f7 !== undefined && !(typeof f7 === "number" && Number.isFinite(f7) && f7 >= 0)) return false;
  const f8 = value["data"];
  if (f8 !== undefined && !(check13(f8))) return false;
  return true;
}

function check15(value: unknown): boolean {
  if (!isObject(value)) return false;
  return true;
}

function check16(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["kind"];
  if (!((f0 === "LOG"))) return false;
  const f1 = value["severity"];
  if (!((f1 === "info" || f1 === "warn" || f1 === "error" || f1 === "fatal"))) return false;
  const f2 = value["message"];
  if (!(typeof f2 === "string" && f2.length >= 1)) return false;
  const f3 = value["request_id"];
  if (f3 !== undefined && !(typeof f3 === "string" && f3.length >= 1 && f3.length <= 128)) return false;
  const f4 = value["data"];
  if (f4 !== undefined && !(check15(f4))) return false;
  return true;
}

function check17(value: unknown): boolean {
  if (!isObject(value)) return false;
  switch (value["kind"]) {
    case "BLOCKED":
      return check2(value);
    case "REQUEST":
      return check5(value);
    case "HARVEST":
      return check8(value);
    case "ERROR":
      return check10(value);
    case "DECISION":
      return check12(value);
    case "PROGRESS":
      return check14(value);
    case "LOG":
      return check16(value);
    default:
      return false;
  }
}

function check18(value: unknown): boolean {
  return typeof value === "string";
}

function check19(value: unknown): boolean {
  if (!isObject(value)) return false;
  const f0 = value["current_phase"];
  if (!((f0 === "PLAN" || f0 === "SPAWN" || f0 === "DEPLOY" || f0 === "OBSERVE" || f0 === "RECOVER" || f0 === "HARVEST" || f0 === "CLEANUP" || f0 === "REFLECT" || f0 === "FAILED"))) return false;
  const f1 = value["time_in_phase_ms"];
  if (!(typeof f1 === "number" && Number.isFinite(f1) && f1 >= 0)) return false;
  const f2 = value["tokens_used"];
  if (!(typeof f2 === "number" && Number.isFinite(f2) && f2 >= 0)) return false;
  const f3 = value["cost_usd"];
  if (!(typeof f3 === "number" && Number.isFinite(f3) && f3 >= 0)) return false;
  if (Object.keys(value).length === 4) return true;
  const f4 = value["cost_estimated"];
  if (f4 !== undefined && !(typeof f4 === "boolean")) return false;
  const f5 = value["last_event_id"];
  if (f5 !== undefined && !(((isUuid(f5)) || (f5 === null)))) return false;
  const f6 = value["active_sub_workers"];
  if (f6 !== undefined && !(Array.isArray(f6) && f6.length <= 1000 && f6.every(check18))) return false;
  const f7 = value["severity"];
  if (f7 !== undefined && !((f7 === "info" || f7 === "warn" || f7 === "error" || f7 === "fatal"))) return false;
  const f8 = value["message"];
  if (f8 !== undefined && !(typeof f8 === "string")) return false;
  const f9 = value["kind"];
  if (f9 !== undefined && !((f9 === "progress" || f9 === "heartbeat" || f9 === "approach" || f9 === "error" || f9 === "mission_complete" || f9 === "mission_failed"))) return false;
  const f10 = value["summary"];
  if (f10 !== undefined && !(typeof f10 === "string")) return false;
  const f11 = value["current_action"];
  if (f11 !== undefined && !(typeof f11 === "string")) return false;
  const f12 = value["permission_mode"];
  if (f12 !== undefined && !(typeof f12 === "string")) return false;
  const f13 = value["approach_detail"];
  if (f13 !== undefined && !(Array.isArray(f13) && f13.length <= 1000 && f13.every(check18))) return false;
  const f14 = value["error_detail"];
  if (f14 !== undefined && !(typeof f14 === "string")) return false;
  const f15 = value["correlation_id"];
  if (f15 !== undefined && !(typeof f15 === "string" && f15.length >= 1 && f15.length <= 128)) return false;
  const f16 = value["captured_at"];
  if (f16 !== undefined && !(isMoment(f16))) return false;
  const f17 = value["duration_ms"];
  if (f17 !== undefined && !(typeof f17 === "number" && Number.isFinite(f17) && f17 >= 0)) return false;
  const f18 = value["tokens_in"];
  if (f18 !== undefined && !(typeof f18 === "number" && Number.isFinite(f18) && f18 >= 0)) return false;
  const f19 = value["cache_read_tokens"];
  if (f19 !== undefined && !(typeof f19 === "number" && Number.isFinite(f19) && f19 >= 0)) return false;
  const f20 = value["cache_write_tokens"];
  if (f20 !== undefined && !(typeof f20 === "number" && Number.isFinite(f20) && f20 >= 0)) return false;
  const f21 = value["tokens_out"];
  if (f21 !== undefined && !(typeof f21 === "number" && Number.isFinite(f21) && f21 >= 0)) return false;
  const f22 = value["unknown_calls"];
  if (f22 !== undefined && !(typeof f22 === "number" && Number.isFinite(f22) && f22 >= 0)) return false;
  const f23 = value["unpriced_models"];
  if (f23 !== undefined && !(Array.isArray(f23) && f23.length <= 1000 && f23.every(check18))) return false;
  const f24 = value["model"];
  if (f24 !== undefined && !(typeof f24 === "string" && f24.length >= 1)) return false;
  const f25 = value["total_cost_usd"];
  if (f25 !== undefined && !(typeof f25 === "number" && Number.isFinite(f25) && f25 >= 0)) return false;
  const f26 = value["total_duration_ms"];
  if (f26 !== undefined && !(typeof f26 === "number" && Number.isFinite(f26) && f26 >= 0)) return false;
  const f27 = value["total_tool_calls"];
  if (f27 !== undefined && !(typeof f27 === "number" && Number.isFinite(f27) && f27 >= 0)) return false;
  return true;
}

export const isSentEnvelope: Check = check0;

export const isWorkerEvent: Check = check17;

export const isWorkerHeartbeat: Check = check19;

/** By the name of the schema. */
export const EVENT_CHECKS: ReadonlyMap<string, Check> = new Map([
  ["worker-event-v1", isWorkerEvent],
  ["worker-heartbeat-v1", isWorkerHeartbeat],
]);
