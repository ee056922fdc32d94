// Made by `npm run generate`. Edit the contract of the request or the schema of the event instead.
import type { SharedShapes, ShortShape } from "./short-shape.ts";

/** Shapes that several replies and events share. */
export const SHARED_SHAPES: SharedShapes = {
  pieces: ["worker","correlation_id","terminal","{peerId,name,","complet",":t1,","ion","s:[","ted",":T,","reason","kind:="],
  shapes: [
    "=orchestrator/!/observer",
    "[]-1000",
    "=PLAN/SPAWN/DEPLOY/OBSERVE/RECOVER/HARVEST/CLEANUP/REFLECT/FAILED",
    "[#2]-1000",
    "[{id+label?,default?b}]-1000",
    "[{path+type?t1,size_bytes?n0}]-1000",
    "=info/warn/error/fatal",
    "=ok/failed/cancelled",
    "=self/stream/hook/'/process/clock/server",
    "{$:t1-128,payload?%a}",
    "{$?t1-128}",
    "=pending/running/blocked/in_progress/succeeded/failed/skipped",
    "{taskId+title+prompt+assignee+assignedBy+status:#11,assignedAt:n0,upda>At:n0,)edAt?n0,timeoutMs?n0,cancelReques>?b,cancelReason?,progressPct?n0,note?,result?a,artifacts?#5}",
    {"is":"text","pattern":"^\\d{4}:\\d{1,15}$"},
    "=approve/reject",
    "{approvalId+peerId+bootId+requestId:t1-128,sequence:w0,~BLOCKED/REQUEST,message+subject:%a,hash+opt;s:#4,deadline:m,default:#14,ts:m,!,status:=open/answered/expired,outcome:{decis;:#14,chosen:T1,^@by+rule:T1,ts:m,~answered}|{^:=deadline/changed/!_ended/withdrawn,ts:m,~expired,by:T}|0,cut?b,masked?b}",
    "[{scope:=workspace/day/fleet/!/run,id@limit:{usd?n,tokens?n},spent:{usd:n,tokens:n},exceeded:[=usd/tokens],since?}]",
    {"is":"word","of":[true]},
    "{id,logPath:0,wrapped:#17,pid:w}",
    "{seq:n,'Id,'Name,commandLine,output,exitCode:N,star>At:n,endedAt:n}",
    {"is":"word","of":["claws/2"]},
    {"is":"word","of":[3]},
    "=SESSION-BOOT/PLAN/SPAWN/DEPLOY/OBSERVE/RECOVER/HARVEST/CLEANUP/REFLECT/FAILED/SESSION-END",
    "{id+$+name+spawned_at:m,status:=spawned/)ed/failed/timeout/closed/termina>,idle_ms:n0,max_ms:n0,last_activity_at:m,)ed_at?m}",
    "{'_id+$+command+armed_at:m}",
    "{v:#21,phase:#22,phases_)ed:[#22],plan,!_mode:=single/fleet/army,expec>_!s:n,spawned_!<#23],monitor<#24],!<{id,closed:b}],miss;_n:n,sess;_star>_at,miss;_star>_at,reflect?,failure_cause:%a|0}|0",
    "{!:#23|0}",
    "{state:#25}",
    {"is":"word","of":[false]},
    "=starting/working/needs_input/blocked/rate_limi>/stale/hung/paused/unknown/finished/abor>/failed/gone",
    "=repor>/verified/failed_checks/accep>/rework",
    "{peer_id,name,state:#29,phase:#2|0,^,source:#8,as_of:z,until:Z,evidence:W0,ended:b,harness@mode@model@permiss;_mode@permiss;_mode_asked@miss;@parent_id@fleet@cwd@'_id@attempt:n,pid:N,tokens:n,cost_usd:n,cost_estima>:b,unknown_calls:w0,current_act;@);:#30|0,doubt<],worktree:%a|0,changes:{files:w0,insert;s:w0,delet;s:w0,commits:w0,uncommit>:w0}|0,since:z,last_seen:Z,last_progress:Z,machine?,checks:w0,approval<]}",
    "[{command+passed:b,exit_code:W,durat;_ms:n0,output_tail,output_path:T1}]",
    "{~accep>/rework,by,^:T}|0",
    "{pipelineId,name,step<{stepId+role:=source/sink,'Id+state:=active/degraded/closed}],state:=active/closed,crea>At,closedAt?}",
    "[{peer_id,name,verdict:=waiting/met/failed,code@state:#29|0,^,);:#30|0,result@summary@check<{command,passed:b,exit_code:W}],cost_usd:n,tokens:n,worktree:{path,branch}|0}]",
    "{status:=open/closed/cancelled,goal:=)e/verified/needs-input,star>:b,opened:z,upda>:z,ttlMs:w,cursor,from,!s:#35,refused:[{name:T1,code+message}],approval<#15],answer<{approvalId,outcome:=coun>/late/left_open/refused,note}]}",
    "{tokenId,role:#0,peer@browser@crea>At:n,expiresAt:n}",
    "=transcript/none",
    "{path+branch+base+from?T1,repository+port?W0}|0",
    {"is":"word","of":[1]},
  ],
};

