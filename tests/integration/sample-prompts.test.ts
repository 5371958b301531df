import { beforeAll, expect, test } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { samplePromptsFor } from '@/lib/protocol/sample-prompts'
import { seed } from '@/prisma/seed'
import { db } from '@/tests/support/fixture-db'
import { toolgate } from '@/tests/support/toolgate-process'

const offered = builtinTools.filter(({ enabledByDefault, needs }) => enabledByDefault && !needs)
/** Prompts that the Playground of a new site shows its first admin. */
const shown = samplePromptsFor(offered.map(({ name }) => name)).slice(0, 3)

beforeAll(async () => {
  const source = { ADMIN_EMAIL: 'you@example.org', ADMIN_PASSWORD: 'pick four words yourself' }
  await seed({ source, ollamaUrl: 'http://127.0.0.1:1' })
  // Log entry of a server that is ready; the log of tests has errors alone.
  await db().logEntry.create({
    data: { level: 'info', source: 'server', message: 'Toolgate is ready to work on runs' },
  })
})

/** Returns how the calls of a run of the demo ended, and its answer. */
async function ask(prompt: string) {
  const run = await toolgate(['run', '--configuration', 'demo', '--prompt', prompt, '--json'])
  expect(run.code).toBe(0)
  const events: RunEvent[] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return {
    outcomes: events.flatMap((event) => (event.type === 'call-end' ? [event.data.outcome] : [])),
    answer: events.flatMap((event) => (event.type === 'message' ? [event.data.text] : [])).at(-1),
  }
}

test.each(shown)('on a new site, the demo finds something for “%s”', async (prompt) => {
  const { outcomes, answer } = await ask(prompt)
  expect(outcomes.length).toBeGreaterThan(0)
  for (const outcome of outcomes) expect(outcome).toMatchObject({ type: 'ok' })
  expect(answer).toMatch(/returned .*entr|says:/)
  expect(answer).not.toMatch(/found nothing|gave no result/)
})

test('plain words lead to calls that gates decide, and the answer says what they said', async () => {
  const { outcomes, answer } = await ask(
    'First calculate 17 * 3, then use get_env_raw, and then write notes.md in handbook with Hello',
  )
  expect(outcomes).toMatchObject([
    { type: 'ok' },
    { type: 'denied', gate: 'enabled' },
    { type: 'denied', gate: 'registered' },
  ])
  expect(answer).toContain('51')
  expect(answer).toContain('**`get_env_raw`** was not run:')
  expect(answer).toContain('An admin can switch it on under **Tools**.')
  expect(answer).toContain('a workspace, a host,')
})
