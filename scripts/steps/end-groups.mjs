// Ends groups of processes for scripts/steps/process-groups.mjs, which may be killed before it could. A line "+ID" on
// standard input names a group, "-ID" ends it. The end of the input ends all of them, and removes the folder that is the
// argument.
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

const CHECK_MS = 100
const LEADER_LIMIT_MS = 10_000
// A server has 30 s to hand over its runs.
const GROUP_LIMIT_MS = 35_000

const started = new Set()
const ends = []
for await (const line of createInterface({ input: process.stdin })) {
  const group = Number(line.slice(1))
  if (line.startsWith('+')) started.add(group)
  else if (started.delete(group)) ends.push(end(group))
}
await Promise.all([...ends, ...[...started].map(end)])
// All at once: one file after the other takes a minute on a busy disk.
await rm(process.argv[2], { recursive: true, force: true, maxRetries: 3 })

/** Ends a group: its leader tells the others, if it still can. */
async function end(group) {
  if (!send(-group, 0)) return
  if (send(group, 'SIGTERM') && (await isGone(group, LEADER_LIMIT_MS))) return
  send(-group, 'SIGTERM')
  if (await isGone(group, GROUP_LIMIT_MS)) return
  send(-group, 'SIGKILL')
}

async function isGone(group, limitMs) {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += CHECK_MS) {
    if (!send(-group, 0)) return true
    await wait(CHECK_MS)
  }
  return false
}

/** Sends a signal, 0 for none, to a process or a group. Returns whether there is one. */
function send(id, signal) {
  try {
    return process.kill(id, signal)
  } catch {
    return false
  }
}
