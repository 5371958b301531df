import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

/** Maximum size of a page's JavaScript before it can be used, in kilobytes, compressed. */
const most = { base: 214, page: 354 }

const output = '.next'
type Manifest = { entryJSFiles: Record<string, string[]> }

/** Returns the chunks of each page by its route, and those that the frame of the console alone needs. */
function readPages(): Map<string, { all: Set<string>; base: Set<string> }> {
  if (!existsSync(`${output}/build-manifest.json`))
    throw new Error('There is no build to weigh: run "npm run build" first.')
  const { rootMainFiles } = JSON.parse(readFileSync(`${output}/build-manifest.json`, 'utf8'))
  const app = `${output}/server/app`
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((file) => file.endsWith('page_client-reference-manifest.js'))
  return new Map(
    pages.map((file) => {
      const scope: { __RSC_MANIFEST?: Record<string, Manifest> } = {}
      // The file is a script that fills this object.
      new Function('globalThis', readFileSync(path.join(app, file), 'utf8'))(scope)
      const [[route, { entryJSFiles }] = ['', { entryJSFiles: {} }]] = Object.entries(
        scope.__RSC_MANIFEST ?? {},
      )
      const frames = Object.keys(entryJSFiles).filter((entry) => !entry.endsWith('/page'))
      const of = (entries: string[]) =>
        new Set<string>([
          ...rootMainFiles,
          ...entries.flatMap((entry) => entryJSFiles[entry] ?? []),
        ])
      return [route, { all: of(Object.keys(entryJSFiles)), base: of(frames) }]
    }),
  )
}

const sizes = new Map<string, number>()

function kilobytes(files: ReadonlySet<string>): number {
  let bytes = 0
  for (const file of files) {
    const size = sizes.get(file) ?? gzipSync(readFileSync(path.join(output, file))).length
    sizes.set(file, size)
    bytes += size
  }
  return Math.round(bytes / 1000)
}

// `npm test` builds first.
describe('the weight of pages', () => {
  const pages = readPages()

  test('all pages are found', () => {
    expect([...pages.keys()]).toContain('/(console)/runs/[runId]/page')
    expect(pages.size).toBeGreaterThan(40)
  })

  test('the frame of every page stays light', () => {
    const heavy = [...pages].flatMap(([route, { base }]) =>
      kilobytes(base) > most.base ? [`${route}: ${kilobytes(base)} KB`] : [],
    )
    expect(heavy).toEqual([])
  })

  test('no page is heavy', () => {
    const heavy = [...pages].flatMap(([route, { all }]) =>
      kilobytes(all) > most.page ? [`${route}: ${kilobytes(all)} KB`] : [],
    )
    expect(heavy).toEqual([])
  })
})
