// Made by `npm run generate`. Edit the contract of the request or the schema of the event instead.
import type { SharedShapes } from "../wire/short-shape.ts";

/** Shapes that several of these events share. */
export const SHARED_OTHER_SHAPES: SharedShapes = {
  pieces: [":t1,","system.","ts:m}","terminal","peer","worker","ed {","lifecycle.","command","correlation_id","reason",":w0,"],
  shapes: [
    "=orchestrator/+/observer",
    "=workspace/day/fleet/+/run",
    "=usd/tokens",
    "[]-1000",
    "{usd?n0,tokens?n0,run?{usd?n0,tokens?n0}}|0",
    "=alert/nudge/restart",
    "=starting/working/needs_input/blocked/rate_limited/stale/hung/paused/unknown/finished/aborted/failed/gone",
    "{)Id!by!^?,'",
    "=approve/reject",
    "=PROVISIONING/BOOTING/READY/BUSY/IDLE/CLOSING/CLOSED",
    "{(_id!'",
    "=source/sink",
    "=active/degraded/closed",
    "[{stepId!role:#11,(Id!state:#12}]-1000",
    "=SESSION-BOOT/PLAN/SPAWN/DEPLOY/OBSERVE/RECOVER/HARVEST/CLEANUP/REFLECT/FAILED/SESSION-END",
    "=spawned/completed/failed/timeout/closed/terminated",
    "=ok/failed/partial",
  ],
};

