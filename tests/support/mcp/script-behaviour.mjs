// Reactions of a scripted MCP server to a message, over any transport: see `script.ts`.
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const part = 'x'.repeat(64 * 1024)

/**
 * Opens a script. It is read anew for each message, so that a test can change what a running server does. `receive` does what
 * a message asks for, on the wire that it came by.
 */
export function openScript(plan) {
  const script = () => JSON.parse(readFileSync(plan, 'utf8'))
  const note = (line) => {
    const { notes } = script()
    if (notes) appendFileSync(notes, `${line}\n`)
  }
  const answers = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: script().calledAs ?? 'scripted', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': (params) => pageOf(script(), params),
  }
  const late = new Map()
  const receive = ({ id, method, params }, wire) => {
    if (id === undefined) {
      note(method)
      if (method === 'notifications/cancelled') late.get(params.requestId)?.()
      return
    }
    if (method === 'tools/call') {
      note(`call ${params.name}`)
      const does = script().calls?.[params.name] ?? { text: JSON.stringify(params.arguments) }
      if (does.late) return void late.set(id, () => wire.send(answerOf({ text: 'late' }, id)))
      return call(withFile(does, params.arguments), id, wire)
    }
    if (script().silent?.includes(method)) return note(`silent ${method}`)
    if (method === 'tools/list' && script().list?.ends)
      return wire.send({ id, ...paged(script(), params) })
    const answer = answers[method]
    if (answer) return wire.send({ id, result: answer(params) })
    if (script().endsWhenAsked) process.exit(1)
    wire.send({ id, error: { code: -32601, message: 'Method not found' } })
  }
  return { script, note, receive }
}

function pageOf({ tools, list = {} }, { cursor = 0 } = {}) {
  const { count, descriptionBytes, endless, changing, patterns } = list
  if (patterns) return pageOfPatterns(patterns, Number(cursor))
  if (endless) return { tools: [], nextCursor: String(Number(cursor) + 1) }
  const made = Array.from({ length: count ?? 0 }, (_, at) => ({ ...tools[0], name: `made_${at}` }))
  const all = [...tools, ...made]
  if (descriptionBytes)
    return { tools: [{ ...tools[0], description: 'x'.repeat(descriptionBytes) }] }
  return { tools: changing ? all.map((tool) => ({ ...tool, title: randomUUID() })) : all }
}

/** Returns one tool a page. */
function paged({ tools, list }, { cursor = '0' } = {}) {
  const page = Number(cursor)
  const isLast = page + 1 >= list.pages
  const error = { code: -32603, message: 'The page is lost' }
  if (page >= list.pages) return { error }
  const nextCursor = isLast && list.ends === 'repeats' ? cursor : String(page + 1)
  return { result: { tools: tools.slice(page, page + 1), nextCursor } }
}

const pages = 10

/** Returns ten tools whose schemas have so many patterns, which are others each time. */
function pageOfPatterns(count, page) {
  const salt = randomUUID()
  const pattern = (_, at) => [`p${at}`, { type: 'string', pattern: `${salt}${at}` }]
  const properties = Object.fromEntries(Array.from({ length: count }, pattern))
  const tool = (_, at) => ({
    name: `page_${page}_${at}`,
    inputSchema: { type: 'object', properties },
  })
  const tools = Array.from({ length: 10 }, tool)
  return page + 1 < pages ? { tools, nextCursor: String(page + 1) } : { tools }
}

/** Reads or writes a file, where a call is to do that. */
function withFile(does, { path: name, content } = {}) {
  if (does.reads) {
    const file = path.join(does.reads, name)
    if (existsSync(file)) return { text: readFileSync(file, 'utf8') }
    const text = `Error: ENOENT: no such file or directory, open '${file}'`
    return { result: { content: [{ type: 'text', text }], isError: true } }
  }
  if (!does.writes) return does
  writeFileSync(path.join(does.writes, name), does.changed ? `${content}!` : content)
  return { text: `Successfully wrote to ${name}` }
}

function call(does, id, wire) {
  if (does.exit) return wire.breakOff(does.exit)
  if (does.never) return
  if (does.raw) {
    wire.begin()
    wire.out.write(does.raw.replaceAll('ID', JSON.stringify(id)))
    return wire.finish()
  }
  if (does.flood) return pour(wire, { part })
  if (does.deep) return pour(wire, { part: '['.repeat(does.deep), times: 1 })
  if (does.chatter) {
    const message = { method: 'x', params: { text: 'x'.repeat(does.chatter) } }
    wire.begin({ isWhole: true })
    return pour({ ...wire, begin: () => undefined }, { part: wire.frame(message) })
  }
  if (does.bytes) {
    const times = Math.ceil(does.bytes / part.length)
    const [head, tail] = JSON.stringify({ jsonrpc: '2.0', ...answerOf({ text: '|' }, id) }).split(
      '|',
    )
    return pour(wire, { head, part, times, tail })
  }
  if (does.http) return wire.respond(does.http)
  if (does.questions)
    return void setInterval(() => wire.send({ id: Math.random(), method: 'ping' }), 1)
  const answer = () => wire.send(answerOf(does, id))
  if (does.until) return whenThere(does.until, answer)
  answer()
}

function answerOf(does, id) {
  if (does.parts) return { id, result: { content: Array(does.parts).fill({}) } }
  if (does.values) {
    return { id, result: { content: [], structuredContent: Array(does.values).fill(1) } }
  }
  if (does.error) return { id, error: does.error }
  if (does.otherId) return { id: 'another', result: { content: [] } }
  return { id, result: does.result ?? { content: [{ type: 'text', text: does.text }] } }
}

/** Writes one message in parts, as fast as they are read: without an end, unless it says how many times. */
function pour(
  { begin, out, finish },
  { head = '', part, times = Number.POSITIVE_INFINITY, tail = '' },
) {
  let left = times
  begin()
  out.write(head)
  const more = () => {
    while (left > 0 && !out.destroyed) {
      left--
      if (!out.write(part)) return out.once('drain', more)
    }
    if (left > 0) return
    out.write(tail)
    finish()
  }
  more()
}

function whenThere(file, work) {
  const timer = setInterval(() => {
    if (!existsSync(file)) return
    clearInterval(timer)
    work()
  }, 50)
}
