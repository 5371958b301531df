import { expect } from 'vitest'
import { checkBudgets } from '@/lib/domains/budgets/check-budgets'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'

/** Counters equal the ledger, and the ledger the usage records, to the micro-dollar. */
export async function expectLedger(admin: Ctx): Promise<void> {
  expect((await checkBudgets(admin)).differences).toEqual([])
  const settled = await db().budgetReservation.findMany({
    where: { status: 'settled', budget: { unit: 'micro_usd', unpriced: 'refuse' } },
  })
  const records = await db().usageRecord.findMany({
    where: { id: { in: settled.map(({ callId }) => callId) } },
  })
  const sum = (figures: (bigint | null)[]) => figures.reduce((a, b) => Number(a) + Number(b), 0)
  expect(sum(settled.map((row) => row.settled))).toBe(sum(records.map((row) => row.costMicroUsd)))
}