/** The events of the other namespaces. */
export const OTHER_EVENTS = `$).join;)Id!role:#0,)Name!'
$).connect;)_id!@!)_name!role:#0,'
$).left {)Id!role:#0,^:=clean/crash/timeout}
$).stale {)Id!last_seen:n0,missed_heartbeats:n0}
$heartbeat {uptimeMs:n0,)s~(s:w0}
$metrics {publishRate_per_sec:n0,queueDepth~)Count~eventLogLastSeq~uptimeMs:n0,'
$).metrics.* {)Id!)Name,droppedFrames~rateLimitHits~publishCount~'
$gate.fir;tool!^!)Id!topic?t1}
$budget.warning {current_usd:n0,threshold_usd:n0,scope?#1,id?T1,unit?#2,spent?n0,threshold?n0,limit?n0}
$malformed.receiv;from!topic!error:a}
$broadcast {text!targetRole?t1,inject?b}
$>.held {targetPeerId!(Id!>Id!sequence~^!'
$>.* {targetPeerId!cmdTopic!from!ts:m,idempotencyKey?t1,>Id?t1,sequence?w0,route?=bus/input/(|0,evidence?{kind:=sequence/pty_offset/signal/process,value:t|n}|0,deadline?M,^?t1}
$log.hole {sequence:w0}
$typing.begun {targetPeerId!(Id!>Id!sequence~offset~'
$+.spawn;)Id!name!harness:=claude-code/codex/claw/fake,mode:=headless/interactive,mission!model:T1,cwd!parent_id:T1,fleet:T1,bootId!attempt~^?,pid:W0,worktree:{path!branch!base!from?T1,repository!port?W0}|0,checks:#3,budget:#4,trouble:{stale:#5,hung:#5,crash:#5,restarts:w0},folder!start_key?t1,'
$+.state {)Id!state:#6,previous:#6|0,phase:=PLAN/SPAWN/DEPLOY/OBSERVE/RECOVER/HARVEST/CLEANUP/REFLECT/FAILED|0,^,source:=self/stream/hook/(/process/clock/server,as_of:m,until?M,evidence?W0,silent?b,'
$+.complet;)Id!sequence~result:=ok/failed/cancelled,summary,artifacts:[{path!type?t1,size_bytes?n0,sha256:T1,problem?}]-1000,doubts:#3,'
$+.verifi;)Id!sequence~passed:b,checks:[{>!passed:b,exit_code:W,duration_ms:n0,output_tail,output_path:T1}]-1000,'
$+.accepted #7
$+.rework #7
$+.terminat;)Id?t1,pid?W0,exit_code?W,signal?T1,expected?b,unreported?{tokens:n0,cost_usd:n0,unknown_calls:n0},ts?m}
$+.remov;)Id!name!by!'
$+.clear;)Id!path!branch!'
$+.kept {)Id!path!branch!^!changes:{files~insertions~deletions~commits~uncommitted:w0}|0,torn_down:b,'
$+.alert {)Id!severity:=info/warn/error/fatal,message!trouble!action!evidence?w0,due?M,'
$approval.open;approvalId!)Id!bootId!requestId:t1-128,sequence~kind:=BLOCKED/REQUEST,message!subject:%a,hash!options:[{id!label?,default?b}]-1000,deadline:m,default:#8,'
$approval.answer;approvalId!)Id!decision:#8,chosen:T1,^:T,by!rule:T1,hash!'
$approval.expir;approvalId!)Id!^:=deadline/changed/+_ended/withdrawn,'
$budget.set {scope:=fleet/+,id!budget:#4,by!'
$budget.exceed;scope:#1,id:T1,unit:#2,spent:n0,limit:n0,stopped:#3,'
$budget.unmeasurable {id!model!^!'
$ticket.open;ticket!owner!goal:=complete/verified/needs-input,started:b,+s:[{)Id!name:t1}]-1000,refused:[{name:T1,code!message}]-1000,ttl_ms~'
$ticket.answer;ticket!approvalId!outcome:=counted/late/left_open/refused,note,'
$ticket.clos;ticket!outcomes:[{)_id,name,verdict:=waiting/met/failed,code:T,state:#6|0,^,completion:=reported/verified/failed_checks/accepted/rework|0,result:T,summary:T,checks:[{>,passed:b,exit_code:W}],cost_usd:n,tokens:n,worktree:{path,branch}|0}]-1000,'
$ticket.cancell;ticket!by!'
vehicle.*.state {(Id!from:#9|0,to:#9,'
vehicle.*.content {(Id!contentType:=shell/claude/python/node/vim/htop/unknown,foregroundPid:W0,basename?T,detectedAt:m,confidence?=high/low/unknown}
>.*.start {(Id!>!startedAt:m}
>.*.end {(Id!>!exitCode:W,durationMs:n0,degraded?b,endedAt:m}
$(.*.alive (-alive-v1 #10
$(.closed (-closed-v1 {(_id,close_origin:=marker/error/timeout/orchestrator/user/pub_complete/wave_violation/idle_timeout/ttl_max,closed_at:m,@?,marker_line?T,exit_code?W,signal?W,duration_ms?n0,status?=completed/failed/timeout/closed}
pipeline.*.step.* {pipelineId!stepId!role:#11,(Id!state:#12,'
pipeline.*.creat;pipelineId!name!steps:#13,state:=active,createdAt:m}
pipeline.*.clos;pipelineId!state:=closed,closedAt:m,steps:#13}
<plann;plan!+_mode:=single/fleet/army,expected_+s~'
<taken-over {state:{phase:#14,plan},'
<phase-chang;from:#14,to:#14,^!'
<reflect;reflect!'
<+-spawn;id!@!name!spawned_at:m,status:#15,idle_ms:n0,max_ms:n0,last_activity_at:m,completed_at?m}
<+-status {(_id!status:#15,'
<monitor-register;(_id!@!>!armed_at:m}
<monitor-removed #10
<monitor-intend;@!'
<monitor-claim;@!)Id!'
wave.*.harvest;waveId!orphaned_count~closed_(s:#3,already_closed:#3,'
wave.*.complete {waveId!status:#16,commits:#3,regression_clean:b,duration_sec?n0,summary?}
wave.*.join;waveId!)Id!)Name!subWorkerRole?t1,(Id?t1,'
wave.*.violation {waveId!subWorker?t1,silentMs?n0,'
wave.*.lead.boot {waveId!)Name!layers:#3,manifest:[=lead/tester/reviewer/auditor/bench/doc]-1000,started_at:m}
wave.*.lead.complete {waveId!status:#16,commits:#3,regression_clean:b,duration_sec?n0}
wave.*.*.** wave-event-v1 {}`;
