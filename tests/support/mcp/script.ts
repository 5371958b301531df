import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const program = path.resolve(import.meta.dirname, 'scripted-server.mjs')
const overHttp = path.resolve(import.meta.dirname, 'scripted-http.mjs')
const endWithParent = pathToFileURL('scripts/steps/end-with-parent.mjs').href

/** Reaction to one call of a tool; left out: it returns its arguments as text. */
export type Does =
  | { text: string }
  /** Answers once this file is there. */
  | { text: string; until: string }
  | { result: Record<string, unknown> }
  /** Answers with this line, in which ID stands for the id of the request. */
  | { raw: string }
  /** Reads or writes the file of this folder that its argument `path` names. */
  | { reads: string }
  | { writes: string; changed?: true }
  /** Refuses the call. */
  | { error: { code: number; message: string; data?: unknown } }
  /** Ends the server with this code. */
  | { exit: number }
  /** Writes without end, and without the end of a line. */
  | { flood: true }
  /** Writes a message that is nested so deeply. */
  | { deep: number }
  /** Answers with so many parts, or values, or with questions without end. */
  | { parts: number }
  | { values: number }
  | { questions: true }
  /** Answers nothing. */
  | { never: true }
  /** Answers once the call was cancelled. */
  | { late: true }
  /** Answers a request that nobody made. */
  | { otherId: true }
  /** Answers with a text of so many bytes. */
  | { bytes: number }
  /** Sends messages of so many bytes without end, where a request may have many. */
  | { chatter: number }
  /** Answers over HTTP with exactly this; `zippedBytes`: with so many bytes as gzip, `breaks`: breaks off after the body. */
  | {
      http: {
        status?: number
        headers?: Record<string, string>
        body?: string
        zippedBytes?: number
        breaks?: true
      }
    }

/** Definition of a scripted server; `endsWhenAsked`: it ends at a request that it does not know. */
export type Script = {
  tools: Record<string, unknown>[]
  calls?: Record<string, Does>
  /**
   * More than its tools: so many others, a first tool with a long description, pages without end, or other titles each time.
   * `patterns`: instead of them 100 whose schemas have so many patterns, which are others each time.
   */
  list?:
    | { count: number }
    | { descriptionBytes: number }
    | { endless: true }
    /** Number of pages of one tool each; the one after them fails, or has the same cursor as the last. */
    | { pages: number; ends: 'fails' | 'repeats' }
    | { changing: true }
    | { patterns: number }
  endsWhenAsked?: boolean
  /** Requests that it answers nothing to, such as `tools/list`. */
  silent?: string[]
  /** Over HTTP, it answers as a stream of events. */
  streams?: boolean
  /** Name that it states. */
  calledAs?: string
  /** Line that it writes to its log at the start. */
  says?: string
  /** It starts a process of its own. */
  child?: boolean
}

/** Returns a definition of a tool with one text as its argument. */
export function textTool(name: string, fields: Record<string, unknown> = {}) {
  const properties = { text: { type: 'string' } }
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties, required: ['text'] },
    ...fields,
  }
}

/** Returns the command of a server that does what a file of JSON says. */
export function scriptedProgram(file: string): string[] {
  return [process.execPath, program, file]
}

/** Makes a program that a test can change while it runs, and reads what happened to it. */
export async function scriptedServer(script: Script) {
  const plan = await writePlan(script)
  return {
    ...plan,
    command: scriptedProgram(plan.file),
    /** Returns the number of its processes: its own, its children, and the sandbox around them. */
    running: () => processList().filter((line) => line.includes(plan.file)).length,
  }
}

/** Starts a server with an address of this machine that does the same. */
export async function scriptedAddress(script: Script) {
  const plan = await writePlan(script)
  const child = spawn(process.execPath, ['--import', endWithParent, overHttp, plan.file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  const close = async () => {
    const gone = once(child, 'exit')
    if (child.kill('SIGKILL')) await gone
    await plan.close()
  }
  return { ...plan, url: `http://127.0.0.1:${Number(port)}/mcp`, close }
}

async function writePlan(script: Script) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-mcp-'))
  const file = path.join(folder, 'script.json')
  const notes = path.join(folder, 'notes.txt')
  writeFileSync(notes, '')
  const change = (next: Script) => writeFileSync(file, JSON.stringify({ ...next, notes }))
  change(script)
  return {
    file,
    change,
    /** Each start of a program, each notification and each call, in order. */
    notes: () => readFileSync(notes, 'utf8').split('\n').filter(Boolean),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

function processList(): string[] {
  return execFileSync('ps', ['-eo', 'args']).toString().split('\n')
}
