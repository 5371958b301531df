// An MCP server on standard input and output that does what its first argument says, as JSON: see `script.ts`.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, watchFile } from 'node:fs'
import { createInterface } from 'node:readline'

const [plan] = process.argv.slice(2)
/** Read anew for each message, so that a test can change what a running server does. */
const script = () => JSON.parse(readFileSync(plan, 'utf8'))
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const note = (line) => script().notes && appendFileSync(script().notes, `${line}\n`)

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: script().calledAs ?? 'scripted', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: script().tools }),
}

function call({ name, arguments: args }, id) {
  note(`call ${name}`)
  const { calls = {} } = script()
  const does = calls[name] ?? { text: JSON.stringify(args) }
  if (does.exit) process.exit(does.exit)
  if (does.flood) {
    const part = 'x'.repeat(64 * 1024)
    const more = () => {
      while (process.stdout.write(part));
      process.stdout.once('drain', more)
    }
    return more()
  }
  if (does.deep) return process.stdout.write(`${'['.repeat(does.deep)}\n`)
  if (does.never) return
  if (does.parts) return send({ id, result: { content: Array(does.parts).fill({}) } })
  if (does.values)
    return send({ id, result: { content: [], structuredContent: Array(does.values).fill(1) } })
  if (does.questions) return void setInterval(() => send({ id: Math.random(), method: 'ping' }), 1)
  if (does.otherId) return send({ id: 'another', result: { content: [] } })
  send({ id, result: does.result ?? { content: [{ type: 'text', text: does.text }] } })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return note(method)
  if (script().silent?.includes(method)) return note(`silent ${method}`)
  if (method === 'tools/call') return call(params, id)
  const answer = answers[method]
  if (answer) return send({ id, result: answer() })
  if (script().endsWhenAsked) process.exit(1)
  send({ id, error: { code: -32601, message: 'Method not found' } })
})
// Whoever changes the script has changed the tools.
watchFile(plan, { interval: 100 }, () => send({ method: 'notifications/tools/list_changed' }))
if (script().says) process.stderr.write(`${script().says}\n`)
note('started')
if (script().child) {
  // The last word tells it from others in the list of processes.
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', plan], { stdio: 'ignore' })
  note('child')
}
