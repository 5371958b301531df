import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { streamRuns } from '@/lib/runs/journal/watch-run'
import { cancelRun } from '@/lib/runs/verbs'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { words } from '@/tests/support/words'

let server: ModelServer
let site: RunSite
let member: Ctx
let engine: Awaited<ReturnType<typeof startTestEngine>>

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  member = await addPerson('member')
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Reads the stream of these runs to its end, or until `until`. Returns its frames without comments. */
async function read(
  ctx: Ctx,
  runs: string[],
  recheck: () => Promise<Ctx | null> = async () => ctx,
  until: (frame: string) => boolean = () => false,
): Promise<string[]> {
  const left = new AbortController()
  const address = `http://localhost/api/events?${runs.map((run) => `run=${run}`).join('&')}`
  const request = new Request(address, { signal: left.signal })
  const { body } = await streamRuns({ ctx, request, recheck })
  const frames: string[] = []
  let rest = ''
  for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop() ?? ''
    const whole = parts.filter((part) => part.includes('data: '))
    frames.push(...whole)
    if (whole.some(until)) break
  }
  left.abort()
  return frames
}

const slow = (text: string) => `[[say slowly 60ms: ${text}]]`
const endOf = (runId: string, refused: boolean) =>
  `event: end\ndata: ${JSON.stringify({ runId, refused })}`
const idsOf = (frames: string[], runId: string) =>
  frames.flatMap((frame) => (frame.startsWith(`id: ${runId}:`) ? [frame.split(/[:\n]/)[2]] : []))
const textOf = (frames: string[], runId: string) =>
  frames
    .filter((frame) => frame.startsWith(`id: ${runId}:`) && frame.includes('"text-delta"'))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).data.text)
    .join('')

test('J3: one stream carries several runs, each from its place to its end', async () => {
  const texts = [words(20), words(21)]
  const [one, two] = await Promise.all(texts.map((text) => start(site, slow(text))))
  if (!one || !two) throw new Error('There are no runs.')
  const isText = (frame: string) =>
    frame.includes('"text-delta"') && frame.startsWith(`id: ${two.runId}`)
  const begun = await read(site.admin, [`${one.runId}:0`, `${two.runId}:0`], undefined, isText)
  const places = [one, two].map(({ runId }) => `${runId}:${idsOf(begun, runId).at(-1) ?? 0}`)
  const rest = await read(site.admin, places)
  for (const [index, { runId }] of [one, two].entries()) {
    const events = [...begun, ...rest].flatMap((frame) => {
      const id = frame.startsWith(`id: ${runId}:`) ? idsOf([frame], runId)[0] : undefined
      return id?.includes('.') === false ? [Number(id)] : []
    })
    expect(events).toEqual((await collect(site.admin, runId)).map((_, at) => at + 1))
    expect(textOf([...begun, ...rest], runId)).toBe(texts[index])
    expect(rest.filter((frame) => frame === endOf(runId, false))).toHaveLength(1)
  }
})

test('J3: a run that is not theirs is refused in the same words as none, and the others go on', async () => {
  const { runId } = await start(site, 'mine')
  const missing = '019a0000-0000-7000-8000-0000000000ff'
  const frames = await read(member, [`${runId}:0`, `${missing}:0`, 'no-id:0'])
  expect(frames.toSorted()).toEqual(
    [runId, missing, 'no-id'].map((each) => endOf(each, true)).toSorted(),
  )
  for (const runs of [[], [`${runId}:x`], Array.from({ length: 101 }, () => `${runId}:0`)]) {
    await expect(read(site.admin, runs)).rejects.toThrow()
  }
})

test('J3: who may no longer see a run loses it within 5 s, and who is signed out loses all', async () => {
  const { runId } = await start(site, slow(words(200)))
  const begunAt = Date.now()
  const demoted: Ctx = { ...site.admin, actor: member.actor }
  const frames = await read(site.admin, [`${runId}:0`], async () => demoted)
  expect(frames.at(-1)).toBe(endOf(runId, true))
  const closed = await read(site.admin, [`${runId}:0`], async () => null)
  expect(closed.length).toBeGreaterThan(0)
  expect(closed.some((frame) => frame.startsWith('event: end'))).toBe(false)
  expect(Date.now() - begunAt).toBeLessThan(promised(10_000))
  await cancelRun(site.admin, { runId, reason: '' })
  await collect(site.admin, runId)
})
