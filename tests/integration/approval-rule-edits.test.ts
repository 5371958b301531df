import { beforeAll, describe, expect, test } from 'vitest'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'

const ruleRoute = apiRoute('/approval-rules/{id}')

let admin: Ctx
beforeAll(async () => {
  admin = await addPerson('admin')
})

describe('a change of an approval rule', () => {
  test('does not put back what somebody else changed meanwhile', async () => {
    const off = { name: 'Twice', toolName: 'fetch_logs', enabled: false }
    const { id } = await approvalRuleVerbs.create(admin, off)
    const { updatedAt } = await approvalRuleVerbs.read(admin, { id })
    await approvalRuleVerbs.update(admin, { id, enabled: true })
    const late = approvalRuleVerbs.update(admin, { id, updatedAt, name: 'Late' })
    await expect(late).rejects.toMatchObject({ status: 409 })
    const now = await approvalRuleVerbs.read(admin, { id })
    expect(now).toMatchObject({ name: 'Twice', enabled: true })
    await approvalRuleVerbs.update(admin, { id, updatedAt: now.updatedAt, name: 'In time' })
    expect(await approvalRuleVerbs.read(admin, { id })).toMatchObject({
      name: 'In time',
      enabled: true,
    })
  })

  test('keeps the reason that was given over HTTP, of the rule and of its switch', async () => {
    const { id } = await approvalRuleVerbs.create(admin, { name: 'Why', toolName: 'fetch_logs' })
    const key = await apiKeyOf(admin, 'approval-rules:write')
    const send = async (json: object) => {
      const address = `/api/v1/approval-rules/${id}`
      const call = { key, params: { id }, json }
      expect((await ask(ruleRoute.PATCH, 'PATCH', address, call)).status).toBe(200)
    }
    await send({ toolName: 'get_env', enabled: false, reason: 'Later' })
    await send({ name: 'Because', reason: 'Clearer' })
    const entries = await db().auditEntry.findMany({
      where: { objectId: id, action: { not: 'approval-rule.create' } },
      orderBy: { at: 'asc' },
    })
    expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
      ['approval-rule.update', 'Later'],
      ['approval-rule.switch-off', 'Later'],
      ['approval-rule.update', 'Clearer'],
    ])
  })
})
