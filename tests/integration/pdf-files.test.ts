import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createBudget } from '@/lib/budgets/create-budget'
import { db } from '@/lib/db'
import { uploadFile } from '@/lib/files/upload-file'
import { foldRun } from '@/lib/protocol/fold-run'
import type { RunEvent } from '@/lib/protocol/run-event'
import { startEngine } from '@/lib/runs/engine'
import type { Engine } from '@/lib/runs/running-engine'
import { closeWake } from '@/lib/runs/wake'
import { makePdf, pagesOf } from '../support/make-pdf'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '../support/run-site'

let server: ModelServer
let engine: Engine
let site: RunSite

vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: 'Two pages.' }) })
  engine = await startEngine('server')
  site = await addRunSite(server.url, 'openai')
  const budget = { scope: 'site', window: 'day', unit: 'tokens', amount: 10_000_000 } as const
  await createBudget(site.admin, budget)
})
afterAll(async () => {
  await engine.drain()
  await closeWake()
  await server.close()
})

const upload = (content: Buffer) =>
  uploadFile(site.admin, { name: 'bill.pdf', content, dataClass: null })

/** What was held for the first request of a run with this file, and its first event. */
async function heldFor(id: string): Promise<{ held: number; first: RunEvent | undefined }> {
  const { runId } = await start(site, 'Sum it up.', { files: [{ id }], tools: [] })
  const events = await collect(site.admin, runId)
  return { held: foldRun(events).rounds[0]?.worst?.inputTokens ?? 0, first: events[0] }
}

test('a PDF is measured at its upload, and a run holds its pages and no whole window', async () => {
  const file = await upload(makePdf(pagesOf(['One.', 'Two.'])))
  expect(file).toMatchObject({ type: 'application/pdf', pages: 2 })
  const audited = await db().auditEntry.findFirstOrThrow({ where: { objectId: file.id } })
  expect(audited.after).toMatchObject({ pages: 2 })
  const { held, first } = await heldFor(file.id)
  expect(first).toMatchObject({ data: { files: [{ pages: 2, mostTokens: expect.any(Number) }] } })
  expect(held).toBeGreaterThanOrEqual(2 * (15_115 + 3_000))
  expect(held).toBeLessThan(45_000)
})

test('a PDF that can be read in two ways holds the window of the model', async () => {
  const pages = pagesOf(['One.', 'Two.'])
  const hidden = { data: '9 0 obj << /Kids [4 0 R] >> endobj' }
  const file = await upload(makePdf([...pages, [20, hidden]]))
  expect(file.pages).toBeNull()
  const { held, first } = await heldFor(file.id)
  expect(first?.type === 'run-start' && first.data.files?.[0]).not.toHaveProperty('pages')
  expect(held).toBe(100_000)
})
