import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOwnProcessCommands } from '@/lib/doors/cli/commands/installation'
import { buildProgram } from '@/lib/doors/cli/program'
import type { Engine } from '@/lib/runs/engine/engine'
import { answerRequest } from '@/tests/support/api-routes'
import { curlRequest } from '@/tests/support/curl-request'
import { documentPlans } from '@/tests/support/document-plans'
import type { Stage } from '@/tests/support/document-stage'
import { openDocumentedSite } from '@/tests/support/documented-site'
import { type FencedBlock, fencedBlocks } from '@/tests/support/fenced-blocks'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { readSse } from '@/tests/support/read-sse'
import { type ShellCommand, shellCommands } from '@/tests/support/shell-words'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'

const documents = [
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const folder = mkdtempSync(path.join(tmpdir(), 'toolgate-documents-'))
const skillsFolder = path.join(folder, 'skills')
mkdirSync(skillsFolder)
setEnv({ TOOLGATE_SKILLS_DIR: skillsFolder })

let server: ModelServer
let engine: Engine
beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

const firstLine = ({ text }: FencedBlock) => text.split('\n')[0] ?? ''

describe.each(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8')
  const blocks = fencedBlocks(text)
  const plan = documentPlans[document] ?? {}
  let stage: Stage

  beforeAll(async () => {
    if (blocks.length === 0) return
    const own = mkdtempSync(path.join(folder, 'document-'))
    stage = {
      admin: await openDocumentedSite(),
      folder: own,
      skillsFolder,
      modelUrl: server.url,
      variables: new Map(),
      closing: [],
    }
    await plan.given?.(stage)
  })
  afterAll(async () => {
    for (const close of stage?.closing ?? []) await close()
  })

  test.each(blocks.map((block) => [block.line, firstLine(block), block] as const))(
    'line %i: %s',
    async (_line, first, block) => {
      await plan.before?.[first]?.(stage)
      const trial = plan.blocks?.[first]
      if (typeof trial === 'string') return
      if (trial) return trial(block.text, stage)
      for (const command of shellCommands(replaced(block.text), stage.variables)) await run(command)
    },
  )

  /** Returns the text with values in place of its placeholders. */
  function replaced(block: string): string {
    const words = {
      ...plan.words?.(stage),
      ...Object.fromEntries([...stage.variables].filter(([name]) => name === '…')),
    }
    return Object.entries(words).reduce(
      (done, [word, value]) => done.replaceAll(word, value),
      block,
    )
  }

  async function run({ words: [program = '', ...rest], inputFile }: ShellCommand): Promise<void> {
    if (program === 'curl') return ask(rest)
    expect(
      program.replace(/^bin\//, ''),
      'A block of commands begins each with toolgate or curl; list others in document-plans.ts',
    ).toBe('toolgate')
    const input = inputFile === null ? '' : readFileSync(inputFile, 'utf8')
    const finished = await toolgate(rest, { input })
    expect(finished, rest.join(' ')).toMatchObject({ code: 0, stderr: '' })
    const starts = rest[0] === 'run' && rest[1]?.startsWith('--')
    if (starts) expect(finished.stdout).toContain('"type":"ok"')
    if (rest[0] === 'api-key')
      stage.variables.set('KEY', finished.stdout.trim().split('\n').at(-1) ?? '')
    if (rest[0] === 'connection') await stayHere()
    const [, runId] = /"runId":"([0-9a-f-]{36})"/.exec(finished.stdout) ?? []
    if (rest[0] === 'run' && runId) stage.variables.set('RUN', runId)
  }

  async function ask(args: string[]): Promise<void> {
    const response = await answerRequest(curlRequest(args))
    expect(response.ok, `${response.status} ${args.join(' ')}`).toBe(true)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const events = await readSse(response)
      expect(events.at(-1)?.type).toBe('run-end')
      expect(events.filter(({ type }) => type === 'call-end')).not.toEqual([])
      return
    }
    const { runId } = await response.json()
    if (runId) stage.variables.set('RUN', runId)
  }

  test('its plan names no block that is not there', () => {
    const lines = blocks.map(firstLine)
    const named = [...Object.keys(plan.blocks ?? {}), ...Object.keys(plan.before ?? {})]
    expect(named.filter((line) => !lines.includes(line))).toEqual([])
  })

  test('commands inside its text exist, with their options', () => {
    const prose = text.replaceAll(/^```.*?^```/gms, '')
    const mentioned = [...prose.matchAll(/`(?:bin\/)?(toolgate [^`]+)`/g)].map(
      ([, command = '']) => command,
    )
    const unknown = mentioned.filter((command) => {
      const [{ words } = { words: [] }] = shellCommands(command, new Map())
      return !isKnown(words.slice(1))
    })
    expect(unknown).toEqual([])
  })

  test('the scripts of npm that it names exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const named = [...text.matchAll(/npm (?:run )?(quickstart|start|test|(?<=run )[\w:]+)/g)].map(
      ([, name = '']) => name,
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

test('every plan is that of a document', () => {
  expect(Object.keys(documentPlans).filter((name) => !documents.includes(name))).toEqual([])
})

/** Points the connections of the examples to a server of this test, because no example may reach a real provider. */
async function stayHere(): Promise<void> {
  const baseUrl = `${server.url}/v1`
  await db().connection.updateMany({
    where: { wire: 'openai' },
    data: { baseUrl, privateAddressAllowed: true },
  })
}

/** Capitals and "…" stand for something; what follows them is not looked at. */
function isKnown(words: readonly string[]): boolean {
  let command = buildProgram()
  addOwnProcessCommands(command)
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (/^(…|[A-Z]{2,}|--help$)/.test(word)) return true
    if (word.startsWith('--')) {
      const option = command.options.find(({ long }) => long === word.split('=')[0])
      if (!option) return false
      if (option.required && !word.includes('=')) index += 1
      continue
    }
    const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word))
    if (next) command = next
    else if (command.registeredArguments.length === 0) return false
  }
  return true
}
