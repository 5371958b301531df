import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type APIRequest, type Browser, type Page, test } from 'playwright/test'
import { placesFor } from '@/components/shell/destinations'
import { readSite, stateFile } from '@/tests/e2e/support/site'
import { printTable } from '../bench/print-table'

const folder = path.resolve('.data/sheet')
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const looks = [
  { name: 'desktop-light', colorScheme: 'light', viewport: desktop },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: desktop },
  { name: 'phone-light', colorScheme: 'light', viewport: phone },
  { name: 'phone-dark', colorScheme: 'dark', viewport: phone },
] as const
/** Pages of one object and forms that no entry of the menu names. */
const further = ['/connect', '/configurations/new', '/approvals/rules/new', '/playground?task=wide']
const prompts = [
  'How warm is it in Oslo today, and what should I pack for two days of walking? [[say: 4 °C and rain.]]',
  '[[call calculate {"expression":"17*23"}]] [[call list_users {}]] [[then]] [[say: 391.]]',
  'Summarise the incident of Tuesday [[status 401]]',
]
const rowsOfSheet = 3

type Figures = { address: string; words: number; tall: Record<string, number>; kilobytes: number }

test('every page in four looks', async ({ browser, playwright }) => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const runs = await makeRuns(playwright.request)
  const named = placesFor('admin').map(({ href }) => href)
  const addresses = [...named, ...further, ...runs, ...readSite().wide]
  const pages = await openPages(browser)
  const all: Figures[] = []
  for (const [index, address] of addresses.entries()) {
    const figures: Figures = { address, words: 0, tall: {}, kilobytes: 0 }
    for (const [name, page] of pages) await picture(page, name, index, figures)
    all.push(figures)
  }
  await writeSheets(browser, all)
  writeFileSync(path.join(folder, 'figures.json'), JSON.stringify(all, null, 2))
  printFigures(all)
})

/** Runs prompts that answer at once, call tools and fail; returns the addresses of the runs. */
async function makeRuns(request: APIRequest): Promise<string[]> {
  const { port, adminKey } = readSite()
  const client = await request.newContext({
    baseURL: `http://localhost:${port}`,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${adminKey}` },
  })
  const addresses: string[] = []
  for (const prompt of prompts) {
    const started = await client.post('/api/v1/runs', {
      data: { configuration: 'local-openai-compatible', prompt },
    })
    if (!started.ok()) throw new Error(await started.text())
    addresses.push(`/runs/${(await started.json()).runId}`)
  }
  await client.dispose()
  return addresses
}

/** Opens one page for each look, signed in as the admin. */
async function openPages(browser: Browser): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  for (const { name, ...look } of looks) {
    const context = await browser.newContext({
      ...look,
      storageState: stateFile('admin'),
      baseURL: `http://localhost:${readSite().port}`,
      reducedMotion: 'reduce',
    })
    pages.set(name, await context.newPage())
  }
  return pages
}

/** Takes a picture of an address in one look, from its top to its end, and adds what was counted. */
async function picture(page: Page, look: string, index: number, figures: Figures): Promise<void> {
  const response = await page.goto(figures.address)
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await page.waitForTimeout(500)
  // The frame scrolls its content by itself: the window is made as tall as what it holds.
  const tall = await page.evaluate(tallest)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width, height: Math.min(Math.max(tall, height), 8000) })
  await page.screenshot({ path: path.join(folder, `${index}-${look}.png`) })
  await page.setViewportSize({ width, height })
  figures.tall[look] = tall
  if (look !== 'desktop-light') return
  figures.words = await page.evaluate(countWords)
  figures.kilobytes = Math.round(((await response?.body())?.length ?? 0) / 1024)
}

function tallest(): number {
  return Math.max(...[...document.querySelectorAll('html, main')].map((each) => each.scrollHeight))
}

/** Counts the words of the content that a reader sees, without those of the frame. */
function countWords(): number {
  const text = document.querySelector('main')?.innerText ?? ''
  return text.match(/\p{L}[\p{L}'’-]*/gu)?.length ?? 0
}

/** Lays the pictures of a few addresses at a time side by side, a row for each address. */
async function writeSheets(browser: Browser, all: readonly Figures[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } })
  for (let first = 0; first < all.length; first += rowsOfSheet) {
    const rows = all.slice(first, first + rowsOfSheet).map(({ address }, offset) => {
      const images = looks.map(({ name, viewport }) => {
        const width = viewport === desktop ? 520 : 240
        return `<img src="${first + offset}-${name}.png" width="${width}" alt="${name}">`
      })
      return `<h2>${address.replaceAll(/[<&]/g, ' ')}</h2><div>${images.join('')}</div>`
    })
    const name = path.join(folder, `sheet-${first / rowsOfSheet + 1}`)
    writeFileSync(
      `${name}.html`,
      `<!doctype html><meta charset="utf-8"><style>${style}</style>${rows.join('')}`,
    )
    await page.goto(`file://${name}.html`)
    await page.screenshot({ path: `${name}.png`, fullPage: true })
  }
}

const style = `body{margin:8px;background:#777;font:14px sans-serif}h2{font-size:14px;margin:8px 0 4px}
div{display:flex;gap:6px;align-items:flex-start;max-height:900px;overflow:hidden}`

function printFigures(all: readonly Figures[]): void {
  const rows = all.map(({ address, words, tall, kilobytes }) => [
    address,
    String(words),
    String(tall['desktop-light']),
    String(tall['phone-light']),
    String(kilobytes),
  ])
  const sum = all.reduce((words, each) => words + each.words, 0)
  printTable(['page', 'words', 'px at 1440', 'px at 390', 'KB of HTML'], rows)
  console.log(`${all.length} pages, ${sum} words. Pictures: ${folder}`)
}
