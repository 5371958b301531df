// An MCP server on standard input and output that does what its first argument says, as JSON: see `script.ts`.
import { spawn } from 'node:child_process'
import { watchFile } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { openScript } from './script-behaviour.mjs'

const [plan] = process.argv.slice(2)
const { script, note, receive } = openScript(plan)
const frame = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const wire = {
  frame,
  out: process.stdout,
  send: (message) => process.stdout.write(frame(message)),
  /** A piece of a message is written as it is, and ends with the line. */
  begin: () => undefined,
  finish: () => process.stdout.write('\n'),
  breakOff: (code) => process.exit(code),
}

// A change of the script is a change of the tools.
watchFile(plan, { interval: 100 }, () => wire.send({ method: 'notifications/tools/list_changed' }))
const { says } = script()
if (says) {
  // In two pieces, of which each may have a part of a secret.
  const half = says.length / 2
  process.stderr.write(says.slice(0, half))
  await sleep(50)
  process.stderr.write(`${says.slice(half)}\n`)
}
// Its log is written before it answers, so that no check ends before it.
createInterface({ input: process.stdin }).on('line', (line) => receive(JSON.parse(line), wire))
note('started')
if (script().child) {
  // The last word tells it from others in the list of processes.
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', plan], { stdio: 'ignore' })
  note('child')
}
