import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import {
  type Exchange,
  recordAnswers,
  recordRefusals,
} from '@/tests/support/api-recording/record-answers'
import { openRecordedSite, type RecordedSite } from '@/tests/support/api-recording/recorded-site'
import { scripts } from '@/tests/support/api-recording/scripts'

// After a change of answers that is wanted: `npx vitest run tests/integration/api-recording.test.ts -u`, then read the diff.

let site: RecordedSite
const recorded = new Map<string, { exchanges: Exchange[]; refusals: string }>()

beforeAll(async () => {
  site = await openRecordedSite()
  for (const [name, script] of Object.entries(scripts)) {
    const exchanges = await recordAnswers(site, script)
    recorded.set(name, { exchanges, refusals: await recordRefusals(site) })
  }
}, 240_000)
afterAll(() => site.close())

test.each(Object.keys(scripts))('%s answer as recorded', async (name) => {
  const { exchanges, refusals } = recorded.get(name) ?? { exchanges: [], refusals: '' }
  const texts = [...exchanges.map(({ text }) => text), refusals]
  const advice = 'If this change is meant, renew the recording: add -u to this command.'
  await expect(`${texts.join('\n\n')}\n`, advice).toMatchFileSnapshot(`__recordings__/${name}.txt`)
})

test('every request that is served is among the recorded ones, with success', () => {
  const all = [...recorded.values()].flatMap(({ exchanges }) => exchanges)
  const exchanges = all.filter(({ status }) => status < 300)
  const missing = endpoints.filter(({ method, path }) => {
    const shape = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/?]+')}($|\\?)`)
    return !exchanges.some(({ ask }) => shape.test(ask))
  })
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})
