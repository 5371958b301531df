import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hasStarted } from '@/lib/runs/lists/has-started'
import { addPanel } from '@/tests/support/add-panel'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

test('a start that arrived, of a run or a panel, is known to its person alone', async () => {
  const [mine, other] = [await addPerson('member'), await addPerson('admin')]
  const run = { id: randomUUID(), userId: mine.actor.userId, request: {}, prompt: 'p' }
  await db().run.create({ data: { ...run, idempotencyKey: 'of a run' } })
  const id = await addPanel(mine, [])
  await db().panel.update({ where: { id }, data: { idempotencyKey: 'of a panel' } })
  for (const key of ['of a run', 'of a panel']) {
    expect(await hasStarted(mine, { key })).toBe(true)
    expect(await hasStarted(other, { key })).toBe(false)
  }
  expect(await hasStarted(mine, { key: 'of nothing' })).toBe(false)
})
