import { expect, test } from 'vitest'
import { z } from 'zod'
import { changed, verb } from '@/lib/edge/verb'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

test('two changes that deadlock are both made, and each is in the audit once', async () => {
  const admin = await addPerson('admin')
  const keys = ['deadlock-a', 'deadlock-b'] as const
  await db().setting.createMany({ data: keys.map((key) => ({ key, value: 0 })) })
  let waiting = 0
  let open: () => void = () => undefined
  const both = new Promise<void>((resolve) => {
    open = resolve
  })
  let attempts = 0
  const count = verb({
    name: 'thing.count',
    role: 'admin',
    scope: null,
    summary: 'Counts in two settings, in the order that it is told.',
    input: z.object({ keys: z.array(z.string()) }),
    run: async ({ tx }, input) => {
      attempts += 1
      for (const key of input.keys) {
        await tx.$executeRaw`UPDATE settings SET value = to_jsonb(value::int + 1) WHERE key = ${key}`
        waiting += 1
        if (waiting === 2) open()
        await both
      }
      return changed(undefined, { subject: input.keys.join() })
    },
  })
  await Promise.all([count(admin, { keys: [...keys] }), count(admin, { keys: keys.toReversed() })])
  expect(attempts).toBe(3)
  const settings = await db().setting.findMany({ where: { key: { in: [...keys] } } })
  expect(settings.map(({ value }) => value)).toEqual([2, 2])
  expect(await db().auditEntry.count({ where: { action: 'thing.count' } })).toBe(2)
  await db().setting.deleteMany({ where: { key: { in: [...keys] } } })
})
