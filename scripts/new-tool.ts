// npm run tool:new NAME: a built-in tool to fill in, and its test.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { toolName } from '@/lib/engines/tools/define-tool'
import { runSteps, StepError } from './steps/step.mjs'

const FOLDER = 'lib/engines/tools/builtin'

await runSteps(async () => addTool(process.argv[2] ?? ''))

function addTool(name: string): void {
  requireToolName(name)
  const base = `${FOLDER}/${name.replaceAll('_', '-')}`
  const files = { [`${base}.ts`]: toolText(name), [`${base}.test.ts`]: testText(name) }
  for (const file of Object.keys(files)) {
    if (existsSync(file)) throw new StepError(`${file} exists already. Choose another name.`)
  }
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

/** Returns the source of a new tool, which is off and for admins until its author decides otherwise. */
function toolText(name: string): string {
  return `import { z } from 'zod'
import { defineTool } from '../define-tool'

export default defineTool({
  name: '${name}',
  description: 'Returns the text it was given. Say here what your tool does and when to use it.',
  group: 'extra',
  parameters: z.object({ text: z.string().max(10_000).describe('Any text.') }),
  enabledByDefault: false,
  requiresAdmin: true,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: ['10,000 characters'],
  example: { text: 'Hello' },
  execute: async ({ text }) => ({ content: text }),
})
`
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
  4. Switch it on: under Tools, or with "bin/toolgate tools enable ${name}".`
}
