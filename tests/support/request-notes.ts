/** Facts about single requests that neither their summary nor their fields say, by the request. docs/api-reference.md has them. */
export const requestNotes: Readonly<Record<string, string>> = {
  'PATCH /api-keys/:id':
    '`null` = all that its owner may. A key cannot change its own limits, and a limited key none at all ([limits](sign-in.md#limits-of-api-keys)).',
  'GET /approval-rules':
    'Each rule with `missing`: `tool`, `group`, `server`, `person` or `api-key` if it names one that does not exist, is deleted or revoked.',
  'POST /approval-rules':
    'The fields are those of [approval rules](approval-rules.md). 422 names the nearest tool or group, 404 the nearest configuration.',
  'GET /approvals':
    'Calls that wait have the `preview` of what they change, or `null`, and their `context` ([answer a call that waits](api.md#answer-a-call-that-waits)).',
  'POST /approvals/:approvalId':
    '409 when the call no longer waits ([answer a call that waits](api.md#answer-a-call-that-waits)).',
  'POST /asset-files':
    'The bytes of one file as its body; with `replace=true` the file of an asset is replaced, 200.',
  'GET /budgets': '`spentAtLeast`: requests without a price are not in it.',
  'POST /budgets': 'See [budgets.md](budgets.md).',
  'GET /channels':
    'Each with where it leads to, the names of its stored `secrets`, `lastNotice` (about a waiting call) and `lastRunMessage`.',
  'POST /channels': 'With `enabled: false`, secrets may be missing ([channels.md](channels.md)).',
  'GET /channels/:id':
    'With its last 20 `alerts`, messages about waiting calls (`notices`) and messages of runs (`messages`).',
  'GET /configurations': '`fault` says why none of its runs can start, `null` = nothing is wrong.',
  'DELETE /configurations/:id': '409 names who uses it.',
  'PATCH /configurations/:id':
    '412 when its version is another one ([change a configuration](configurations.md#change-one-over-http)).',
  'GET /connections':
    'With health, failures to act on (`troubles`), whether the trust zone fits the address (`zone`) and the last test.',
  'POST /connections':
    '`settings` are those of the [API type](connections.md#settings-of-an-api-type); a public address in `local` or `private` needs `confirmZone` (its host) and a `reason`.',
  'DELETE /connections/:id': '409 names what uses it.',
  'PATCH /connections/:id':
    '409 when its `updatedAt` is not the one given. Another host needs its `trustZone` in the same change.',
  'PATCH /connections/:id/headers':
    '`{ headers: { name: value } }`; `null` removes one; `host` and `reason` as for the key.',
  'PUT /connections/:id/key':
    'Tests the key; 422 `{ stored: false, test }` when the provider refuses it; `"test": false` skips the test; with `host`, 409 if that is not the connection’s host, and nothing is sent.',
  'POST /connections/:id/keys': 'Answers as `PUT …/key`; `null` = no limit.',
  'PATCH /connections/:id/keys/:key': "`main` is the connection's own key; `null` = no limit.",
  'PUT /connections/:id/keys/:key': 'Answers as `PUT …/key`; `:key` is the label of the key.',
  'GET /consents':
    'Each with `state` (`waiting`, `given`, `denied`), `askedBy`, `cron`, `timeZone`, `prompt`, `task`, `variables`, `configurations`, `tools` and the `hash` of all this ([schedules.md](schedules.md#run-as-another-person)).',
  'POST /consents/:scheduleId':
    '409 when the schedule is not what the `hash` stands for. A limited key does not answer for you.',
  'GET /conversations':
    '`id` of the first run, `title`, `turns`, `newest` (the newest run) and sums ([conversations](after-a-run.md#continue-it-conversations)).',
  'POST /coordinations':
    '1 to 6 `critics`; every role has a `configuration`, `instructions` and a `costCap`, and all but the synthesizer `hops`.',
  'POST /data-sources': '`address` is the connection string ([data-sources.md](data-sources.md)).',
  'GET /data-sources/:id': '`queries` says whether queries are allowed.',
  'POST /data-sources/:id/queries':
    'Only runs of admins may read the opened columns with SQL. 409 when the role cannot be made.',
  'GET /data-sources/:id/tables':
    'Each with its columns, which are `writable`, and what is `opened`; `trouble` says why the database cannot be asked now, and `queries` why queries cannot be allowed.',
  'POST /data-sources/:id/tables':
    'Answers with how many (`rows`) of the first 100,000 rows (`of`) the mark of deleted rows hides. `deletedColumn` left out = found by its name; refused when it would hide every row. `ownerHolds` is `email` or `userId`; `historyTable` is another opened one, with its schema, and the other `history…` are its columns. `groupsOnly`: only members of `groupIds` may read it; without one, only admins. These two stay as they are where they are left out.',
  'GET /explain': 'See [explain](api.md#explain).',
  'GET /file-writes/:writeId': '`refusal` says why the write cannot be undone; `null` = it can.',
  'PUT /freeze': '409 says who froze the site first.',
  'GET /groups':
    '`members` are e-mail addresses, `configurations` identifiers; `pageSize` is at most 200.',
  'DELETE /groups/:id':
    'The members lose the configurations that only this group allows; 409 while a rule names it.',
  'GET /groups/:id':
    'With its `people`, the configurations that it `opens`, and the `limits` of its members.',
  'POST /hosts':
    '`name` is the origin, such as `https://example.org` or `https://*.example.org` ([web.md](web.md)).',
  'DELETE /memory':
    "All of one's own notes, or those with one `configuration`; `userId` and `reason` for an admin who deletes those of somebody else; answers how many.",
  'GET /memory':
    'Each note with its `configuration` and the `run` that wrote it (`null` = its person did). Orders: `configuration`, `changed`; of sizes `person`, `configuration`, `notes`, `size`, which is their bytes.',
  'PATCH /memory/:id': '409 when another note says the same.',
  'DELETE /models/:id': '409 names the configurations that use it.',
  'GET /models/:id': "By its id, or by the provider's id if one connection has it.",
  'GET /models/:id/catalogue': '`null` when the catalogue does not know the model.',
  'POST /models/:id/catalogue': '409 when the catalogue does not know the model.',
  'POST /panels':
    '2 to 8 `configurations`; no `tools` by default; `costCap` of all ([each member can pass it by up to two requests](panels.md#money)), `memberCostCap` of each.',
  'GET /panels/:panelId':
    'Of each member its answer, tools, figures and caps, or why it was refused. `toolCalls` lists its calls with `hop` (which of its requests for tools it is of), `name`, `status` and the `gate` that denied it; caps are as in `GET /runs/:runId`.',
  'PUT /panels/:panelId/cost-cap':
    'Counts for the rest of the panel, also for roles that begin later; 409 when it has no cap of all members or has ended. When the cap is reached, up to two requests of each member can come on top: the one under way and a final answer.',
  'POST /programs':
    'For persons alone ([no key](api.md#what-no-key-may-do)). `refused` are words with spaces between them (`null` = none), `memory` is in MiB, `readable` has one folder a line, and `accepted` says why it may run without a sandbox ([programs.md](programs.md)).',
  'GET /programs/:id': '`trouble` says why it cannot be run now; `null` = it can.',
  'PATCH /programs/:id': 'A key changes `note`, `seconds` and `memory`, and switches it off.',
  'POST /run-views':
    'A name of at most 60 characters, and at most 50 views a person ([runs](runs.md#saved-views)). `query` has the filters and the `sort` of `GET /runs`.',
  'PUT /run-views/:id/sharing':
    'Admins share views of their own, and stop sharing those of others, too.',
  'GET /runs': 'See [list runs](api.md#list-runs).',
  'POST /runs': 'See [start a run](api.md#start-a-run).',
  'GET /runs/:runId':
    "`waiting` is where the run stands while it [waits](runs.md#runs-that-wait) for a place to begin, else `null`: `{ for, place, reason }`, with `for` = `person`, `configuration`, `site` or `server` and `reason` a sentence. `cacheSavedMicroUsd` is what the provider's cache saved (negative = cost), `null` when a price is unknown. `costBound` says how far `costMicroUsd` can be relied on: `exact`, `at-most` (the provider may have charged less for cached input without a price) or `about` (a part was estimated). `costCap` says how the lowest cap of the run itself stands, else `null`: `mode`, `limitMicroUsd`, `observedMicroUsd`, `exceeded`, `blocked` (it ended the run), `decision`, and `operatorPrompt`, which is `{ question, choices }` while a person is asked.",
  'PATCH /runs/:runId':
    'At most 10 tags of 32 characters, stored in lower case without spaces around them, and a note of 2,000 characters (`""` removes it). What others add meanwhile stays. The journal of the run never changes.',
  'POST /runs/:runId/cancel':
    'The body is optional; 202 `cancelling`, or 200 `ended` when it has ended.',
  'GET /runs/:runId/compare/:other':
    'See [run again with a change](after-a-run.md#run-it-again-with-a-change).',
  'PUT /runs/:runId/cost-cap':
    'Counts for the rest of the run ([budgets.md](budgets.md)); 409 when it has no cap of its own or has ended.',
  'GET /runs/:runId/events': 'See [follow a run](api.md#follow-a-run).',
  'GET /schedules':
    'Each with its next five times, its last one and why it starts nothing (`blocked`).',
  'POST /schedules':
    '`task` and `configuration` are an identifier or id ([schedules.md](schedules.md)).',
  'GET /schedules/:id': '`starts` has its last 20 times.',
  'POST /schedules/:id/run': 'One of `runId` and `panelId` is null.',
  'GET /search-endpoints': 'Each with the names of its stored `secrets`.',
  'POST /search-endpoints':
    '`address` `null` = the usual one of Brave and Tavily ([web.md](web.md#search-endpoints)).',
  'PATCH /search-endpoints/:id': 'Another host needs the `key` again.',
  'GET /servers': 'Each with how many of its tools wait for review.',
  'POST /servers':
    'See [mcp-servers.md](mcp-servers.md). `stdio` is refused for [API keys](api.md#what-no-key-may-do).',
  'POST /servers/:id/accept':
    '`hash` is that of the definition that was seen: 409 when it changed meanwhile. `alias`, `description`, `look` and `enabled` left out stay as they are; `null` removes the first three. `look` is `{ tool, arguments, becomes }` ([look before and after](mcp-servers.md#look-before-and-after)).',
  'GET /servers/:id/concerns':
    'The configurations that allow all its tools, and of each tool the `configurations` that allow it by name, the `skills` that list it and the `rules` that may match its calls.',
  'GET /servers/:id/tools':
    'Each with `hash`, `state` (`new`, `changed`, `accepted`, `gone`), `hints`, `problem`, `look` and `proposedLook`.',
  'GET /sites': '`lastCheck` `null` = it was not checked.',
  'POST /sites':
    '`sitemap` `null` = the one that `robots.txt` names, else `/sitemap.xml` ([sites.md](sites.md)).',
  'POST /sites/:id/check': '`words` say where the pages are from or what failed.',
  'GET /skills': 'Orders: `name`, `source`, `version`, `changed`.',
  'POST /skills/:id/accept': '409 when the file changed again, or no change waits.',
  'PUT /skills/:id/configurations/:configuration':
    '409 for `confirmed` when no tool would remain ([skills](skills.md#over-http)).',
  'POST /storages': '`largestFile` and `wholeSize` are in MiB ([storages.md](storages.md)).',
  'GET /storages/:storageId/assets':
    '`described=no` = without an alternative text, `deleted=yes` = those that can be restored. Orders: `path`, `title`, `mediaType`, `bytes`, `createdAt`.',
  'GET /tasks': 'Sorted by name.',
  'POST /tasks': 'The body is as in [tasks.md](tasks.md).',
  'POST /tasks/:task/run': 'One of `runId` and `panelId` is null.',
  'GET /tools': '`unavailable` says what this site lacks for the tool, or is `null`.',
  'POST /tools/:name/call': 'See [try a tool](tools.md#try-a-tool-over-http).',
  'PUT /tools/:name/limit':
    'Each limit is 1 to 1,000. Calls a minute are counted for all runs of all servers.',
  'GET /usage':
    '`costMicroUsd` adds up what is priced, and `cost` says it in words, "at least $0.42" while `unpriced` requests are missing in it. `parts` beyond 200 are combined into the last one, with `rest: true`; `tools` in their place when `by=tool`.',
  'GET /workspaces': '`realFolder` is where its folder leads.',
  'POST /workspaces':
    '`createFolder` makes the folder when it is missing ([workspaces.md](workspaces.md)).',
  'GET /workspaces/:id':
    'With its last 50 `writes` of tools, `trouble` when its folder cannot be used now, and `noPrograms` when no program can be run in it.',
}