/** The name of each request whose reply has fields, and these fields. */
export const REPLIES = `ack {ackedCursor:#13}
approval.answer {approval:#15,duplicate:b}
approval.list {approval<#15]}
broadcast {deliveredTo:w,injec>?w,queued?w}
budget.list {budgets:#16}
budget.set {scope:=fleet/!,id,changed:b}
close {alreadyClosed:b}
create #18
deliver-cmd {seq:w,duplicate?#17}
exec {event:#19,exitCode:N,output,degraded?#17,note?}
hello {peerId,protocol:#20,serverCapabilitie<],rootOrchestratorPresent:b,durability?=strict/relaxed,restored:b,idempotent?#17,resumeCursor?,bootId?,resumeToken?,phase?#2|0}
introspect {extens;Vers;,nodeVers;,electronAbi:n,platform,nodePty:{loaded:b,loadedFrom@error?},server<{workspace,socket}],'s:w,uptime_ms:n,protocol<],capabilitie<],policy:=strict/compat,durability,counts:{peers:w,subscript;s:w,tasks:w},log:{epoch,oldest:w,head:w}}
lifecycle.advance {state:#25,idempotent?#17}
lifecycle.mark-!-status #26
lifecycle.plan {state:#25,idempotent:b}
lifecycle.reflect #27
lifecycle.register-monitor {monitor:#24}
lifecycle.register-spawn #26
lifecycle.snapshot #27
list {'<{id,name,pid:w,ptyPid:w,shellPid:w,ptyMode:=pty,hasShellIntegrat;:b,active:#28,logPath:0,wrapped:#17,status:=adop>,vehicleState?,cols:w,rows:w,cwd,argv:[],openedAt,$@!Id@waveId@waveRole@machine?}]}
log.cursor {cursor:#13}
log.read {cursor:#13,more:b,gaps?[{from:#13,to:#13,^}],event<{topic,from,ts_server,payload?a,sequence:w}]}
machine.list {machine<{name,here:b,up:b,vers;,running:w0,slots:w0,last_seen:z,star>_at:z}]}
moment.show {ready:b,progress:{done:w,total:w}|0,moment:{cursor:#13,ts,oldest:#13,head:#13,!<#31],hidden:w,approval<#15],budgets:#16,report<(sequence:w,);:#30,result:#7,summary,doubt<],checks:#32|0,judged:#33}],alert<(trouble:=stale/hung/crash/failed,sequence:w,act;:=alert/nudge/restart|0,due@broken:b}],records?[{peerId}]}|0}
monitors.is-corr-armed {armed:b,claimed:b,pending:b,peerId:T}
notify.test {deliveryId,deliverie<{channel:=command/webhook,delivered:b,detail,durat;Ms:w0}]}
page.open {url<],expiresAt:n,isPublic:b}
peers {peer<{peerId,role:#0,peerName,'Id@waveId@correlat;Id@joinedAt:n,lastSeen:n,stale:b,phase:#2|0,parentId@subscript;s:w,machine?}]}
ping {serverTime:n}
pipeline.close {pipelineId}
pipeline.create {pipelineId,pipeline:#34}
pipeline.list {pipeline<#34]}
poll {event<#19],cursor:n,trunca>:b,limit:n}
publish {deliveredTo:w,sequence?w,cursor?#13,duplicate?b,receipts?[{peerId,sequence:w}]}
read {event<#19],cursor:n}
readLog {bytes,offset:w,nextOffset:w,totalSize:w,trunca>:b,logPath:0}
rpc.call {requestId,result?a}
schema.get {name,schema:a}
schema.list {schema<]}
send {mode:=wrapped}
subscribe {subscript;Id,resumeCursor:#13,durable?,ackedCursor?#13}
task.assign {taskId,assignedAt:n}
task.list {task<#12]}
'.output {data,offset:w,next:w,ended:b,exitCode:W,signal:W}
'.screen {text,line<],cursor:{x:w,y:w},cols:w,rows:w,exact:b,offset:w,bracke>Paste?b,wrapped?[b],solid?[],cursorHidden?b}
'.type {offset:n}
ticket.answer {outcome:=coun>/late/left_open/refused/ignored,note}
ticket.cancel #36
ticket.open #36
ticket.show #36
token.create {tokenId,role:#0,peer@browser@crea>At:n,expiresAt:n,token}
token.list {token<#37]}
token.revoke #37
wave.)e {waveId,)edAt:N,harves>:w}
wave.create {waveId,crea>At:n}
wave.status {waveId,layer<],leadPeerId,leadPeerName,leadTerminalId@crea>At:n,)edAt:N,)e:b,summary@commit<],regress;Clean:B,harves>At:N,orphanedTerminal<],lead:{peerId,peerName,'Id@status:=active/)e,lastSeenMs:n},subWorker<{role,peerId@peerName@'Id@lastHeartbeatMs:n,)e:b}],subWorkerTerminal<]}
!.accept (result:#7|0,summary@);:#30,noop:b,object;<]}
!.diff (base,branch,file<{path,insert;s:W0,delet;s:W0}],commit<{sha,subject}],uncommit>:[],patch,cut:b,problem?T,merged?b}
!.find {peer_id@name,'_id@ended?b,busy?b,ahead?w,hint?}
!.list {!<#31],machine?,hidden?w}
!.log (source:#38,harness@data,next:w0,running:b,path@processLog@lastWord<]}
!.merge (branch,onto,before,commit@commitsCount:w0,file<],accep>:b,noop:b}
!.outcomes {done:b,cursor,!s:#35,approval<#15]}
!.remove (path<]}
!.report ();:#30|0,report:{peerId,sequence:w,result:#7,summary,artifact<{path}],toolCalls:N,claimsChanges:b,place:{cwd@worktree:#39,check<],folder@sawTool:b},)ed:{artifact<{path+type?t1,size_bytes?n0,sha256:T1,problem?}]-1000,doubts:#1}|0,verified:{passed:b,checks:#32}|0,judged:#33}|0}
!.restart (pid?w,bootId?,attempt:w,folder?,worktree?#39}
!.rework (result:#7|0,summary@);:#30,^}
!.show {!:#31,change<{peerId+state:#29,previous:#29|0,phase:#2|0,^,source:#8,as_of:m,until?M,evidence?W0,silent?b,ts:m}],children:[#31]}
!.spawn (pid:w,bootId,attempt:w,folder,worktree:#39,machine?}
!.' {'Id@pid:W,total:N,text?}
!.'.close {'Id?,alreadyClosed:b}
!.'.open #18
!.'.watch {total:n,shown:{~at-rest/at-work/unknown}|{~quest;,asks}|0,quiet:b}
!.transcript (source:#38,item<{posit;:w0,~start/prompt/text/tool/result/quest;/answer/note/error/end,text,call?,agent?,cut?b}],first:w0,next:w0,hasOlder:b,hasNewer:b,bytes:w0}`;

