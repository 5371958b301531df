import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright/test'
import { findBrowser } from '@/scripts/steps/find-browser.mjs'
import { longAnswers } from '@/tests/support/long-answers'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import { configuration } from '@/tools/bench/scratch-site'

/** Cost of a page for its reader; `missed`: the goals that it does not meet. */
export type BrowserRow = { what: string; figures: string; missed: string[] }

type Site = { baseUrl: string; modelUrl: string; cookie: string; apiKey: string }

const tokens = 5_000
const charactersPerToken = 4
const tokenMs = 4
/** Delay of a run's answer, so that its page is open by then. */
const beforeMs = 4_000
const goalShare = 0.2
/** The second half of an answer may cost this much more than the first, in which the screen is not full yet. */
const goalGrowth = 1.25
const goalTaskMs = 100

/** Measures in Chromium what live and long runs cost the main thread of their page. */
export async function measureBrowser(site: Site, longRun: string): Promise<BrowserRow[]> {
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-dev-shm-usage', '--disable-gpu'],
  })
  try {
    const rows: BrowserRow[] = []
    for (const [shape, answerOf] of Object.entries(longAnswers)) {
      const text = answerOf(tokens * charactersPerToken)
      rows.push(await watched(browser, site, (page) => measureStream(page, site, shape, text)))
    }
    rows.push(await watched(browser, site, (page) => measureCalls(page, site)))
    rows.push(await watched(browser, site, (page) => measureLongTrace(page, site, longRun)))
    return rows
  } finally {
    await browser.close()
  }
}

/** Works with a page of its own, signed in. */
async function watched<T>(
  browser: Browser,
  { baseUrl, cookie }: Site,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: baseUrl }])
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Starts a run whose answers are these turns, and opens its page. */
async function openRun(
  page: Page,
  { baseUrl, modelUrl, apiKey }: Site,
  turns: ScriptedTurn[],
): Promise<string> {
  const json = { 'content-type': 'application/json' }
  await fetch(`${modelUrl}/__script`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ turns }),
  })
  const answer = await fetch(`${baseUrl}/api/v1/runs`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ configuration, prompt: 'Measure', tools: ['slow_read'], maxRounds: 20 }),
  })
  if (answer.status !== 202) throw new Error(`No run: ${await answer.text()}`)
  const { runId } = (await answer.json()) as { runId: string }
  await page.goto(`${baseUrl}/runs/${runId}`)
  return runId
}

function beganToAnswer(): boolean {
  const text = document.querySelector('section[aria-label="Round 1"]')?.textContent ?? ''
  return text !== '' && !text.includes('Waiting for the model')
}

/** Waits for the end of a run without looking at its page, which would cost the page time. */
async function untilEnd({ baseUrl, apiKey }: Site, runId: string): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${apiKey}` }
    const answer = await fetch(`${baseUrl}/api/v1/runs/${runId}`, { headers })
    const { status } = (await answer.json()) as { status: string }
    if (status === 'ended') return
    await wait(500)
  }
}

/** When it was looked, the processor time that the main thread has used by then, both in seconds, and its layouts. */
type Sample = { at: number; used: number; layouts: number }

async function sample(session: CDPSession): Promise<Sample> {
  const { metrics } = await session.send('Performance.getMetrics')
  const metricOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  const used = metricOf('TaskDuration')
  return { at: performance.now() / 1000, used, layouts: metricOf('LayoutCount') }
}

async function measureStream(
  page: Page,
  site: Site,
  shape: string,
  text: string,
): Promise<BrowserRow> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const chunks = text.match(/[\s\S]{1,4}/g) ?? []
  const runId = await openRun(page, site, [{ text: chunks, chunkDelayMs: tokenMs, beforeMs }])
  // Looks seldom, because that costs the page time.
  await page.waitForFunction(beganToAnswer, undefined, { polling: 250 })
  const samples: Sample[] = []
  let ended = false
  const end = untilEnd(site, runId).then(() => {
    ended = true
  })
  while (!ended) {
    samples.push(await sample(session))
    await wait(250)
  }
  await end
  const marks = [0, 1, 2, 3, 4].map(
    (quarter) => samples[Math.floor((quarter * (samples.length - 1)) / 4)] as Sample,
  )
  const parts = marks.slice(1).map((to, at) => ({ from: marks[at] as Sample, to }))
  const shares = parts.map(({ from, to }) => (to.used - from.used) / (to.at - from.at))
  const layouts = parts.map(({ from, to }) => (to.layouts - from.layouts) / (to.at - from.at))
  const [a = 0, b = 0, c = 0, d = 0] = shares
  const whole = (a + b + c + d) / 4
  return {
    what: `${shape}, ${text.length} characters in ${chunks.length} tokens`,
    figures: `${shares.map(percent).join(', ')} of the main thread in each quarter; ${layouts.map((rate) => rate.toFixed(0)).join(', ')} updates a second`,
    missed: [
      ...(whole < goalShare ? [] : [`over ${percent(goalShare)}`]),
      ...(c + d <= (a + b) * goalGrowth ? [] : ['not flat']),
    ],
  }
}

async function measureCalls(page: Page, site: Site): Promise<BrowserRow> {
  const calls = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: 'slow_read',
      arguments: { ms: 1_500 + 10 * at, label: `Call ${from + at}` },
    }))
  const runId = await openRun(page, site, [
    { calls: calls(0, 60), chunkDelayMs: 2, beforeMs },
    ...[1, 2, 3].map((part) => ({ calls: calls(part * 100, 16), chunkDelayMs: 2 })),
    { text: 'Done.' },
  ])
  const longest = await longestTask(page, () => untilEnd(site, runId))
  return {
    what: 'live calls: 60 asked for at once, then three rounds of 16',
    figures: `longest task ${longest.toFixed(0)} ms`,
    missed: longest > goalTaskMs ? [`over ${goalTaskMs} ms`] : [],
  }
}

async function measureLongTrace(page: Page, { baseUrl }: Site, longRun: string) {
  const began = performance.now()
  let kb = 0
  const opening = await longestTask(page, async () => {
    const answer = await page.goto(`${baseUrl}/runs/${longRun}`)
    kb = ((await answer?.body())?.byteLength ?? 0) / 1024
    await page.waitForFunction(hasLastRound, undefined, { polling: 500, timeout: 120_000 })
  })
  const openMs = performance.now() - began
  const scrolling = await longestTask(page, () => page.evaluate(scrollThrough))
  const longest = Math.max(opening, scrolling)
  return {
    what: 'a trace of 10,000 events',
    figures: `${kb.toFixed(0)} KB of HTML, whole in ${(openMs / 1000).toFixed(1)} s; longest task ${opening.toFixed(0)} ms, while it scrolls ${scrolling.toFixed(0)} ms`,
    missed: longest > goalTaskMs ? [`over ${goalTaskMs} ms`] : [],
  }
}

/** Returns whether the last round of the long run is there. It reads no text, which would take the page long. */
function hasLastRound(): boolean {
  return document.querySelector('section[aria-label="Round 2500"]') !== null
}

/** Scrolls by screens, and then through all of the page. */
async function scrollThrough(): Promise<void> {
  for (let step = 0; step < 300; step += 1) {
    window.scrollBy(0, step < 150 ? 150 : document.documentElement.scrollHeight / 200)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/** Returns the processor time of the longest task of a page while `work` is done, in milliseconds. */
async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser.')
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const trace = await browser.stopTracing()
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString())
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  )
  const main = new Set(mains.map(threadOf))
  const tasks = traceEvents.filter((event) => main.has(threadOf(event)))
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
