import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const program = path.resolve(import.meta.dirname, 'scripted-server.mjs')

/** What one call of a tool does; left out = it returns its arguments as text. */
type Does =
  | { text: string }
  | { result: Record<string, unknown> }
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
  /** Answers a request that nobody made. */
  | { otherId: true }

/** What a scripted server is and does; `endsWhenAsked`: it ends at a request that it does not know. */
export type Script = {
  tools: Record<string, unknown>[]
  calls?: Record<string, Does>
  endsWhenAsked?: boolean
  /** Requests that it answers nothing to, such as `tools/list`. */
  silent?: string[]
  /** What it calls itself. */
  calledAs?: string
  /** What it writes to its log at the start. */
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
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-mcp-'))
  const file = path.join(folder, 'script.json')
  const notes = path.join(folder, 'notes.txt')
  writeFileSync(notes, '')
  const change = (next: Script) => writeFileSync(file, JSON.stringify({ ...next, notes }))
  change(script)
  const command = scriptedProgram(file)
  return {
    command,
    change,
    /** How many processes it has: of itself, what it started, and what holds it. */
    running: () => processList().filter((line) => line.includes(file)).length,
    /** Each start of it, each notification and each call, in order. */
    notes: () => readFileSync(notes, 'utf8').split('\n').filter(Boolean),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

function processList(): string[] {
  return execFileSync('ps', ['-eo', 'args']).toString().split('\n')
}