/** The envelope of an event, as a peer sends it. */
export const ENVELOPE_SHAPE: ShortShape = "{v?#40,id?u,from_peer?t1,from_name?t1,ts_published?m,schema?t1,$?T1-128,parent_id?T1,'_id?T,ts_server?m,sequence?w0,data:a}";

/** The events of the namespaces that clients publish in. The first whose pattern covers a topic decides. */
export const CLIENT_EVENTS = `!.*.boot {model+role:#0,miss;_summary+cwd+'_id,parent_peer_id?T1,capabilities?#1}
!.*.phase {phase:#2,prev:#2|0,transit;_^+phases_)ed:#3,metadata?%a}
!.*.event {severity:#6,message+request_id?t1-128}&{~BLOCKED,blocking_resource?t1,retryable?b,data?{blocking_resource?t1,retryable?b}}|{~REQUEST,request_type?t1,opt;s?#4,data?{request_type?t1,opt;s?#4}}|{~HARVEST,artifacts?#5,data?{artifacts?#5}}|{~ERROR,error_class?t1,retryable?b,sugges>_act;?,data?{error_class?t1,retryable?b,sugges>_act;?}}|{~DECISION,decis;_id?t1,opt;_chosen?t1,^ing?,data?{decis;_id?t1,opt;_chosen?t1,^ing?}}|{~PROGRESS,percent?n0,current_step?n0,total_steps?n0,eta_ms?n0,data?{percent?n0,current_step?n0,total_steps?n0,eta_ms?n0}}|{~LOG,data?{}}
!.*.heartbeat {current_phase:#2,time_in_phase_ms:n0,tokens_used:n0,cost_usd:n0,cost_estima>?b,last_event_id?U,active_sub_!s?#1,severity?#6,message?,kind?=progress/heartbeat/approach/error/miss;_)e/miss;_failed,summary?,current_act;?,permiss;_mode?,approach_detail?#1,error_detail?,$?t1-128,captured_at?m,durat;_ms?n0,tokens_in?n0,cache_read_tokens?n0,cache_write_tokens?n0,tokens_out?n0,unknown_calls?n0,unpriced_models?#1,model?t1,total_cost_usd?n0,total_durat;_ms?n0,total_tool_calls?n0}
!.*.)e {result:#7,summary+artifacts:#5,phases_)ed:#3,total_tokens?n0,total_cost_usd?n0,cost_estima>?b,unknown_calls?n0,durat;_ms?n0}
!.*.signal {signal:=turn_star>/activity/tool_star>/tool_ended/turn_ended/needs_input/unclear/rate_limi>/paused/resumed/restar>/exi>,source:#8,detail?,until?M,pty_offset?w0,at?m}
!.*.command {command_id+step:=accep>/queued/injec>/submit>/acked/applied/expired/refused,route:=bus/input/',evidence:{~sequence/pty_offset/signal/process,value:t|n},^?}
cmd.role.* {$?t1-128,command:t1}
cmd.*.approve #9
cmd.*.reject {$:t1-128,^:t1}
cmd.*.unblock #9
cmd.*.abort {$?t1-128,^:t1}
cmd.*.pause #10
cmd.*.resume #10
cmd.*.set_phase {$?t1-128,phase:#2,^:t1}
cmd.*.spawn {$?t1-128,name+miss;+model?}
cmd.*.inject_text {$?t1-128,text,paste?b}
cmd.*.ack {$?t1-128,seq:w0,status:=execu>/rejec>/duplicate}
task.assigned.* #12
task.*.assigned task-typed-v1 #12
task.status {taskId+assignee+status:#11,progressPct?n0,note?}
task.)ed {taskId+status:=succeeded/failed/skipped,result?a,artifacts?#5}
task.cancel_reques>.* {taskId+^?}
rpc.*.request {requestId:u,method+params?%a,callerPeerId:t1}
rpc.response.*.* {requestId:u,ok:b,result?a,error?}`;
