// npm run tool:new NAME: asks what a built-in tool does and returns, and writes one to fill in with its test.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createInterface, type Interface } from 'node:readline/promises'
import { toolName } from '@/lib/engines/tools/define-tool'
import { DataClass, Effect } from '@/lib/protocol/tool'
import { dataClassInSentence, effectWords } from '@/lib/protocol/trust-words'
import { runSteps, StepError } from './steps/step.mjs'

const FOLDER = 'lib/engines/tools/builtin'

/** Declarations of a tool (SPEC T2). `limit` is a sentence part, such as "50 entries a call". */
type Declared = { effect: Effect; dataClass: DataClass; limit: string }

await runSteps(async () => addTool(process.argv[2] ?? ''))

async function addTool(name: string): Promise<void> {
  requireToolName(name)
  const base = `${FOLDER}/${name.replaceAll('_', '-')}`
  for (const file of [`${base}.ts`, `${base}.test.ts`]) {
    if (existsSync(file)) throw new StepError(`${file} exists already. Choose another name.`)
  }
  const declared = await askAbout()
  const files = { [`${base}.ts`]: toolText(name, declared), [`${base}.test.ts`]: testText(name) }
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text)
  writeIndex()
  console.log(nextSteps(name, base))
}

function writeIndex(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/generate-tool-index.mjs'],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new StepError('The index of tools could not be written.', stdout + stderr)
}

function requireToolName(name: string): void {
  if (name === '') throw new StepError('Give the tool a name: npm run tool:new count_words')
  if (toolName.test(name)) return
  throw new StepError(
    `"${name}" is not a tool name. Use lower-case words joined by single underscores, at most 64 characters, such as count_words.`,
  )
}

/** Asks in a terminal what the tool declares. Without one, it is a tool that reads content. */
async function askAbout(): Promise<Declared> {
  const usual = { effect: 'read', dataClass: 'content', limit: '10,000 characters' } as const
  if (!process.stdin.isTTY) {
    console.log(
      `There is no terminal to ask in. The tool is declared with effect ${usual.effect}, data class ${usual.dataClass} and limit ${usual.limit}: change them in its file.`,
    )
    return usual
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return {
      effect: await choose(
        terminal,
        'What does it do?',
        Effect.options,
        (each) => effectWords[each],
        usual.effect,
      ),
      dataClass: await choose(
        terminal,
        'What does it return, at most?',
        DataClass.options,
        dataClassInSentence,
        usual.dataClass,
      ),
      limit:
        (await terminal.question(`What does it refuse or cut beyond? (${usual.limit}) `)).trim() ||
        usual.limit,
    }
  } catch (error) {
    // Ctrl+C and Ctrl+D.
    if (error instanceof Error && error.name === 'AbortError') {
      throw new StepError('Nothing was written.')
    }
    throw error
  } finally {
    terminal.close()
  }
}

/** Asks for one of several values by its number, until it is one of them; nothing = the usual one. */
async function choose<T extends string>(
  terminal: Interface,
  question: string,
  values: readonly T[],
  words: (value: T) => string,
  usual: T,
): Promise<T> {
  console.log(question)
  for (const [place, value] of values.entries()) {
    console.log(`  ${place + 1}  ${value}: ${words(value)}`)
  }
  for (;;) {
    const answer = (await terminal.question(`Number (${values.indexOf(usual) + 1}): `)).trim()
    const value = answer === '' ? usual : values[Number(answer) - 1]
    if (value !== undefined) return value
    console.log(`Enter a number from 1 to ${values.length}.`)
  }
}

/** Returns the source of a new tool, which is off and for admins until its author decides otherwise. */
function toolText(name: string, { effect, dataClass, limit }: Declared): string {
  return `import { z } from 'zod'
import { defineTool } from '../define-tool'

export default defineTool({
  name: '${name}',
  description: 'Returns the text it was given. Say here what your tool does and when to use it.',
  isPlain: true, // Take this out when parts of a result may be missing, and return leftOut, too.
  group: 'extra', // Any word. Tools of a group are listed and switched together.
  parameters: z.object({ text: z.string().max(10_000).describe('Any text.') }),
  enabledByDefault: false,
  requiresAdmin: true,
  effect: '${effect}',
  dataClass: '${dataClass}',
  timeoutMs: 10_000,
  limits: [${quoted(limit)}],
  example: { text: 'Hello' },
  execute: async ({ text }) => ({ content: text }),
})
`
}

/** Returns a text as the source of a string, in the quotes that the formatter keeps. */
function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\')
  return text.includes("'") && !text.includes('"')
    ? `"${escaped}"`
    : `'${escaped.replaceAll("'", "\\'")}'`
}

/** Returns the source of its test. No line of it depends on the length of the name, so it is formatted for every name. */
function testText(name: string): string {
  return `import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import tool from './${name.replaceAll('_', '-')}'

it('returns the text it was given', async () => {
  expect(await callToolDirectly(tool, { text: 'Hello' })).toEqual({ content: 'Hello' })
})
`
}

function nextSteps(name: string, base: string): string {
  return `Wrote ${base}.ts and ${base}.test.ts.

Next:
  1. Edit both files: what the tool does, and what its test expects.
  2. Test it: npx vitest run ${base}.test.ts
     After "npm run quickstart", run "npm install" first: it adds the packages that only tests need.
  3. Let a server see it. One that runs with "npm run dev" restarts by itself. For one that runs with
     "npm start" or "npm run quickstart": stop it, then start it again with "npm run quickstart", which builds first.
  4. Switch it on: under Tools, or with "bin/toolgate tools enable ${name}".
  5. To add it to this repository, renew docs/tools.md and the recorded answers of the API, and name it in CHANGELOG.md:
     npx vitest run tests/tools-document.test.ts tests/integration/api-recording.test.ts -u`
}
