import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { anthropicBody } from '@/lib/engines/providers/anthropic/anthropic-request'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { Engine } from '@/lib/runs/engine/engine'
import { measurePdf } from '@/lib/runs/files/measure-pdf'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { loadAttachments } from '@/lib/runs/work/load-attachments'
import { db } from '@/tests/support/fixture-db'
import { makePdf, pagesOf } from '@/tests/support/make-pdf'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { runSnapshot } from '@/tests/support/run-fixture'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

vi.mock('@/lib/runs/files/measure-pdf', async (original) => ({
  measurePdf: vi.fn((await original<{ measurePdf: typeof measurePdf }>()).measurePdf),
}))

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: 'Two pages.' }) })
  engine = await startTestEngine()
  site = await addRunSite(server.url, 'openai')
  const budget = { scope: 'site', window: 'day', unit: 'tokens', amount: 10_000_000 } as const
  await budgetVerbs.create(site.admin, budget)
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

const upload = (content: Buffer) =>
  uploadFile(site.admin, { name: 'bill.pdf', pieces: [new Uint8Array(content)], dataClass: null })

/** Returns what was reserved for the first request of a run with this file, and its first event. */
async function heldFor(id: string): Promise<{ held: number; first: RunEvent | undefined }> {
  const { runId } = await start(site, 'Sum it up.', { files: [{ id }], tools: [] })
  const events = eventsIn(await collect(site.admin, runId))
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

test('a request holds the bytes of its files and its body, and nothing is held behind it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const heldBytes = async () => {
    for (let turn = 0; turn < 3; turn++) {
      await wait(20)
      collectGarbage()
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const mebibyte = 1024 * 1024
  const pages = pagesOf(['One.'])
  const { id, sha256, bytes } = await upload(
    makePdf([...pages, [20, { data: Buffer.alloc(19 * mebibyte, '.') }]]),
  )
  const file = {
    id,
    sha256,
    bytes,
    name: 'a.pdf',
    type: 'application/pdf',
    dataClass: 'content',
  } as const
  const request: ModelRequest = {
    modelId: 'm',
    system: '',
    tools: [],
    parameters: runSnapshot().parameters,
    messages: [
      {
        role: 'user',
        text: 'Sum.',
        attachments: [{ ...file, fence: { nonce: 'n', canary: 'c' } }],
      },
    ],
  }
  const ask = async (input: ModelRequest) => {
    const whole = await loadAttachments(db(), input)
    return { whole, body: anthropicBody(whole) }
  }
  const askTwice = async (input: ModelRequest) => {
    for (let round = 0; round < 2; round++) await ask(input)
  }
  // Modules that this loads stay; data of other messages does not.
  await askTwice({ ...request, messages: structuredClone(request.messages) })
  const before = await heldBytes()
  const heldWhileAsking = async () => {
    const { whole, body } = await ask(request)
    const held = (await heldBytes()) - before
    expect(whole.messages).toHaveLength(1)
    expect(body.length).toBeGreaterThan(25 * mebibyte)
    return held
  }
  expect(await heldWhileAsking()).toBeLessThan(48 * mebibyte)
  await askTwice(request)
  expect((await heldBytes()) - before).toBeLessThan(4 * mebibyte)
})

test('a PDF of somebody who uploaded too much is not even measured', async () => {
  const { id: _, ...stored } = await db().storedFile.findFirstOrThrow({ where: { usedAt: null } })
  await db().storedFile.createMany({ data: Array.from({ length: 100 }, () => stored) })
  vi.mocked(measurePdf).mockClear()
  await expect(upload(makePdf(pagesOf(['Three.'])))).rejects.toThrow('too many files')
  expect(measurePdf).not.toHaveBeenCalled()
})
