import { beforeAll, expect, test } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { RunEvent } from '@/lib/protocol/run-event'
import { samplePromptsFor } from '@/lib/protocol/sample-prompts'
import { seed } from '@/prisma/seed'
import { db } from '../support/fixture-db'
import { toolgate } from '../support/toolgate-process'

const offered = builtinTools.filter(({ enabledByDefault, needs }) => enabledByDefault && !needs)
/** What the Playground of a new site shows its first admin. */
const shown = samplePromptsFor(offered.map(({ name }) => name)).slice(0, 3)

beforeAll(async () => {
  const source = { ADMIN_EMAIL: 'you@example.org', ADMIN_PASSWORD: 'pick four words yourself' }
  await seed({ source, ollamaUrl: 'http://127.0.0.1:1' })
  // What a server stores once it is ready; the log of tests has errors alone.
  await db().logEntry.create({
    data: { level: 'info', source: 'server', message: 'Toolgate is ready to work on runs' },
  })
})

test.each(shown)('on a new site, the demo finds something for “%s”', async (prompt) => {
  const run = await toolgate(['run', '--configuration', 'demo', '--prompt', prompt, '--json'])
  expect(run.code).toBe(0)
  const events: RunEvent[] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const calls = events.filter(({ type }) => type === 'call-end')
  expect(calls.length).toBeGreaterThan(0)
  for (const call of calls) expect(call).toMatchObject({ data: { outcome: { type: 'ok' } } })
  const answer = events
    .flatMap((event) => (event.type === 'message' ? [event.data.text] : []))
    .at(-1)
  expect(answer).toMatch(/returned .*entr|says:/)
  expect(answer).not.toMatch(/found nothing|gave no result/)
})
